package san

import (
	"github.com/antichain-go/antichain/tracer/event"
)

// Phase is the progress of a function on the stack.
type Phase uint8

// The phases of a frame.
const (
	Start Phase = iota // the last event entered the function
	In                 // neither
	Term               // the last event left the function
)

// String returns "start", "in" or "term".
func (p Phase) String() string { return [...]string{"start", "in", "term"}[p] }

// Frame is a function on the stack.
type Frame struct {
	Func  string
	Phase Phase
	Vars  []event.Binding // bound in it, in order of first binding
}

// Walker replays the local states of one task, from state 0 on.
//
//	for w := net.Walk(t); ; {
//		… w.State() …
//		if !w.Next() {
//			break
//		}
//	}
type Walker struct{ s State }

// Walk returns a walker at local state 0 of t.
func (n *Net) Walk(t Task) *Walker {
	w := &Walker{State{n: n}}
	w.Start(t)
	return w
}

// Start goes to local state 0 of any task.
func (w *Walker) Start(t Task) {
	own := w.s.own
	own.clear()
	w.s = State{n: w.s.n, t: w.s.n.tasks[t], task: t, version: w.s.version + 1, frames: w.s.frames[:0], own: own,
		history: w.s.history, watches: w.s.watches}
	if start := w.s.t.start; start != nil {
		w.s.resume(&start.moment)
	}
}

// State returns a view of the current local state, valid until the next call of Next, Seek or
// Start.
func (w *Walker) State() *State { return &w.s }

// Next goes to the next local state. It returns false, and does not move, if there is none.
func (w *Walker) Next() bool {
	if w.s.k == w.s.t.done {
		return false
	}
	w.s.k++
	if j := w.s.t.jumpAt(w.s.k); j != nil {
		w.s.version++
		w.s.frames, w.s.onStack = w.s.frames[:0], nil
		w.s.resume(&j.moment)
		return true
	}
	w.s.apply(&w.s.t.records[w.s.k-1])
	return true
}

// Seek goes to local state k, 0 ≤ k ≤ Len; going back starts again at 0.
func (w *Walker) Seek(k int) {
	if k < int(w.s.k) {
		w.Start(w.s.task)
	}
	for int(w.s.k) < k && w.Next() {
	}
}

// State is a view of one local state.
type State struct {
	n    *Net
	t    *task
	task Task
	k    int32

	version uint64
	frames  []frame        // beyond its length lie popped frames, whose memory is reused
	onStack map[uint32]int // number of frames by function, if there are many; else nil
	own     scope

	history *history // for Previous; nil until it is needed
	watches bool     // changed and earlier are kept
	changed int32    // the last event that changed a variable; 0 if earlier has the state before it
	earlier *content // nil if no event has changed a variable, or the state is not known
}

// manyFrames bounds the frames that are searched linearly.
const manyFrames = 16

// frame is a function on the stack; only the last one can be in phase Start or Term.
type frame struct {
	function uint32
	phase    Phase
	vars     scope
}

// apply goes to the state after r's event (docs/semantics.md, "What a local state knows").
func (s *State) apply(r *record) {
	at := s.n.sites[r.site]
	if top := s.top(); top != nil && top.phase == Term {
		s.pop()
		s.version++
	}
	if top := s.top(); top != nil && top.phase == Start {
		top.phase = In
		s.version++
	}
	if at.enter != 0 {
		s.push(at.enter)
		s.version++
	}
	if at.exit != 0 {
		s.top().phase = Term
		s.version++
	}
	if r.more == 0 {
		return
	}
	p := s.t.parts(r)
	if p.flags&(hasSet|hasGlobal) == 0 {
		return
	}
	s.version++
	scope := &s.own
	if top := s.top(); top != nil {
		scope = &top.vars
	}
	if s.watches && s.changes(p, scope) {
		s.changed, s.earlier = s.k, nil
	}
	if p.flags&hasSet != 0 {
		p.rest = s.n.bindings(s.t.words, p.rest, scope.bind)
	}
	if p.flags&hasGlobal != 0 {
		s.n.bindings(s.t.words, p.rest, s.own.bind)
	}
}

// resume goes to a state that was kept.
func (s *State) resume(m *moment) {
	s.own = m.own.clone()
	for _, f := range m.frames {
		s.frames = append(s.frames, frame{f.function, f.phase, f.vars.clone()})
		s.count(f.function)
	}
	s.changed, s.earlier = 0, m.earlier
}

// count counts the frame that was pushed last.
func (s *State) count(function uint32) {
	switch {
	case s.onStack != nil:
		s.onStack[function]++
	case len(s.frames) >= manyFrames:
		s.onStack = make(map[uint32]int)
		for i := range s.frames {
			s.onStack[s.frames[i].function]++
		}
	}
}

func (s *State) top() *frame {
	if len(s.frames) == 0 {
		return nil
	}
	return &s.frames[len(s.frames)-1]
}

func (s *State) push(function uint32) {
	if len(s.frames) < cap(s.frames) {
		s.frames = s.frames[:len(s.frames)+1]
	} else {
		s.frames = append(s.frames, frame{})
	}
	top := s.top()
	top.function, top.phase = function, Start
	top.vars.clear()
	s.count(function)
}

func (s *State) pop() {
	if s.onStack != nil {
		top := s.top()
		if s.onStack[top.function]--; s.onStack[top.function] == 0 {
			delete(s.onStack, top.function)
		}
	}
	s.frames = s.frames[:len(s.frames)-1]
}

// Task returns the task.
func (s *State) Task() Task { return s.task }

// K returns the index of the local state.
func (s *State) K() int { return int(s.k) }

// Entry returns the action that produced the state; false for state 0 of an initial task.
// For state 0 of another task it is the event that created the task.
func (s *State) Entry() (Action, bool) { return s.n.entry(s.task, s.k) }

// Exit returns the action that consumes the state; false in the last state.
func (s *State) Exit() (Action, bool) {
	if s.k == s.t.done {
		return Action{}, false
	}
	return Action{s.task, s.k + 1}, true
}

// Version returns a number that changes when the stack or a variable does. A change of the possible
// values of a shared variable does not change it.
func (s *State) Version() uint64 { return s.version }

// Event returns the trace's description of the event that led here; the zero Info in state 0.
func (s *State) Event() Info {
	if s.k == 0 {
		return Info{}
	}
	return s.n.Event(Action{s.task, s.k})
}

// OnStack reports whether some frame of the function is on the stack ("in.f").
func (s *State) OnStack(function string) bool { return s.framesOf(function) > 0 }

// framesOf returns how many frames of the function are on the stack.
func (s *State) framesOf(function string) (n int) {
	if s.onStack != nil {
		if f := s.n.strs.find(function); f > 0 {
			n = s.onStack[uint32(f)]
		}
		return n
	}
	for i := range s.frames {
		if s.n.strs.strs[s.frames[i].function] == function {
			n++
		}
	}
	return n
}

// InPhase reports whether some frame of the function is in that phase ("start.f", "term.f").
func (s *State) InPhase(function string, p Phase) bool {
	top := s.top()
	if top == nil {
		return false
	}
	isTop := s.n.strs.strs[top.function] == function
	if p != In {
		return isTop && top.phase == p
	}
	inside := s.framesOf(function)
	if isTop && top.phase != In {
		inside--
	}
	return inside > 0
}

// Depth returns the number of frames.
func (s *State) Depth() int { return len(s.frames) }

// Stack returns the frames, outermost first, with their variables.
func (s *State) Stack() []Frame {
	stack := make([]Frame, len(s.frames))
	for i := range s.frames {
		f := &s.frames[i]
		stack[i] = Frame{s.n.strs.strs[f.function], f.phase, f.vars.bindings(s.n)}
	}
	return stack
}

// Own returns the task's own scope (its local copies of globals), in order of first binding.
func (s *State) Own() []event.Binding { return s.own.bindings(s.n) }
