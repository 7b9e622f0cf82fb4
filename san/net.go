package san

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

// Task numbers a task of a net: first those of the header's list, then the others in order of
// creation.
type Task int32

// Action names an action by one of its events: the K-th of Task, K from 1. A joint action has one
// name for each of its sides; its canonical name is the one with the lowest Task.
type Action struct {
	Task Task
	K    int32
}

// Info is the trace's description of an event, for people to read.
type Info struct {
	Op, Obj     string // the operation and its object
	At          string // "file.go:line"
	Enter, Exit string // the function entered or left
}

// Net is a state action net. It is immutable.
type Net struct {
	header *event.Header

	names   interner // task ids; the number is the handle
	handles []*task  // by handle; rank -1 if never created
	tasks   []*task  // by Task

	strs   interner // op, at, obj and functions; 0 is ""
	vars   interner // variables bound or written
	sites  []site
	values []event.Value // strings, lists and objects
	weight int           // total size of values

	clocks clocks
	sides  []ref    // of joint action j from starts[j] to starts[j+1], in order of their Tasks
	starts []uint32 // one more than there are joint actions
	// the recorded order; every side of a joint action has an entry, and these are adjacent
	order []Task

	shared   []sharedVariable // by index in header.Shared
	sharedOf map[uint32]int32 // by variable

	actions  int
	complete bool
	growing  bool // a builder adds to it
	// some path asks for previous values; only nets that forget need to know
	looksBack bool

	// State of a net that has forgotten its beginning (forget.go).
	hasForgotten    bool
	entersFunctions bool  // some event entered a function
	lost            int64 // see Lost
	unsettled       int   // see UnsettledOrder
}

// task is a task and its events. While the net is built, the records after done wait.
type task struct {
	name         string
	rank         Task // -1 until created
	initial      bool
	ended        bool       // "end" was read
	spawner      ref        // the event that creates it, once read; k 0 before
	initialClock clock      // the clock of local state 0
	start        *beginning // local state 0 if earlier events are forgotten, else nil
	jumps        []jump     // events that stand for several (condense.go), in order

	records []record
	words   []uint32
	joints  []jointAt // by k
	done    int32     // events that are part of the net
}

// jointAt says that event k of a task is a side of a joint action.
type jointAt struct {
	k  int32
	id uint32 // number of the joint action
}

// Header returns the header of the trace; it must not be changed.
func (n *Net) Header() *event.Header { return n.header }

// Tasks returns the number of tasks; they are 0 … Tasks()-1.
func (n *Net) Tasks() int { return len(n.tasks) }

// Events returns the number of events of all tasks; every side of a joint action counts.
func (n *Net) Events() int { return len(n.order) }

// Actions returns the number of actions; a joint action counts once.
func (n *Net) Actions() int { return n.actions }

// Name returns the task's id in the trace.
func (n *Net) Name(t Task) string { return n.tasks[t].name }

// Lookup returns the task with that id.
func (n *Net) Lookup(name string) (Task, bool) {
	h := n.names.find(name)
	if h < 0 || n.handles[h].rank < 0 {
		return 0, false
	}
	return n.handles[h].rank, true
}

// Initial reports whether t is present from the start of the net.
func (n *Net) Initial(t Task) bool { return n.tasks[t].initial }

// SpawnedBy returns the action that created t, named by its spawn event; false if t is initial.
func (n *Net) SpawnedBy(t Task) (Action, bool) {
	if n.tasks[t].initial {
		return Action{}, false
	}
	return n.action(n.tasks[t].spawner), true
}

// Parent returns the task that created t; false if t is initial, or that task is forgotten.
func (n *Net) Parent(t Task) (Task, bool) {
	if start := n.tasks[t].start; start != nil {
		return max(start.parent, 0), start.parent >= 0
	}
	a, ok := n.SpawnedBy(t)
	return a.Task, ok
}

// Len returns the number of events of t, which is the index of its last local state.
func (n *Net) Len(t Task) int { return int(n.tasks[t].done) }

// Ended reports whether the last event of t is its "end".
func (n *Net) Ended(t Task) bool {
	d := n.tasks[t]
	return d.ended && int(d.done) == len(d.records)
}

// HasFunctions reports whether the trace can say in which functions its tasks are: some event
// enters one, or the header lists those that would have been recorded.
func (n *Net) HasFunctions() bool {
	return n.entersFunctions || n.header.Instrumented != nil ||
		slices.ContainsFunc(n.sites, func(s site) bool { return s.enter != 0 })
}

// Complete reports whether the net has the whole trace; it is false for a net from Builder.Partial.
func (n *Net) Complete() bool { return n.complete }

// Event returns the trace's description of the event.
func (n *Net) Event(a Action) Info {
	r := n.record(a)
	s := n.sites[r.site]
	return Info{
		Op: n.strs.strs[s.op], Obj: n.strs.strs[r.obj], At: n.strs.strs[s.at],
		Enter: n.strs.strs[s.enter], Exit: n.strs.strs[s.exit],
	}
}

// Describe describes an event in a few words, "go worker", "enter f", "send chan 3"; "" if the
// trace does not describe it.
func (n *Net) Describe(a Action) string {
	info := n.Event(a)
	child, spawns := n.Spawns(a)
	switch {
	case spawns:
		return "go " + n.Name(child)
	case info.Enter != "":
		return "enter " + info.Enter
	case info.Exit != "":
		return "leave " + info.Exit
	case info.Op != "":
		return strings.TrimSpace(info.Op + " " + info.Obj)
	}
	return ""
}

// Spawns returns the task that the event creates.
func (n *Net) Spawns(a Action) (Task, bool) {
	t := n.tasks[a.Task]
	p := t.parts(&t.records[a.K-1])
	if p.flags&hasSpawn == 0 {
		return 0, false
	}
	return n.handles[p.spawn].rank, true
}

// Causes returns the events in the event's "after".
func (n *Net) Causes(a Action) []Action {
	t := n.tasks[a.Task]
	p := t.parts(&t.records[a.K-1])
	var causes []Action
	for r := range p.refs {
		causes = append(causes, n.action(r))
	}
	return causes
}

// Bindings returns the variables that the event binds: those of its task's innermost function, and
// those of the task itself together with the shared ones.
func (n *Net) Bindings(a Action) (local, global []event.Binding) {
	t := n.tasks[a.Task]
	p := t.parts(&t.records[a.K-1])
	for _, flag := range [...]uint32{hasSet, hasGlobal, hasWrite} {
		if p.flags&flag == 0 {
			continue
		}
		into := &global
		if flag == hasSet {
			into = &local
		}
		p.rest = n.bindings(t.words, p.rest, func(variable uint32, v event.Value) {
			*into = append(*into, event.Binding{Name: n.vars.strs[variable], Value: v})
		})
	}
	return local, global
}

// Joint returns the sides of a joint action in order of their tasks, and nil for an
// action with one event.
func (n *Net) Joint(a Action) []Action {
	id, ok := n.jointOf(a)
	if !ok {
		return nil
	}
	sides := make([]Action, len(n.sidesOf(id)))
	for i, r := range n.sidesOf(id) {
		sides[i] = n.action(r)
	}
	return sides
}

// Sides returns the sides of a joint action in order of their tasks, and the event itself for an
// action with one event.
func (n *Net) Sides(a Action) []Action {
	if sides := n.Joint(a); sides != nil {
		return sides
	}
	return []Action{a}
}

// Canonical returns the canonical name of the action.
func (n *Net) Canonical(a Action) Action {
	if id, ok := n.jointOf(a); ok {
		return n.action(n.sidesOf(id)[0])
	}
	return a
}

func (n *Net) record(a Action) *record { return &n.tasks[a.Task].records[a.K-1] }

func (n *Net) action(r ref) Action { return Action{n.handles[r.h].rank, r.k} }
