package report

import (
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// Order is an order of events that leads to a violation or finding, as data for a program that
// draws it. All texts are printable.
type Order struct {
	Lead  string // how the order is known: "It did not happen in this run: …"
	Focus int    // index in Tasks of the one that is looked at first; -1 for the one that acts last
	Tasks []OrderTask
	Steps []OrderStep
}

// OrderTask is a task of an order, which has a column.
type OrderTask struct {
	Task     san.Task // for a violation of a specification
	Name     string
	Title    string // for a head: what reports call it, or the function that it runs
	Precise  string // its name in schedules and formulas if Title is another one, else ""
	Origin   string // "main.2, started by main at x.go:3"; may be empty
	Function string // the function that it runs; "" if unknown
	Roles    []string
	Involved bool     // a text report has a column for it
	Standing []string // lines that describe where it is at the end
}

// OrderStep is an action of an order.
type OrderStep struct {
	Action san.Action // for a violation of a specification
	// it leads from the violation's global state to a later one that the formula refers to
	Beyond bool
	Later  bool // it follows both, and shows what happened next in the run
	Cells  []OrderCell
}

// OrderCell is the part of a step in the column of a task.
type OrderCell struct {
	Column  int // index in Tasks
	Text    string
	Place   string // the position in the trace, for Source
	At      string // the position in a report
	Matters bool   // a text report shows it
	Kind    op.Kind
	Object  string // for a built-in finding: the object of the operation
	Other   int    // for a built-in finding: the column of the started task; else -1
}

// OrderOf returns the order of a result with a finding or a witness, nil of one that has none.
func OrderOf(s Subject, source Source) *Order {
	r := s.Assessment()
	switch {
	case r.Finding != nil:
		return findingOf(r, source).orderOf()
	case r.Witness != nil && r.Net != nil:
		return violation{r, source}.orderOf()
	}
	return nil
}

// orderOf returns an order with a column for each task in the schedule.
func (v violation) orderOf() *Order {
	c := newChooser(v)
	o := &Order{Lead: v.leadText(), Focus: -1}
	tasks := stdslices.Clone(c.tasks)
	beyond := pathOf(v.Witness.Reason)
	for _, a := range stdslices.Concat(v.Witness.Schedule, beyond) {
		for _, s := range v.Net.Sides(a) {
			if _, chosen := c.columns[s.Task]; !chosen && !v.isStandIn(s.Task) {
				c.columns[s.Task] = len(tasks)
				tasks = append(tasks, s.Task)
			}
		}
	}
	last := map[san.Task]int{} // by task: its last action in beyond
	for i, a := range beyond {
		for _, s := range v.Net.Sides(a) {
			last[s.Task] = i
		}
	}
	for i, t := range tasks {
		_, moved := last[t]
		o.Tasks = append(o.Tasks, v.orderTask(t, i < len(c.tasks) || moved))
	}
	for _, a := range v.Witness.Schedule {
		o.add(c, OrderStep{Action: a}, false)
	}
	for i, a := range beyond {
		o.add(c, OrderStep{Action: a, Beyond: true}, len(beyond) <= maxBeyond || last[a.Task] == i)
	}
	if len(beyond) == 0 {
		for _, a := range c.nextActions() {
			o.add(c, OrderStep{Action: a, Later: true}, true)
		}
	}
	return o
}

// maxBeyond bounds the actions after the violation's global state that are marked one by one. With
// more of them only the last one of each task is.
const maxBeyond = 40

// pathOf returns the actions that lead from the slice of an explanation to the last one on which it
// rests.
func pathOf(e *tlcheck.Explanation) []san.Action {
	if e == nil {
		return nil
	}
	for _, part := range e.Parts {
		if path := stdslices.Concat(part.Path, pathOf(part)); len(path) > 0 {
			return path
		}
	}
	return nil
}

// add adds an action, unless none of its tasks has a column. It marks the actions that a text
// report shows, and all if matters is set.
func (o *Order) add(c *chooser, step OrderStep, matters bool) {
	a := step.Action
	for _, s := range c.v.Net.Sides(a) {
		column, ok := c.columns[s.Task]
		if !ok {
			continue
		}
		l, labelled := c.labels[s]
		if !labelled {
			l = label(c.v.Net, s, "", c.v.source)
		}
		step.Cells = append(step.Cells, OrderCell{
			Column: column, Text: l.text, Place: c.v.Net.Event(s).At, At: l.at,
			Matters: matters || c.matters[s], Other: -1,
		})
	}
	if len(step.Cells) > 0 {
		o.Steps = append(o.Steps, step)
	}
}

// maxFurther bounds the events of a task that an order has after the global state.
const maxFurther = 6

// nextActions returns the next actions in the run of the tasks that play task variables, in a
// possible order.
func (c *chooser) nextActions() []san.Action {
	net, slice := c.v.Net, c.v.Witness.Slice
	wanted := map[san.Action]bool{}
	for t := range c.actor {
		from := slice.At(t)
		for k := from + 1; k <= min(from+maxFurther, net.Len(t)); k++ {
			if a := (san.Action{Task: t, K: int32(k)}); len(net.Sides(a)) == 1 {
				wanted[a] = true
			}
		}
	}
	var actions []san.Action
	for a := range net.Order() {
		if len(actions) == len(wanted) {
			break
		}
		if wanted[a] {
			actions = append(actions, a)
		}
	}
	return actions
}

func (v violation) orderTask(t san.Task, involved bool) OrderTask {
	p := newPrinter(v, Style{Source: v.source})
	_, info, _ := v.Net.Origin(t)
	task := OrderTask{
		Task: t, Name: event.Printable(v.Net.Name(t)), Function: functionText(info.Obj), Involved: involved,
		Origin: strings.TrimPrefix(p.origin(t), ", "),
	}
	task.Title = task.Name
	if runs := GivenName(info.Obj); runs != "" {
		task.Title, task.Precise = runs, task.Name
	}
	for _, b := range v.Witness.TIVA {
		if b.Task == t {
			task.Roles = append(task.Roles, b.TIV)
		}
	}
	if len(task.Roles) > 0 {
		p.printStanding(t)
		task.Standing = textLines(p.b.String())
	}
	return task
}

// leadText says how the order is known.
func (v violation) leadText() string {
	switch w := v.Witness; {
	case len(w.Schedule) == 0 && v.Net.BeginsWithRun():
		return "This is the initial state."
	case w.Unseen:
		return "This order of the events leads to it. In which one they came is not known."
	case w.Happened:
		return "It happened in this run, in this order."
	case w.Reordered:
		return strings.ReplaceAll(reorderedText(w), "\n", " ")
	}
	return "It did not happen in this run: this order of the same events leads to it."
}

// leadText says how the order is known.
func (f finding) leadText() string { return strings.ReplaceAll(f.happenedText(), "\n", " ") + "." }

// textLines returns the lines of a text, without empty ones.
func textLines(text string) []string {
	var lines []string
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// orderOf returns an order with a column for each party and each task of the schedule, in the order
// in which they were started. Without a schedule it has what they did last in the run.
func (f finding) orderOf() *Order {
	o := &Order{Lead: f.leadText(), Focus: -1}
	isPast := len(f.Schedule) == 0
	if f = f.withPast(); isPast && len(f.Schedule) > 0 {
		o.Lead += " The diagram has what the goroutines did last."
	}
	var parties []op.Task
	for i := range f.Parties {
		parties = append(parties, f.Parties[i].Task)
	}
	tasks, columns := f.columns(parties...)
	if len(parties) > 0 {
		o.Focus = columns[parties[0]]
	}
	for _, t := range tasks {
		o.Tasks = append(o.Tasks, f.orderTask(t))
	}
	for _, s := range f.Schedule {
		step := f.orderStep(s, columns)
		if does := f.doesAtEnd(s); isPast && does != "" {
			step.Cells[0].Text = event.Printable(does)
		}
		o.Steps = append(o.Steps, step)
	}
	return o
}

func (f finding) orderStep(s op.Step, columns map[op.Task]int) OrderStep {
	var step OrderStep
	for t, c := range f.cells(s) {
		cell := OrderCell{Column: columns[t], Text: c.text, At: c.at, Matters: true, Kind: s.Kind, Other: -1}
		switch {
		case c.at == "":
		case s.Kind == op.Go:
			cell.Place = f.startPlace(s.At)
		default:
			cell.Place = f.place(s.At)
		}
		if s.Object != 0 {
			cell.Object = event.Printable(f.objects.label(s.Object, s.At))
		}
		if other, ok := columns[s.Other]; ok && s.Kind == op.Go {
			cell.Other = other
		}
		step.Cells = append(step.Cells, cell)
	}
	stdslices.SortFunc(step.Cells, func(a, b OrderCell) int { return a.Column - b.Column })
	return step
}

func (f finding) orderTask(t op.Task) OrderTask {
	style := Style{Source: f.objects.source}
	p := &findingPrinter{newPrinter(violation{source: style.Source}, style), f}
	origin := p.originText(t) + f.testText(&builtin.Party{Task: t})
	precise := event.Printable(preciseName(f.result.Names, t))
	task := OrderTask{Name: f.taskName(t), Title: f.taskName(t), Precise: precise, Involved: true,
		Origin: strings.TrimPrefix(precise+origin, ", ")}
	if t != op.NoTask {
		task.Function = functionText(f.result.Names.Task(t).Function)
	}
	for i := range f.Parties {
		if party := &f.Parties[i]; party.Task == t {
			p.printParty(party)
		}
	}
	task.Standing = textLines(p.b.String())
	return task
}

// Message says in a sentence what a finding is about, or who stands where in a violation; "" of a
// result that has neither.
func Message(s Subject, source Source) string {
	r := s.Assessment()
	switch {
	case r.Finding != nil:
		return event.Printable(findingOf(r, source).text())
	case r.Witness != nil:
		v := violation{r, source}
		var parts []string
		for _, b := range v.Witness.TIVA {
			text := b.TIV + " is " + event.Printable(v.Net.Name(b.Task))
			if !v.created(b.Task) {
				parts = append(parts, text+", not created")
			} else if place := v.placeText(v.state(b.Task)); place != "" {
				parts = append(parts, text+", "+place)
			} else {
				parts = append(parts, text)
			}
		}
		return strings.Join(parts, "; ")
	}
	return ""
}

// Again returns the command that shows a result again, "" if none is known.
func Again(s Subject, style Style) string {
	r := s.Assessment()
	switch {
	case r.Finding == nil && r.Witness == nil:
		return ""
	case r.Confirmation != nil && r.Confirmation.Again != "":
		return event.Printable(r.Confirmation.Again)
	case r.Occurrence != nil && r.Occurrence.Again != "":
		return event.Printable(r.Occurrence.Again)
	}
	return event.Printable(style.Again)
}

// Notes are what else helps, in lines: who could have woken a task, what has the same cause, what
// came of making it happen, which of several runs show it, and the command that shows it again.
func Notes(s Subject, style Style) []string {
	r := s.Assessment()
	p := newPrinter(violation{r, style.Source}, style)
	switch {
	case r.Finding != nil:
		f := &findingPrinter{p, findingOf(r, style.Source)}
		f.notes()
		f.alsoFindings()
		p.confirmation(r.Confirmation)
		p.occurrence(r.Occurrence)
	case r.Witness != nil:
		p.confirmation(r.Confirmation)
		p.repeatCommand()
	}
	return textLines(p.b.String())
}
