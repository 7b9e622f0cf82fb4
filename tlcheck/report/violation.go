package report

import (
	"cmp"
	"fmt"
	"io"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// violation is a violated property. It can also be a slice to be inspected: then it has only a net
// and a witness.
type violation struct {
	*tlcheck.Assessment
	source Source
}

// Subject is what a report is about: a *tlcheck.Result, or a *tlcheck.Assessment, which has more to
// say of it.
type Subject interface{ Assessment() *tlcheck.Assessment }

// Style says how a report looks.
type Style struct {
	Width  int  // width of the schedule in characters; 0 means 100
	Colour bool // for a terminal
	Source Source
	Again  string // the command that repeats the report; may be empty
}

// WriteViolation describes how a property of a specification is violated.
func WriteViolation(w io.Writer, s Subject, style Style) error {
	r := s.Assessment()
	p := newPrinter(violation{r, style.Source}, style)
	p.printf("%s", style.Formula(r.Property))
	p.violation()
	p.confirmation(r.Confirmation)
	p.repeatCommand()
	if r.Violations != nil {
		p.printf("\n%s.\n", capitalise(p.v.numberText()))
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

func (v violation) line(style Style) string {
	var parts []string
	for _, b := range v.Witness.TIVA {
		parts = append(parts, v.standingText(b))
	}
	line := event.Printable(v.Name()) + ": " + style.word(v.Verdict)
	if len(parts) > 0 {
		line += ": " + strings.Join(parts, ", ")
	}
	return line + "; " + v.happenedText()
}

// standingText says where the task of a TIV stands: "t1 is main, after its event 3, at main.go:7".
func (v violation) standingText(b tlcheck.Binding) string {
	text := b.TIV + " is " + event.Printable(v.Net.Name(b.Task))
	k := v.Witness.Slice.At(b.Task)
	switch {
	case !v.created(b.Task):
		return text + ", not created"
	case v.Net.Number(b.Task, k) == 0:
		return text + ", before its first event"
	}
	text += fmt.Sprintf(", after its event %d", v.Net.Number(b.Task, k))
	if at := v.Net.Place(b.Task, k); at != "" {
		text += ", at " + v.source.place(at)
	}
	return text
}

// happenedText says whether the run passed through the slice.
func (v violation) happenedText() string {
	switch {
	case v.Witness.Happened:
		return "the run came through this state"
	case v.Witness.Unseen:
		return "the events can come in an order that leads there, and in which one they came is not known"
	case v.Witness.Reordered:
		return "it did not happen in this run, but critical sections can come in an order that leads there"
	}
	return "it did not happen in this run, but the same events can come in an order that leads there"
}

func newPrinter(v violation, style Style) *printer {
	if style.Width == 0 {
		style.Width = 100
	}
	return &printer{v: v, style: style}
}

// violation prints where tasks stand, why the formula is false, and an order that leads there.
func (p *printer) violation() {
	if p.v.Witness.History != nil {
		p.history(p.v.Witness.History)
		return
	}
	for _, c := range p.v.actors() {
		p.actor(c)
	}
	p.reason()
	p.schedule()
}

// repeatCommand prints the command that repeats the report. With several runs, occurrence prints
// it.
func (p *printer) repeatCommand() {
	switch {
	case p.v.Occurrence != nil:
		p.occurrence(p.v.Occurrence)
	case p.style.Again != "":
		p.printf("\nShow it again:\n    %s\n", event.Printable(p.style.Again))
	}
}

// actor is a task that plays at least one TIV.
type actor struct {
	task san.Task
	tivs []string
}

// actors returns the tasks that play TIVs, in order of the tasks.
func (v violation) actors() []actor {
	var cast []actor
	for _, a := range v.Witness.TIVA {
		i := stdslices.IndexFunc(cast, func(c actor) bool { return c.task == a.Task })
		if i < 0 {
			i = len(cast)
			cast = append(cast, actor{task: a.Task})
		}
		cast[i].tivs = append(cast[i].tivs, a.TIV)
	}
	stdslices.SortFunc(cast, func(a, b actor) int { return cmp.Compare(a.task, b.task) })
	return cast
}

// created reports whether the task exists in the slice.
func (v violation) created(t san.Task) bool {
	by, spawned := v.Net.SpawnedBy(t)
	return !spawned || v.Witness.Slice.Has(by)
}

// isStandIn reports whether t is the task env of a sparse trace, which creates tasks on behalf of
// others.
func (v violation) isStandIn(t san.Task) bool {
	return v.Net.Header().Sparse && v.Net.Initial(t) && v.Net.Name(t) == event.EnvTask
}

// starterName returns the name of the task that started t, which is not initial.
func (v violation) starterName(t san.Task) string {
	creator, _, _ := v.Net.Origin(t)
	if !v.Net.Header().Sparse || creator != event.EnvTask {
		return creator
	}
	name := v.Net.Name(t)
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		return name[:dot]
	}
	return creator
}

// printer prints one report.
type printer struct {
	v     violation
	style Style
	whole bool // long schedules are not shortened
	b     strings.Builder
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

// actor prints a task's name and origin, its place, and the values of the formula's atoms there.
func (p *printer) actor(c actor) {
	p.printf("\n")
	switch len(c.tivs) {
	case 0:
	case 1:
		p.printf("%s is ", p.bold(c.tivs[0]))
	default:
		p.printf("%s are all ", p.bold(strings.Join(c.tivs, ", ")))
	}
	p.printf("%s%s\n", p.bold(event.Printable(p.v.Net.Name(c.task))), p.origin(c.task))
	p.printStanding(c.task)
}

// printStanding prints the place of a task, and the values of the formula's atoms there.
func (p *printer) printStanding(t san.Task) {
	net := p.v.Net
	if !p.v.created(t) {
		p.printf("    does not exist yet: its atoms are undefined\n")
		return
	}
	state := p.v.state(t)
	if place := p.v.placeText(state); place != "" {
		p.printf("    %s\n", place)
	}
	p.sourceLine(net.Place(t, state.K()))
	for _, why := range p.v.atomsAt(t) {
		p.atom(why)
	}
}

// state returns the local state of a task in the witness.
func (v violation) state(t san.Task) *san.State {
	walker := v.Net.Walk(t)
	walker.Seek(v.Witness.Slice.At(t))
	return walker.State()
}

// placeText names the functions and the line at which a task is: "in put › append, at q.go:12".
func (v violation) placeText(s *san.State) string {
	var place []string
	if v.Net.HasFunctions() {
		place = append(place, stackText(s))
	}
	if at := v.Net.Place(s.Task(), s.K()); at != "" {
		place = append(place, "at "+v.source.place(at))
	}
	return strings.Join(place, ", ")
}

func (p *printer) sourceLine(at string) {
	if line, ok := p.style.Source.Line(at); ok {
		p.printf("    %s %s\n", p.dim("│"), p.dim(event.Printable(strings.TrimSpace(line))))
	}
}

// origin says what the task runs, and which task started it where.
func (p *printer) origin(t san.Task) string {
	_, info, created := p.v.Net.Origin(t)
	if !created {
		return ""
	}
	var b strings.Builder
	if info.Obj != "" {
		fmt.Fprintf(&b, ", running %s", startText(info.Obj))
	}
	fmt.Fprintf(&b, ", started by %s", event.Printable(p.v.starterName(t)))
	if info.At != "" {
		fmt.Fprintf(&b, " at %s", p.v.source.place(info.At))
	}
	return b.String()
}

// wrappers are library functions with which goroutines begin on behalf of others.
var wrappers = map[string]string{
	"sync.(*WaitGroup).Go.func1":    "a function given to WaitGroup.Go",
	"errgroup.(*Group).Go.func1":    "a function given to Group.Go",
	"errgroup.(*Group).add.func1":   "a function given to Group.Go",
	"errgroup.(*Group).TryGo.func1": "a function given to Group.TryGo",
}

// GivenName returns the name of the function that a goroutine runs, "" if it is one of a library
// that runs another function.
func GivenName(function string) string {
	if _, ok := wrappers[op.ShortName(function)]; ok || function == "" {
		return ""
	}
	return functionText(function)
}

// startText says what a goroutine runs that began with this function.
func startText(function string) string {
	if text, ok := wrappers[op.ShortName(function)]; ok {
		return text
	}
	return functionText(function)
}

// atom prints the truth of an atom with the values that it read. Of a false conjunction it prints
// what is false, and of a false implication both sides.
func (p *printer) atom(why *lsl.Explanation) {
	if parts := decisive(why); parts != nil {
		for _, part := range parts {
			p.atom(part)
		}
		return
	}
	p.printf("    %s: %s%s\n", event.Printable(spec.FormatLocal(why.Source)), p.truth(why.Truth), valuesRead(why))
	if why.Truth == lsl.Undefined {
		p.reasons(why)
	}
}

// decisive returns the parts of a false atom that make it false; nil if it is shown as a whole.
func decisive(why *lsl.Explanation) (parts []*lsl.Explanation) {
	if why.Truth != lsl.False {
		return nil
	}
	switch l := why.Source.(type) {
	case *spec.LocalImplies:
		return why.Parts
	case *spec.LocalNary:
		if l.Op != spec.And {
			return nil
		}
		for _, part := range why.Parts {
			if part.Truth == lsl.False {
				parts = append(parts, part)
			}
		}
	}
	return parts
}

// reasons says which parts of an atom are undefined and why.
func (p *printer) reasons(why *lsl.Explanation) {
	if why.Reason != "" {
		p.printf("        %s: %s\n", event.Printable(spec.FormatLocal(why.Source)), event.Printable(why.Reason))
	}
	for _, part := range why.Parts {
		p.reasons(part)
	}
}

// valuesRead lists the values behind a truth: ", where b.last = 1, N = 200".
func valuesRead(why *lsl.Explanation) string {
	var parts []string
	for _, l := range variablesOf(why) {
		if len(l.Values) > 0 {
			parts = append(parts, event.Printable(l.Name)+" = "+valuesText(l.Values))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ", where " + strings.Join(parts, ", ")
}

// variablesOf returns the variables that a formula read, each once.
func variablesOf(why *lsl.Explanation) []lsl.Observation {
	var all []lsl.Observation
	var collect func(w *lsl.Explanation)
	collect = func(w *lsl.Explanation) {
		for _, l := range w.Looked {
			if !stdslices.ContainsFunc(all, func(o lsl.Observation) bool { return o.Name == l.Name }) {
				all = append(all, l)
			}
		}
		for _, part := range w.Parts {
			collect(part)
		}
	}
	collect(why)
	return all
}

// taskWord returns the word for the tasks of a run, even one not known yet: goroutines, unless
// there are no functions that they could run, or the trace is of services whose logs have no common
// order.
func taskWord(net *san.Net) string {
	if net != nil && (!net.HasFunctions() || net.Header().Unordered) {
		return "task"
	}
	return "goroutine"
}

// stackText shows the function stack, outermost first: "put › append (just entered)".
func stackText(s *san.State) string {
	frames := s.Stack()
	if len(frames) == 0 {
		return "in none of the traced functions"
	}
	var b strings.Builder
	b.WriteString("in ")
	for i, f := range frames {
		if i > 0 {
			b.WriteString(" › ")
		}
		b.WriteString(event.Printable(f.Func))
		switch f.Phase {
		case san.Start:
			b.WriteString(" (just entered)")
		case san.Term:
			b.WriteString(" (just left)")
		}
	}
	return b.String()
}

// maxValue bounds the length of a value that a report shows in full.
const maxValue = 60

// valueText formats a value, shortened.
func valueText(v event.Value) string { return cut(event.Printable(v.String()), maxValue) }

// valuesText formats the possible values of a variable: "1", or "{0, 1}" for a shared variable.
func valuesText(vs []event.Value) string {
	if len(vs) == 1 {
		return valueText(vs[0])
	}
	texts := make([]string, len(vs))
	for i, v := range vs {
		texts[i] = valueText(v)
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

// RunsObject is the JSON form of tlcheck.Occurrence: which runs of a program show a finding or
// violation.
type RunsObject struct {
	Runs     int    `json:"runs"`
	Showing  int    `json:"showing"`
	Observed int    `json:"observed"`         // the number of these in which it happened
	Seed     uint64 `json:"seed,omitempty"`   // of the schedule of the reported run
	Yields   uint64 `json:"yields,omitempty"` // of the reported run, if it has no seed
	// the operations that the reported run has in this order, unlike the first run
	Reversed []string `json:"reversed,omitempty"`
	// the deadline that passed early in the reported run, without which that does not show it
	RestsOn string `json:"rests_on_time,omitempty"`
}

// runsObject returns nil for a single run.
func runsObject(o *tlcheck.Occurrence) *RunsObject {
	if o == nil {
		return nil
	}
	return &RunsObject{o.Runs, o.Showing, o.Observed, o.Seed, o.Yields, o.Reversed, o.RestsOn}
}

// occurrence prints which of several runs show it, and how to repeat one of these.
func (p *printer) occurrence(o *tlcheck.Occurrence) {
	if o == nil {
		return
	}
	p.printf("\nFound in %s.\n", occurrenceText(o))
	if o.RestsOn != "" {
		p.printf("It depends on time: %s.\n", event.Printable(o.RestsOn))
	}
	if o.Again != "" {
		p.printf("Show it again:\n    %s\n", event.Printable(o.Again))
	}
}

// occurrenceText says which runs show it: "3 of 51 runs, observed in 1, first with seed 7".
func occurrenceText(o *tlcheck.Occurrence) string {
	text := fmt.Sprintf("%d of %s", o.Showing, wording.Plural(o.Runs, "run"))
	if o.Observed > 0 && o.Observed < o.Showing {
		text += fmt.Sprintf(", observed in %d", o.Observed)
	}
	if o.Run != "" {
		text += ", first with " + event.Printable(o.Run)
	}
	return text
}
