package san

import (
	"iter"

	"github.com/antichain-go/antichain/tracer/event"
)

// Task is a task of a net: its index in the header's list, then in order of creation.
type Task int32

// Action names an action by one of its events: the K-th of Task, K from 1. A joint
// action has one name for each of its sides; its canonical name is the one with the
// lowest Task.
type Action struct {
	Task Task
	K    int32
}

// Info is what the trace says about an event, for people to read.
type Info struct {
	Op, Obj     string // what the event is, and on what
	At          string // "file.go:line"
	Enter, Exit string // the function entered or left
}

// Net is a state action net. It is immutable.
type Net struct {
	header *event.Header
}

// Header returns the header of the trace; it must not be changed.
func (n *Net) Header() *event.Header { return n.header }

// Tasks returns the number of tasks; they are 0 … Tasks()-1.
func (n *Net) Tasks() int { panic("not built yet") }

// Events returns the number of events: of all tasks together, every side of a joint action counted.
func (n *Net) Events() int { panic("not built yet") }

// Actions returns the number of actions; a joint action counts once.
func (n *Net) Actions() int { panic("not built yet") }

// Name returns the task's id in the trace.
func (n *Net) Name(t Task) string { panic("not built yet") }

// Lookup returns the task with that id.
func (n *Net) Lookup(name string) (Task, bool) { panic("not built yet") }

// Initial reports whether t is present from the start.
func (n *Net) Initial(t Task) bool { panic("not built yet") }

// SpawnedBy returns the action that created t, named by its spawn event; false if t is initial.
func (n *Net) SpawnedBy(t Task) (Action, bool) { panic("not built yet") }

// Parent returns the task that created t; false if t is initial.
func (n *Net) Parent(t Task) (Task, bool) { panic("not built yet") }

// Len returns the number of events of t, which is the index of its last local state.
func (n *Net) Len(t Task) int { panic("not built yet") }

// Ended reports whether the last event of t is its "end".
func (n *Net) Ended(t Task) bool { panic("not built yet") }

// Complete reports whether the net holds the whole trace: false for a net from
// Builder.Partial.
func (n *Net) Complete() bool { panic("not built yet") }

// Event returns what the trace says about the event.
func (n *Net) Event(a Action) Info { panic("not built yet") }

// Spawns returns the task that the event creates.
func (n *Net) Spawns(a Action) (Task, bool) { panic("not built yet") }

// Causes returns the events that the event names in "after".
func (n *Net) Causes(a Action) []Action { panic("not built yet") }

// Joint returns the sides of a joint action in order of their tasks, and nil for an
// action with one event.
func (n *Net) Joint(a Action) []Action { panic("not built yet") }

// Canonical returns the canonical name of the action.
func (n *Net) Canonical(a Action) Action { panic("not built yet") }

// Precedes reports whether a comes before b on a path of program order, spawns and
// causes. It is strict: no action precedes itself, by whatever name.
func (n *Net) Precedes(a, b Action) bool { panic("not built yet") }

// Concurrent reports whether a and b are different actions and neither precedes the other.
func (n *Net) Concurrent(a, b Action) bool { panic("not built yet") }

// Known returns how many events of u are in ↓a, the set of a and all that precedes it.
func (n *Net) Known(a Action, u Task) int { panic("not built yet") }

// Down stores ↓a into dst, which has one element for each task: the number of its events in ↓a.
func (n *Net) Down(a Action, dst []int32) { panic("not built yet") }

// Outside stores ALL \ ↑a into dst: for each task the number of its events that neither
// are a nor follow it.
func (n *Net) Outside(a Action, dst []int32) { panic("not built yet") }

// Order yields the actions by canonical name in the order in which the run recorded
// them, a linear extension of Precedes.
func (n *Net) Order() iter.Seq[Action] { panic("not built yet") }

// Walk returns a walker at local state 0 of t.
func (n *Net) Walk(t Task) *Walker { panic("not built yet") }
