package view

import (
	"context"
	stdslices "slices"
	"strconv"
	"strings"
	"time"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// Limits for one finding.
const (
	// steps of an order: if there are more, the relevant ones, and of these the last
	maxSteps   = 2000
	maxReport  = 64 << 10        // bytes of the text report
	maxValues  = 40              // variables of a goroutine
	courseTime = 2 * time.Second // time to compute the truth of the parts of a formula
)

// FindingOf returns what a page shows of a result. The style says where the source is.
func FindingOf(s report.Subject, style report.Style) *Finding {
	r := s.Assessment()
	style.Colour, style.Width = false, 0
	f := &Finding{
		Property: text(r.Name()), Builtin: r.Property == nil, Verdict: r.Verdict.String(), Group: text(r.Program),
		Notes: report.Notes(r, style), Again: report.Again(r, style),
		Message: report.Message(r, style.Source), Covered: text(r.Coverage()), Vacuous: text(r.Vacuous),
	}
	f.Notes = stdslices.DeleteFunc(f.Notes, func(note string) bool { // it is in Again
		return note == f.Again || f.Again != "" && strings.HasSuffix(note, " again:")
	})
	if r.Property != nil {
		f.Formula = formulaText(r.Property)
	}
	if r.Net != nil {
		f.Caveat = text(r.Net.Header().Caveat)
	}
	if r.Finding != nil || r.Witness != nil {
		f.How = r.How().String()
	}
	var b strings.Builder
	if err := report.WriteText(&b, r, style); err == nil { // a strings.Builder never fails
		f.Report = reportText(b.String())
	}
	if order := report.OrderOf(r, style.Source); order != nil {
		o := &orderMaker{result: r.Result, order: order}
		f.Order = o.make()
		f.Parts = o.parts()
		f.Files = filesOf(o.places, style.Source)
	}
	return f
}

// reportText returns a text report without parts that are too long to read.
func reportText(report string) string {
	report = strings.TrimRight(report, "\n")
	if len(report) <= maxReport {
		return report
	}
	return strings.ToValidUTF8(report[:maxReport], "") + "\n…"
}

// formulaText returns the formula of a property in its author's layout.
func formulaText(p *spec.Property) string {
	var lines []string
	for l := range strings.Lines(p.Source) {
		lines = append(lines, event.Printable(strings.TrimSpace(l)))
	}
	if len(lines) == 0 {
		return text(spec.FormatProperty(p))
	}
	return strings.Join(lines, "\n")
}

type orderMaker struct {
	result *tlcheck.Result
	order  *report.Order
	kept   []int // indices of the shown steps
	places []string

	sections *event.Sections
}

func (m *orderMaker) make() *Order {
	o := &Order{Lead: m.order.Lead, Focus: m.order.Focus + 1, Columns: []Column{}, Steps: []Step{}}
	for _, t := range m.order.Tasks {
		title := t.Title
		if title == t.Name {
			title = ""
		}
		o.Columns = append(o.Columns, Column{
			Name: text(t.Name), Title: text(title), Precise: text(t.Precise), Kind: text(t.Function),
			Origin: text(t.Origin), Roles: t.Roles, Aside: !t.Involved, Standing: t.Standing,
		})
	}
	m.keep()
	o.Skipped = len(m.order.Steps) - len(m.kept)
	for _, i := range m.kept {
		s := &m.order.Steps[i]
		o.Steps = append(o.Steps, m.step(s))
		if !s.Beyond && !s.Later {
			o.State = len(o.Steps)
		}
	}
	if n := len(o.Steps); o.State < n && !o.Steps[n-1].Later {
		o.Lead += " The states behind it lead to the one that the formula is about."
	}
	if m.result.Witness != nil {
		o.Lost, o.Word = m.result.Net.Lost(), taskWord(m.result.Net)
		m.fromNet(o)
	} else {
		m.fromOperations(o)
	}
	return o
}

// keep selects the steps to show.
func (m *orderMaker) keep() {
	all := len(m.order.Steps) <= maxSteps
	for i, s := range m.order.Steps {
		if all || stdslices.ContainsFunc(s.Cells, func(c report.OrderCell) bool { return c.Matters }) {
			m.kept = append(m.kept, i)
		}
	}
	m.kept = m.kept[max(len(m.kept)-maxSteps, 0):]
}

func (m *orderMaker) step(s *report.OrderStep) Step {
	step := Step{Later: s.Later}
	for _, c := range s.Cells {
		step.Cells = append(step.Cells, Cell{Column: c.Column, Text: text(c.Text), At: text(c.At), Place: text(c.Place),
			Minor: !c.Matters})
		if c.Place != "" {
			m.places = append(m.places, c.Place)
		}
	}
	return step
}

// parts returns the parts of the formula with their truths.
func (m *orderMaker) parts() []*Part {
	r := m.result
	if r.Witness == nil || r.Property == nil {
		return nil
	}
	schedule := stdslices.Clone(r.Witness.Schedule)
	for _, s := range m.order.Steps {
		if s.Beyond {
			schedule = append(schedule, s.Action)
		}
	}
	position := map[san.Action]int{} // number of actions of the schedule up to each one
	for i, a := range schedule {
		position[a] = i + 1
	}
	stops := []int{0}
	for _, i := range m.kept {
		if s := m.order.Steps[i]; !s.Later {
			stops = append(stops, position[s.Action])
		}
	}
	if len(stops) > 1 && len(m.kept) < len(m.order.Steps) {
		stops[0] = max(stops[1]-1, 0)
	}
	course := tlcheck.CourseOf(context.Background(), r, schedule, stops, tlcheck.Options{Time: courseTime})
	if course == nil {
		return nil
	}
	return m.addParts(nil, course, 0, len(stops))
}

// addParts appends a part and those below it.
func (m *orderMaker) addParts(parts []*Part, c *tlcheck.Course, depth, states int) []*Part {
	p := &Part{Depth: depth}
	if c.Source != nil {
		p.Text = text(spec.Format(c.Source))
	} else {
		p.Text = text(spec.FormatLocal(c.Local))
	}
	if c.OfTask {
		p.Who = text(m.result.Net.Name(c.Task))
	}
	before := byte(0)
	for i := range states {
		letter := byte('x')
		if i < c.Known {
			letter = truthLetter(c.Truth[i])
		}
		if letter != before {
			p.Truth = append(p.Truth, strconv.Itoa(i)+string(letter))
			before = letter
		}
	}
	parts = append(parts, p)
	for _, k := range c.Parts {
		parts = m.addParts(parts, k, depth+1, states)
	}
	return parts
}

func truthLetter(t lsl.Truth) byte {
	switch t {
	case lsl.True:
		return 't'
	case lsl.False:
		return 'f'
	}
	return 'u'
}
