package report

import (
	stdslices "slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// atomsAt returns the explanations of the formula's atoms for a task in the witness's own slice,
// equal atoms once.
func (v violation) atomsAt(t san.Task) []*lsl.Explanation {
	var found []*lsl.Explanation
	seen := map[string]bool{}
	var collect func(e *tlcheck.Explanation)
	collect = func(e *tlcheck.Explanation) {
		if e.Why != nil && e.Task == t && e.Slice.Equal(v.Witness.Slice) {
			if text := spec.FormatLocal(e.Why.Source); !seen[text] {
				seen[text] = true
				found = append(found, e.Why)
			}
		}
		for _, part := range stdslices.Concat(e.Parts, e.Here) {
			collect(part)
		}
	}
	if r := v.Witness.Reason; r != nil {
		collect(r)
	}
	return found
}

// reason prints the explanation as a tree if the formula looks beyond the slice: then the atoms
// alone do not explain it.
func (p *printer) reason() {
	r := p.v.Witness.Reason
	if r == nil || !looksBeyond(r.Source) {
		return
	}
	p.printf("\nWhy it is false:\n")
	p.explain(r, "    ")
}

// explain prints a node of an explanation, its reasons, and the values in the same slice that are
// no reasons.
func (p *printer) explain(e *tlcheck.Explanation, indent string) {
	p.printf("%s%s: %s", indent, p.short(e.Source, len(indent)), p.truth(e.Truth))
	if _, atom := e.Source.(*spec.Atom); atom && e.Why == nil {
		p.printf(" in %s, which does not exist there", event.Printable(p.v.Net.Name(e.Task)))
	}
	if e.Why != nil {
		p.printf(" in %s%s", event.Printable(p.v.Net.Name(e.Task)), valuesRead(e.Why))
	}
	if len(e.Path) > 0 {
		p.printf(", %s", p.laterText(e))
	}
	p.printf("%s\n", everywhere(e.Source, e.Truth, taskWord(p.v.Net)))
	for _, part := range e.Parts {
		p.explain(part, indent+"  ")
	}
	for _, part := range e.Here {
		p.explain(part, indent+"  now ")
	}
}

// maxMoved bounds the tasks that are listed for a path.
const maxMoved = 6

// laterText says how far the slice of e is from that of the parent, and where the tasks are that
// moved.
func (p *printer) laterText(e *tlcheck.Explanation) string {
	last := map[san.Task]san.Action{}
	var tasks []san.Task
	for _, a := range e.Path {
		for _, s := range p.v.Net.Sides(a) {
			if last[s.Task].K == 0 {
				tasks = append(tasks, s.Task)
			}
			last[s.Task] = s
		}
	}
	stdslices.Sort(tasks)
	text := wording.Plural(len(e.Path), "action") + " later, with"
	for i, t := range tasks {
		if i == maxMoved {
			text += " and " + wording.Plural(len(tasks)-i, "other")
			break
		}
		text += " " + event.Printable(p.v.Net.Name(t)) + ":" + strconv.FormatInt(p.v.Net.Number(t, int(last[t].K)), 10)
		if at := p.v.Net.Place(t, int(last[t].K)); at != "" {
			text += " (" + p.v.source.place(at) + ")"
		}
	}
	return text
}

// everywhere describes a truth for which no single slice or task is the reason. task is the word
// for one.
func everywhere(f spec.Formula, truth lsl.Truth, task string) string {
	var universal bool // the operator is true where nothing refutes it
	var text string
	switch f := f.(type) {
	case *spec.Future:
		universal = f.Op.Universal()
		text = map[spec.FutureOp]string{
			spec.Next: "true in no successor", spec.AllNext: "false in no successor",
			spec.Sometime: "true in no later slice", spec.Always: "false in no later slice",
			spec.Eventually: "true neither here nor later", spec.Henceforth: "false neither here nor later",
		}[f.Op]
	case *spec.Binary:
		universal = f.Op == spec.Before
		text = map[spec.BinaryOp]string{
			spec.Until:  "no later slice makes the right side true before the left side is false",
			spec.Before: "the left side is true before each later slice with the right side true",
		}[f.Op]
	case *spec.Quant:
		universal = f.Op == spec.Forall
		text = map[spec.QuantOp]string{spec.Exists: "true for no ", spec.Forall: "false for no "}[f.Op] + task
	}
	if text == "" || universal != (truth == lsl.True) {
		return ""
	}
	return ": " + text
}

// short shortens a formula to leave room for the rest of the line.
func (p *printer) short(f spec.Formula, indent int) string {
	most := max(p.style.Width-indent-12, 20)
	return cut(event.Printable(spec.Beginning(f, utf8.UTFMax*most)), most)
}

// looksBeyond reports whether a formula has a temporal operator or a quantifier.
func looksBeyond(f spec.Formula) bool {
	switch f.(type) {
	case *spec.Future, *spec.Binary, *spec.Quant:
		return true
	}
	return stdslices.ContainsFunc(spec.Operands(f), looksBeyond)
}

// SliceText shows a slice as the local states of the tasks created in it: "main:2 main.1:0".
func SliceText(net *san.Net, i slices.Ideal) string {
	var b strings.Builder
	for t := range san.Task(net.Tasks()) {
		if by, spawned := net.SpawnedBy(t); spawned && !i.Has(by) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(net.Name(t))
		b.WriteByte(':')
		b.WriteString(strconv.Itoa(i.At(t)))
	}
	return b.String()
}

// Reason is the truth of a formula with its reasons; see tlcheck.Explanation.
type Reason struct {
	Formula string            `json:"formula"`
	Value   string            `json:"value"`
	TIVA    map[string]string `json:"tiva"`

	// Set if it differs from the slice of the enclosing reason.
	Slice map[string]int64 `json:"slice,omitempty"`
	Path  []Ref            `json:"path,omitempty"`

	Local *Local    `json:"local,omitempty"` // of an atom whose task is created
	Parts []*Reason `json:"parts,omitempty"`
	Now   []*Reason `json:"now,omitempty"`
}

// Local is the truth of a local formula in a local state.
type Local struct {
	Task      string `json:"task,omitempty"` // of an atom
	State     *int   `json:"state,omitempty"`
	Formula   string `json:"formula"`
	Value     string `json:"value"`
	Undefined string `json:"undefined,omitempty"` // why it is undefined
	// their possible values; empty for an invisible one
	Variables map[string][]event.Value `json:"variables,omitempty"`
	Parts     []*Local                 `json:"parts,omitempty"`
}

func (v violation) reasonObject() *Reason {
	if v.Witness.Reason == nil {
		return nil
	}
	return v.reasonOf(v.Witness.Reason)
}

func (v violation) reasonOf(e *tlcheck.Explanation) *Reason {
	r := &Reason{Formula: shortFormula(e.Source), Value: e.Truth.String(), TIVA: tivaObject(v.Net, e.TIVA)}
	if len(e.Path) > 0 {
		r.Slice, r.Path = SliceObject(v.Net, e.Slice), refs(v.Net, e.Path)
	}
	if e.Why != nil {
		r.Local = localObject(e.Why)
		r.Local.Task, r.Local.State = v.Net.Name(e.Task), &e.State
	}
	for _, p := range e.Parts {
		r.Parts = append(r.Parts, v.reasonOf(p))
	}
	for _, p := range e.Here {
		r.Now = append(r.Now, v.reasonOf(p))
	}
	return r
}

func localObject(w *lsl.Explanation) *Local {
	l := &Local{Formula: cut(spec.FormatLocal(w.Source), maxFormula), Value: w.Truth.String(), Undefined: w.Reason}
	for _, looked := range w.Looked {
		if l.Variables == nil {
			l.Variables = map[string][]event.Value{}
		}
		l.Variables[looked.Name] = nonNil(looked.Values)
	}
	for _, p := range w.Parts {
		l.Parts = append(l.Parts, localObject(p))
	}
	return l
}
