package san

import "github.com/antichain-go/antichain/tracer/event"

// Phase says how far a function on the stack has come.
type Phase uint8

// The phases of a frame.
const (
	Start Phase = iota // the last event entered the function
	In                 // between
	Term               // the last event left the function
)

// String returns "start", "in" or "term".
func (p Phase) String() string { return [...]string{"start", "in", "term"}[p] }

// Frame is a function on the stack.
type Frame struct {
	Func  string
	Phase Phase
	Vars  []event.Binding // bound in it, in order of their first binding
}

// Walker replays the local states of one task, from state 0 on.
//
//	for w := net.Walk(t); ; {
//		… w.State() …
//		if !w.Next() {
//			break
//		}
//	}
type Walker struct{}

// State returns a view of the current local state; it changes with the next call of Next or Seek.
func (w *Walker) State() *State { panic("not built yet") }

// Next goes to the next local state; it returns false and stays if there is none.
func (w *Walker) Next() bool { panic("not built yet") }

// Seek goes to local state k, 0 ≤ k ≤ Len; going back starts again at 0.
func (w *Walker) Seek(k int) { panic("not built yet") }

// State is a view of one local state.
type State struct{}

// Task returns the task.
func (s *State) Task() Task { panic("not built yet") }

// K returns the index of the local state.
func (s *State) K() int { panic("not built yet") }

// Entry returns the action that produced the state; false for state 0 of an initial task.
// For state 0 of another task it is the event that created the task.
func (s *State) Entry() (Action, bool) { panic("not built yet") }

// Exit returns the action that consumes the state; false in the last state.
func (s *State) Exit() (Action, bool) { panic("not built yet") }

// Event returns what the trace says about the event that led here; the zero Info in state 0.
func (s *State) Event() Info { panic("not built yet") }

// OnStack reports whether some frame of the function is on the stack ("in.f").
func (s *State) OnStack(function string) bool { panic("not built yet") }

// InPhase reports whether some frame of the function is in that phase ("start.f", "term.f").
func (s *State) InPhase(function string, p Phase) bool { panic("not built yet") }

// Depth returns the number of frames.
func (s *State) Depth() int { panic("not built yet") }

// Stack returns the frames, outermost first, with their variables.
func (s *State) Stack() []Frame { panic("not built yet") }

// Own returns the task's own scope (its local copies of globals), in order of first binding.
func (s *State) Own() []event.Binding { panic("not built yet") }

// Resolve looks a dotted name up, scope by scope. It is Lookup(net.Path(path)).
func (s *State) Resolve(path []string) Variable { panic("not built yet") }

// Lookup looks a compiled path up, scope by scope: frames from the innermost outwards,
// the task's own scope, shared variables, constants. In each scope the longest visible
// key among a.b.c, a.b, a counts.
func (s *State) Lookup(p Path) Variable { panic("not built yet") }

// Scope says where a variable was found.
type Scope uint8

// The scopes, in the order in which they are searched. Invisible is "nowhere".
const (
	Invisible Scope = iota
	InFrame
	InOwn
	InShared
	InConst
)

// Variable is a variable that a path led to.
type Variable struct {
	Scope  Scope
	Key    string        // the variable's name: a prefix of the path; two paths with one Key and Scope read the same value
	Rest   []string      // the elements of the path behind Key: fields of the value
	Values []event.Value // what it can be: one value, or a shared variable's set, no two equal; must not be changed
}

// Visible reports whether the path led to a variable.
func (v Variable) Visible() bool { return v.Scope != Invisible }

// Path is a dotted name compiled for Lookup in the states of one net.
type Path struct{}

// Path compiles a dotted name for fast lookup.
func (n *Net) Path(path []string) Path { panic("not built yet") }
