package san

import "github.com/antichain-go/antichain/tracer/event"

// content is what a local state knows. It is immutable.
type content struct {
	frames []frame
	own    scope
}

// moment is the content of a local state that is kept although the events before it are not.
type moment struct {
	content
	// the content of its previous local state (see State.Previous); nil if it has none, or if the
	// net was not asked for previous values when the moment was kept
	earlier *content
}

// history finds the previous local state of a state.
type history struct {
	now  *Walker // in the state itself; watches which events change variables
	then *Walker
}

// Previous returns the local state before the last event that changed a variable: that gave it a
// value that it did not have in its scope. It returns nil if there is none, or if it was forgotten.
// The result is valid until the walker moves.
//
// Other events do not count. So previous values do not depend on which functions and operations are
// recorded beside the variables.
func (s *State) Previous() *State {
	if s.history == nil {
		s.history = &history{now: s.n.Walk(s.task), then: s.n.Walk(s.task)}
		s.history.now.s.watches = true
	}
	now, then := s.history.now, s.history.then
	now.follow(s.task, s.k)
	switch {
	case now.s.changed > 0:
		then.follow(s.task, now.s.changed-1)
		return then.State()
	case now.s.earlier != nil:
		return &State{n: s.n, t: s.t, task: s.task, frames: now.s.earlier.frames, own: now.s.earlier.own}
	}
	return nil
}

// follow goes to local state k of any task.
func (w *Walker) follow(t Task, k int32) {
	if w.s.task != t {
		w.Start(t)
	}
	w.Seek(int(k))
}

// changes reports whether an event with these parts changes a variable, before it has. Its
// assignments that are not global bind in the scope.
func (s *State) changes(p parts, inner *scope) (changed bool) {
	scope := inner
	compare := func(name uint32, v event.Value) {
		was := scope.find(name)
		changed = changed || was == nil || !was.value[0].Equal(v)
	}
	if p.flags&hasSet != 0 {
		p.rest = s.n.bindings(s.t.words, p.rest, compare)
	}
	if p.flags&hasGlobal != 0 {
		scope = &s.own
		s.n.bindings(s.t.words, p.rest, compare)
	}
	return changed
}
