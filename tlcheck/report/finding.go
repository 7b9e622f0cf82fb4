package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// finding is a finding with what printing it needs: its result and the texts of its objects.
type finding struct {
	*builtin.Finding
	result  *tlcheck.Assessment
	objects *objects
}

func findingOf(r *tlcheck.Assessment, source Source) finding {
	return finding{r.Finding, r, objectsOf(r.Finding, r.Names, source)}
}

// heading returns the title of the report: "deadlock: violated (predicted)", after the program if
// the run may have several.
func (f finding) heading(style Style) string {
	heading := fmt.Sprintf("%s: %s", f.Property, style.word(f.result.Verdict))
	if f.result.Verdict != tlcheck.Possible {
		heading += fmt.Sprintf(" (%s)", f.How)
	}
	if f.result.Program != "" {
		return event.Printable(f.result.Program) + ": " + heading
	}
	return heading
}

// text is the finding in a sentence, with positions for people.
func (f finding) text() string { return f.objects.source.sentence(f.namedText()) }

// namedText is the finding in a sentence, with objects named as in the source.
func (f finding) namedText() string {
	if f.Property == builtin.Race {
		return f.objects.race(f.Finding)
	}
	return f.objects.sentence(f.Text)
}

func (f finding) line(style Style) string {
	line := f.heading(style) + ": " + event.Printable(f.text())
	var details []string
	if f.Count > 1 {
		details = append(details, fmt.Sprintf("found %d times", f.Count))
	}
	if tests := f.testsText(); tests != "" {
		details = append(details, tests)
	}
	if len(details) > 0 {
		line += " (" + strings.Join(details, ", ") + ")"
	}
	if o := f.result.Occurrence; o != nil {
		line += " (in " + occurrenceText(o) + ")"
	}
	return line
}

// write describes the finding in words: what is wrong in a sentence, the parties, and an order of
// the run's operations that leads there.
func (f finding) write(w io.Writer, style Style) error {
	p := &findingPrinter{newPrinter(violation{source: style.Source}, style), f}
	p.printf("%s\n    %s\n", f.heading(style), event.Printable(f.text()))
	if covered := f.result.Coverage(); covered != "" {
		p.printf("    %s\n", event.Printable(covered))
	}
	for i := range f.Parties {
		p.party(&f.Parties[i])
	}
	p.order()
	p.notes()
	p.alsoFindings()
	p.confirmation(p.f.result.Confirmation)
	p.occurrence(p.f.result.Occurrence)
	p.printf("\n")
	_, err := io.WriteString(w, p.b.String())
	return err
}

// findingPrinter prints the report of one finding.
type findingPrinter struct {
	*printer
	f finding
}

// party prints a party, what it does where, and what it holds.
func (p *findingPrinter) party(party *builtin.Party) {
	name := p.bold(p.f.taskName(party.Task))
	if precise := preciseName(p.f.result.Names, party.Task); precise != "" {
		name += " (" + event.Printable(precise) + ")"
	}
	p.printf("\n%s%s%s\n", name, p.originText(party.Task), p.f.testText(party))
	p.printParty(party)
}

// printParty prints what a party does and what it holds.
func (p *findingPrinter) printParty(party *builtin.Party) {
	p.action(p.f.actionText(party), party.At)
	if waited := hasWaited(party); waited != "" {
		p.printf("    %s\n", waited)
	}
	for _, h := range party.Holds {
		p.action(p.f.heldText(h), h.At)
	}
}

// actionText says what a party does.
func (f finding) actionText(p *builtin.Party) string {
	if p.Object != 0 {
		return f.objects.replace(p.Does, p.Object, f.objects.label(p.Object, p.At))
	}
	if f.Property == builtin.Race {
		return strings.TrimSpace(p.Does + " " + f.objects.memory(p))
	}
	return p.Does
}

// heldText says what a task holds.
func (f finding) heldText(h builtin.HeldLock) string {
	text := "holds " + f.objects.label(h.Object, h.At)
	if h.Kind == op.RLock {
		text += " for reading"
	}
	if h.At != 0 && f.place(h.At) != "" {
		text += ", taken"
	}
	return text
}

// action prints an action of a task, with its place in the program and the calls that led to it.
func (p *findingPrinter) action(does string, at op.Place) {
	does = event.Printable(does)
	if at == 0 {
		p.printf("    %s\n", does)
		return
	}
	l := p.f.result.Names.Place(at)
	inside, callers := splitCalls(&l)
	callers = stdslices.DeleteFunc(stdslices.Clone(callers),
		func(f op.Frame) bool { return wrapper.MatchString(f.Function) })
	p.printf("    %s%s\n", does, p.whereText(&l, inside))
	p.sourceLine(l.At)
	for i, c := range callers {
		if i == maxCallers {
			p.printf("    %s\n", p.dim(fmt.Sprintf("and %s", wording.Plural(len(callers)-i, "more call"))))
			break
		}
		p.printf("    %s\n",
			p.dim(fmt.Sprintf("called by %s, at %s", functionText(c.Function), p.v.source.place(c.At))))
	}
}

// wrapper matches the functions that the compiler generates for go and defer statements.
var wrapper = regexp.MustCompile(`\.(gowrap|deferwrap)[0-9]+$`)

// maxCallers bounds the calls shown that led to a place.
const maxCallers = 5

// splitCalls separates the calls at a place: those up to the innermost one in the user's code, that
// one last, and those outside of it.
func splitCalls(l *op.Location) (inside, callers []op.Frame) {
	i := stdslices.IndexFunc(l.Stack, func(f op.Frame) bool { return f.At == l.At })
	if i < 0 {
		return l.Stack, nil
	}
	return l.Stack[:i+1], l.Stack[i+1:]
}

// whereText describes a place: " in main.get, at q.go:12", and which function of a library is
// running there.
func (p *findingPrinter) whereText(l *op.Location, inside []op.Frame) string {
	var b strings.Builder
	running := runningText(inside)
	if running != "" {
		fmt.Fprintf(&b, " in %s", running)
	}
	if at := place(l); at != "" {
		if running != "" {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " at %s", p.v.source.place(at))
	}
	if len(inside) > 1 {
		if library := functionText(inside[0].Function); library != running {
			fmt.Fprintf(&b, ", inside of %s", library)
		}
	}
	return b.String()
}

// runningText names the user's own function that is running, the last one of these calls; "" if it
// is unknown, as in some logs. Where a go statement calls a library, it is the library's function.
func runningText(inside []op.Frame) string {
	i := len(inside) - 1
	if i > 0 && wrapper.MatchString(inside[i].Function) {
		i--
	}
	if i < 0 {
		return ""
	}
	return functionText(inside[i].Function)
}

// place returns the source position of a location, even if none of the user's code is there.
func place(l *op.Location) string {
	if l.At == "" && len(l.Stack) > 0 {
		return l.Stack[0].At
	}
	return l.At
}

// place returns the source position of a place, as place does.
func (f finding) place(at op.Place) string {
	l := f.result.Names.Place(at)
	return place(&l)
}

// functionText returns what reports call a function.
func functionText(name string) string { return event.Printable(op.DisplayFunction(name)) }

// originText says which task started a task where, and what it runs if its name does not say so.
func (p *findingPrinter) originText(t op.Task) string {
	if t == op.NoTask {
		return ""
	}
	o := p.f.result.Names.Task(t)
	var b strings.Builder
	if o.Display == "" && o.Function != "" && o.By != op.NoTask {
		fmt.Fprintf(&b, ", running %s", startText(o.Function))
	}
	if o.By != op.NoTask {
		fmt.Fprintf(&b, ", started by %s", p.f.taskName(o.By))
		if at := p.f.startPlace(o.At); at != "" {
			fmt.Fprintf(&b, " at %s", p.v.source.place(at))
		}
	}
	return b.String()
}

// startPlace returns the source position of a go statement. If a module of others executes it, that
// is where the program has called the module.
func (f finding) startPlace(at op.Place) string {
	l := f.result.Names.Place(at)
	return cmp.Or(l.Own, place(&l))
}

// taskName returns the name of a task for people.
func (f finding) taskName(t op.Task) string {
	if t == op.NoTask {
		return "the runtime"
	}
	return event.Printable(f.result.Names.Task(t).DisplayName())
}

// preciseName returns the name of a task in schedules and formulas, "" if reports call it that.
func preciseName(names op.Names, t op.Task) string {
	if t == op.NoTask {
		return ""
	}
	if o := names.Task(t); o.Name != o.DisplayName() {
		return o.Name
	}
	return ""
}

// order prints an order of operations that leads to the finding, one column for each task.
func (p *findingPrinter) order() {
	happened := p.f.happenedText()
	if len(p.f.Schedule) == 0 {
		p.printf("\n%s.\n", happened)
		return
	}
	p.printf("\n%s:\n\n", happened)
	ch := p.f.chart()
	ch.shorten()
	for _, l := range ch.lines(p.style.Width - 4) {
		p.printf("    %s\n", l)
	}
}

// happenedText says whether the finding happened in the run.
func (f finding) happenedText() string {
	switch {
	case f.How == builtin.Observed:
		return "It happened in this run"
	case f.How == builtin.Reordered:
		return f.reorderedText()
	case f.How == builtin.Possible && f.Guess.IsOfThisRun() && !f.AtEnd:
		return "It happened in this run, until another test ended it"
	case f.How == builtin.Possible && f.Guess.IsOfThisRun() && f.Guess.Select == 0:
		return "It happened in this run, unless another goroutine ends it later"
	case f.How == builtin.Possible && f.Guess.IsOfThisRun():
		return "It happened in this run, unless the goroutine does something else later"
	case f.How == builtin.Possible && f.Property == builtin.Unlock && f.AtEnd:
		return "It happened in this run, but may do no harm"
	case f.How == builtin.Possible:
		return "It did not happen in this run: another order of the same operations may lead to it"
	case f.How == builtin.Following:
		return "Nothing orders the two, but a read before them takes part in another race.\n" +
			"In this order it may see another value, and the program may do something else"
	case f.Property == builtin.Race:
		return "This order is as possible as the order of the run"
	}
	return "It did not happen in this run: another order of the same operations leads to it"
}

// reorderedText says that the finding needs another order of locks, and unless it was confirmed,
// what that leaves open.
func (f finding) reorderedText() string {
	text := "It did not happen in this run: it can if locks are taken in another order"
	switch c := f.result.Confirmation; {
	case c.IsConfirmed():
		return text
	case c == nil || c.Outcome == tlcheck.NotTried:
		return text + ".\nThe data that they guard may then differ, so this may need confirming"
	}
	return text + ".\nThe data that they guard may then differ, so antichain tried it; see below"
}

// notes prints further hints.
func (p *findingPrinter) notes() {
	if len(p.f.Notes)+max(p.f.Count-1, 0) > 0 {
		p.printf("\n")
	}
	for _, n := range p.f.Notes {
		p.printf("%s\n", p.f.sentence(event.Printable(p.v.source.sentence(p.f.objects.sentence(n)))))
	}
	if p.f.Count > 1 {
		p.printf("%s; this is the first.\n", capitalise(p.f.foundText()))
	}
}

// alsoFindings lists the findings that have the same cause.
func (p *findingPrinter) alsoFindings() {
	if len(p.f.Also) > 0 {
		p.printf("\nFor the same reason:\n")
	}
	for i := range p.f.Also {
		p.printf("    %s\n", findingOf(p.f.result.Also(i), p.style.Source).line(p.style))
	}
}

// confirmation prints the outcome of the attempts to make it happen.
func (p *printer) confirmation(c *tlcheck.Confirmation) {
	if c == nil {
		return
	}
	p.printf("\n%s\n", p.bold(capitalise(confirmationText(c))))
	if c.Again != "" {
		p.printf("Make it happen again:\n    %s\n", event.Printable(c.Again))
	}
}

// confirmationText describes the outcome of the attempts to make a finding happen.
func confirmationText(c *tlcheck.Confirmation) string {
	text := c.Outcome.String()
	switch c.Outcome {
	case tlcheck.Confirmed:
		text += fmt.Sprintf(": it happened in attempt %d", c.Attempts)
	case tlcheck.NotFollowed, tlcheck.Diverged, tlcheck.Followed:
		text += " in " + wording.Plural(c.Attempts, "attempt")
	}
	if c.Detail != "" {
		text += ": " + event.Printable(c.Detail)
	}
	return text
}

// taskNames are names that know whether reports call a task by a word.
type taskNames interface{ IsTaskName(word string) bool }

// sentence capitalises a text, unless it begins with the name of a task.
func (f finding) sentence(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if first == "" || first == "main" || strings.ContainsRune(first, '.') {
		return text
	}
	if names, ok := f.result.Names.(taskNames); ok && names.IsTaskName(first) {
		return text
	}
	return capitalise(text)
}

// columns returns the tasks of the schedule and some others, in the order in which they were
// started, and the column of each.
func (f finding) columns(others ...op.Task) (tasks []op.Task, columns map[op.Task]int) {
	columns = map[op.Task]int{}
	for _, t := range others {
		columns[t] = 0
	}
	for _, s := range f.Schedule {
		for t := range f.cells(s) {
			columns[t] = 0
		}
	}
	tasks = stdslices.Sorted(maps.Keys(columns))
	for i, t := range tasks {
		columns[t] = i
	}
	return tasks, columns
}

// chart draws the schedule.
func (f finding) chart() *chart {
	tasks, columns := f.columns()
	ch := &chart{}
	for _, t := range tasks {
		ch.heads = append(ch.heads, f.taskName(t))
	}
	for _, s := range f.Schedule {
		cells := map[int]cell{}
		for t, c := range f.cells(s) {
			cells[columns[t]] = c
		}
		ch.rows = append(ch.rows, row{cells: cells})
	}
	return ch
}

// cells describes a step in a few words for each task that takes part in it.
func (f finding) cells(s op.Step) map[op.Task]cell {
	at := f.objects.source.place(f.place(s.At))
	if s.Kind == op.Go {
		at = f.objects.source.place(f.startPlace(s.At))
	}
	if s.Kind != op.Handoff {
		return map[op.Task]cell{s.Task: {f.stepText(s), at}}
	}
	object := " " + event.Printable(f.objects.label(s.Object, s.At))
	cells := map[op.Task]cell{s.Task: {"send" + object, at}}
	if s.Other != s.Task {
		cells[s.Other] = cell{text: "recv" + object}
	}
	return cells
}

// stepText describes an operation of a task in a few words.
func (f finding) stepText(s op.Step) string {
	object := ""
	if s.Object != 0 {
		object = event.Printable(f.objects.label(s.Object, s.At))
	}
	switch {
	case s.Kind == op.Go:
		return "go " + f.taskName(s.Other)
	case s.Kind == op.Block && object == "":
		return "waits"
	case s.Kind == op.Block:
		return "waits for " + object
	case s.Kind == op.Left:
		return "the program ends"
	}
	return strings.TrimSpace(s.Kind.String() + " " + object)
}
