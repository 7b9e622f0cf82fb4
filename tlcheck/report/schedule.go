package report

import (
	"cmp"
	"fmt"
	stdslices "slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// schedule prints the order of events that leads to the slice, one column for each relevant task,
// reduced to the relevant events.
func (p *printer) schedule() {
	v := p.v
	switch {
	case len(v.Witness.Schedule) == 0 && v.Net.BeginsWithRun():
		p.printf("\nThis is the initial state.\n")
		return
	case v.Witness.Unseen && len(v.Witness.Schedule) > 0:
		p.printf("\nThis order of the events leads to it. In which one they came is not known.\n\n")
	case len(v.Witness.Schedule) == 0 && v.Witness.Happened:
		p.printf("\nThe run came through this state.\n")
		return
	case v.Witness.Happened:
		p.printf("\nIt happened in this run, in this order:\n\n")
	case v.Witness.Reordered:
		p.printf("\n%s\n\n", reorderedText(p.v.Witness))
	default:
		p.printf("\nIt did not happen in this run: this order of the same events leads to it.\n\n")
	}
	c := newChooser(v)
	ch := c.chart()
	ch.shorten()
	left := 0
	if !p.whole {
		left = ch.limit(mostRows)
	}
	for _, l := range ch.lines(p.style.Width - 4) {
		p.printf("    %s\n", l)
	}
	if left > 0 {
		p.printf("    %s\n", p.dim(wording.Plural(left, "step")+" left out, which a report of all violations shows"))
	}
	if lost := v.Net.Lost(); lost > 0 {
		p.printf("    %s\n",
			p.dim(fmt.Sprintf("%d events before these, which come first in every order, are not kept", lost)))
	}
	if n := c.tasksLeftOut(); n > 0 {
		p.printf("    %s\n", p.dim(wording.Plural(n, taskWord(v.Net))+" with no part in it left out"))
	}
}

// reorderedText says how a state is known that only another order of critical sections leads to.
func reorderedText(w *tlcheck.Witness) string {
	text := "It did not happen in this run: it can if locks are taken in another order, as here, where some\n" +
		"critical sections of the run are left out. "
	if w.Open == "" {
		return text + "All reads see what they have seen in the run."
	}
	return text + "The data that they guard may then differ, so this may need confirming:\n" + event.Printable(w.Open) +
		"."
}

// chooser selects the relevant events of a schedule:
//
//   - those that create a task with a column,
//   - those that entered or left a function still on the stack in the slice,
//   - those that changed a variable that the formula names,
//   - the last one of each task that plays a TIV, and
//   - both ends of a cause between two columns.
//
// Those that create a task, those of functions on the stack and the last ones are needed: a long
// schedule has these and, of the others, the last ones.
//
// The tasks that play TIVs, and those that started them, have columns.
type chooser struct {
	v       violation
	columns map[san.Task]int
	tasks   []san.Task // by column
	actor   map[san.Task]bool
	matters map[san.Action]bool // by event
	needed  map[san.Action]bool // of these
	labels  map[san.Action]cell
}

func newChooser(v violation) *chooser {
	c := &chooser{
		v: v, columns: map[san.Task]int{}, actor: map[san.Task]bool{},
		matters: map[san.Action]bool{}, needed: map[san.Action]bool{}, labels: map[san.Action]cell{},
	}
	c.chooseTasks()
	names := map[string]bool{}
	var paths []san.Path
	for _, n := range spec.VariablesOf(v.Property.Formula) {
		if !names[n.Name] {
			names[n.Name] = true
			paths = append(paths, v.Net.Path(strings.Split(n.Name, ".")))
		}
	}
	for _, t := range c.tasks {
		c.chooseEvents(t, paths)
	}
	c.chooseCauses()
	return c
}

// chooseTasks gives columns to the tasks that play TIVs and to their ancestors, in the order in
// which the tasks were created. A sparse trace lacks that order, but the names show it. A formula
// without TIVs is about all tasks.
func (c *chooser) chooseTasks() {
	net := c.v.Net
	shown := map[san.Task]bool{}
	for _, a := range c.v.Witness.TIVA {
		if !c.v.created(a.Task) {
			continue
		}
		c.actor[a.Task] = true
		for t, ok := a.Task, true; ok && !shown[t]; {
			shown[t] = true
			if ok = !net.Initial(t); ok {
				t, ok = net.Lookup(c.v.starterName(t))
			}
		}
	}
	for t := range san.Task(net.Tasks()) {
		if len(c.v.Witness.TIVA) == 0 && c.v.Witness.Slice.At(t) > 0 && !c.v.isStandIn(t) {
			shown[t], c.actor[t] = true, true
		}
		if shown[t] {
			c.tasks = append(c.tasks, t)
		}
	}
	if net.Header().Sparse {
		stdslices.SortStableFunc(c.tasks, func(a, b san.Task) int { return compareNames(net.Name(a), net.Name(b)) })
	}
	for column, t := range c.tasks {
		c.columns[t] = column
	}
}

// compareNames orders names such as main.2 and main.10 part by part, and numbers by value.
func compareNames(a, b string) int {
	return stdslices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
		m, err := strconv.ParseUint(a, 10, 64)
		n, err2 := strconv.ParseUint(b, 10, 64)
		if err != nil || err2 != nil {
			return strings.Compare(a, b)
		}
		return cmp.Compare(m, n)
	})
}

// chooseEvents marks the relevant events of one task and describes each in words.
func (c *chooser) chooseEvents(t san.Task, paths []san.Path) {
	net, last := c.v.Net, c.v.Witness.Slice.At(t)
	frames := []int(nil) // for each frame on the stack: the event that entered it
	before := make([]string, len(paths))
	var sections []san.Action // those that begin or end one
	w := net.Walk(t)
	for k := 1; k <= last && w.Next(); k++ {
		a := san.Action{Task: t, K: int32(k)}
		info, s := net.Event(a), w.State()
		if info.Enter != "" {
			frames = append(frames[:min(len(frames), s.Depth()-1)], k)
		}
		frames = frames[:min(len(frames), s.Depth())]
		changed := ""
		for i, p := range paths {
			value := ""
			if v := s.Lookup(p); v.Visible() && v.Scope != san.InConst {
				value = event.Printable(v.Key) + " = " + valuesText(v.Values)
			}
			if value != before[i] && value != "" && c.actor[t] {
				c.matters[a] = true
				changed = joinComma(changed, value)
			}
			before[i] = value
		}
		if child, ok := net.Spawns(a); ok {
			if _, shown := c.columns[child]; shown {
				c.need(a)
			}
		}
		if k == last && c.actor[t] {
			c.need(a)
		}
		if c.v.Witness.Reordered && c.actor[t] && isSection(info) {
			sections = append(sections, a)
		}
		c.labels[a] = label(net, a, changed, c.v.source)
	}
	for _, a := range sections[max(0, len(sections)-mostSections):] {
		c.matters[a] = true
	}
	for _, k := range frames {
		if c.actor[t] {
			c.need(san.Action{Task: t, K: int32(k)})
		}
	}
}

func (c *chooser) need(a san.Action) { c.matters[a], c.needed[a] = true, true }

// mostRows bounds the steps of a schedule that is not shown as a whole.
const mostRows = 24

// mostSections bounds the beginnings and ends of critical sections that are shown for a task. The
// last ones show which sections were left out.
const mostSections = 4

// isSection reports whether an operation begins or ends a critical section.
func isSection(info san.Info) bool {
	does := new(event.Sections).Of(info.Op, info.Obj)
	return does.Begins || does.Ends
}

func joinComma(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

// label describes an event in a few words.
func label(net *san.Net, a san.Action, changed string, source Source) cell {
	what := joinComma(event.Printable(net.Describe(a)), changed)
	return cell{cmp.Or(what, "step"), source.place(net.Event(a).At)}
}

// chooseCauses marks both ends of every cause from one column to another.
func (c *chooser) chooseCauses() {
	for t := range c.columns {
		for k := 1; k <= c.v.Witness.Slice.At(t); k++ {
			a := san.Action{Task: t, K: int32(k)}
			for _, cause := range c.v.Net.Causes(a) {
				if _, shown := c.columns[cause.Task]; shown && cause.Task != t {
					c.matters[a], c.matters[cause] = true, true
				}
			}
			for _, side := range c.v.Net.Joint(a) {
				if _, shown := c.columns[side.Task]; shown && side.Task != t {
					c.matters[a] = true
				}
			}
		}
	}
}

// chart draws the relevant events; a gap stands for the others.
func (c *chooser) chart() *chart {
	ch := &chart{}
	for _, t := range c.tasks {
		ch.heads = append(ch.heads, event.Printable(c.v.Net.Name(t)))
	}
	gap := map[int]cell{}
	for _, a := range c.v.Witness.Schedule {
		cells, needed := map[int]cell{}, false
		for _, side := range c.v.Net.Sides(a) {
			column, shown := c.columns[side.Task]
			if !shown {
				continue
			}
			if c.matters[side] {
				cells[column] = c.labels[side]
				needed = needed || c.needed[side]
			} else {
				gap[column] = cell{text: gapMark}
			}
		}
		if len(cells) == 0 {
			continue
		}
		if len(gap) > 0 {
			ch.rows = append(ch.rows, row{cells: gap, gap: true})
			gap = map[int]cell{}
		}
		ch.rows = append(ch.rows, row{cells: cells, needed: needed})
	}
	return ch
}

// tasksLeftOut counts the tasks without a column that have events in the schedule.
func (c *chooser) tasksLeftOut() int {
	left := map[san.Task]bool{}
	for _, a := range c.v.Witness.Schedule {
		for _, side := range c.v.Net.Sides(a) {
			if _, shown := c.columns[side.Task]; !shown && !c.v.isStandIn(side.Task) {
				left[side.Task] = true
			}
		}
	}
	return len(left)
}
