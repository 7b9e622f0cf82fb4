package report

import (
	"fmt"
	"io"
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

// Slice is a global state of a run, to be inspected.
type Slice struct {
	Net      *san.Net
	Ideal    slices.Ideal
	Happened bool              // the run passed through it
	TIVA     []tlcheck.Binding // the tasks of a property's TIVs; may be empty
}

// printer returns a printer that treats the slice as a witness.
func (s *Slice) printer(style Style) *printer {
	w := &tlcheck.Witness{TIVA: s.TIVA, Slice: s.Ideal, Happened: s.Happened}
	return newPrinter(violation{(&tlcheck.Result{Net: s.Net, Witness: w}).Assessment(), style.Source}, style)
}

// maxStanding bounds the tasks that Write lists.
const maxStanding = 50

// Write describes where the tasks are that exist and have not ended.
func (s *Slice) Write(w io.Writer, style Style) error {
	p := s.printer(style)
	kept := ""
	if lost := s.Net.Lost(); lost > 0 {
		kept = fmt.Sprintf(" behind %d events that are not kept", lost)
	}
	p.printf("%s after %s%s; the run %s it\n", p.bold("Slice"), wording.Plural(s.Ideal.Size(), "action"), kept,
		passedThrough(s.Happened))
	var shown []san.Task
	var ended, later, more int
	for t := range san.Task(s.Net.Tasks()) {
		switch {
		case p.v.isStandIn(t):
		case !p.v.created(t):
			later++
		case s.ended(t):
			ended++
		case len(shown) == maxStanding:
			more++
		default:
			shown = append(shown, t)
		}
	}
	p.standings(shown)
	p.omitted(more, "elsewhere")
	p.omitted(ended, "ended")
	p.omitted(later, "not started yet")
	_, err := io.WriteString(w, p.b.String())
	return err
}

func passedThrough(happened bool) string {
	if happened {
		return "came through"
	}
	return "did not come through"
}

// ended reports whether a task has no further events.
func (s *Slice) ended(t san.Task) bool {
	return s.Net.Ended(t) && s.Ideal.At(t) == s.Net.Len(t)
}

// standings prints a line for each task, with its TIVs in front.
func (p *printer) standings(tasks []san.Task) {
	roles := map[san.Task]string{}
	for _, c := range p.v.actors() {
		roles[c.task] = strings.Join(c.tivs, ", ")
	}
	var role, name int
	for _, t := range tasks {
		role = max(role, utf8.RuneCountInString(roles[t]))
		name = max(name, utf8.RuneCountInString(event.Printable(p.v.Net.Name(t))))
	}
	for _, t := range tasks {
		text := event.Printable(p.v.Net.Name(t))
		p.printf("    %s%s", p.bold(pad(roles[t], role)), pad(text, name))
		p.printf("  %s\n", p.v.placeText(p.v.state(t)))
	}
}

// pad pads the text of a column; an empty column takes no room.
func pad(text string, width int) string {
	if width == 0 {
		return ""
	}
	return text + strings.Repeat(" ", width-utf8.RuneCountInString(text)+1)
}

func (p *printer) omitted(n int, place string) {
	if n > 0 {
		p.printf("    %s\n", p.dim(wording.Plural(n, "other "+taskWord(p.v.Net))+" "+place))
	}
}

// WriteTask describes a task: its origin, its place, its variables, and its next events.
func (s *Slice) WriteTask(w io.Writer, style Style, t san.Task) error {
	p := s.printer(style)
	c := actor{task: t}
	for _, b := range s.TIVA {
		if b.Task == t {
			c.tivs = append(c.tivs, b.TIV)
		}
	}
	p.actor(c)
	if p.v.created(t) {
		state := p.v.state(t)
		p.variables(state)
		p.printNext(state)
	}
	_, err := io.WriteString(w, strings.TrimPrefix(p.b.String(), "\n"))
	return err
}

// variables prints the variables that a task sees, the innermost frame first.
func (p *printer) variables(s *san.State) {
	stack := s.Stack()
	for i := len(stack) - 1; i >= 0; i-- {
		p.bindings("in "+event.Printable(stack[i].Func), stack[i].Vars)
	}
	p.bindings("of packages, as it last saw them", s.Own())
}

func (p *printer) bindings(scope string, bs []event.Binding) {
	if len(bs) == 0 {
		return
	}
	p.printf("    variables %s:\n", scope)
	for _, b := range bs {
		p.printf("        %s = %s\n", event.Printable(b.Name), valueText(b.Value))
	}
}

// printNext says what a task did next in the run.
func (p *printer) printNext(s *san.State) {
	next, ok := s.Exit()
	switch {
	case ok:
		p.printf("    next: %s\n", p.style.EventText(p.v.Net, next))
	case p.v.Net.Ended(s.Task()):
		p.printf("    it has ended\n")
	default:
		p.printf("    next: not known yet\n")
	}
}

// EventText describes an event and its place in a few words.
func (s Style) EventText(net *san.Net, a san.Action) string {
	c := label(net, a, "", s.Source)
	if c.at == "" {
		return c.text
	}
	return c.text + ", at " + c.at
}

// WriteMove says that a slice is the one before, or after, an action.
func WriteMove(w io.Writer, style Style, net *san.Net, when string, a san.Action) error {
	p := newPrinter(violation{(&tlcheck.Result{Net: net}).Assessment(), style.Source}, style)
	for _, side := range net.Sides(a) {
		p.printf("%s %s: %s\n", when, p.bold(event.Printable(net.Name(side.Task))), style.EventText(net, side))
		p.sourceLine(net.Event(side).At)
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// WriteValue prints the value of a property in a slice, and explains it part by part.
func (s *Slice) WriteValue(w io.Writer, style Style, property *spec.Property, e *tlcheck.Explanation) error {
	p := s.printer(style)
	p.printf("%s is %s%s\n", p.bold(event.Printable(property.Name)), p.truth(e.Truth), s.tivsText())
	p.explain(e, "    ")
	if looksBeyond(e.Source) {
		p.printf("%s\n", p.dim("What lies later is what the run has come to so far."))
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// ValueText returns the value alone.
func (s *Slice) ValueText(style Style, property *spec.Property, truth lsl.Truth) string {
	p := s.printer(style)
	return event.Printable(property.Name) + " is " + p.truth(truth) + s.tivsText()
}

// tivsText lists the tasks of the TIVs: " for t1 = main.1, t2 = main.3".
func (s *Slice) tivsText() string {
	if len(s.TIVA) == 0 {
		return ""
	}
	tivs := make([]string, len(s.TIVA))
	for i, b := range s.TIVA {
		tivs[i] = b.TIV + " = " + event.Printable(s.Net.Name(b.Task))
	}
	return " for " + strings.Join(tivs, ", ")
}
