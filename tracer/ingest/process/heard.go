package process

import (
	"github.com/antichain-go/antichain/tracer/clock"
	"github.com/antichain-go/antichain/tracer/op"
)

// known is what comes before whatever someone does next, or whoever acquires something: kept
// events and, of a run that is watched, operations. Both move at the same places.
type known struct {
	kept *set
	ops  heard
}

// heard is knowledge of operations, in the two orders of package op: operation k of task and what
// that task knew by then or, if task is NoTask, what the clocks say. The latest operation is not
// in the clocks, so that a task that takes a lock that it released itself makes no new one. Both
// clocks are the same memory until a lock makes a difference. The zero value knows nothing.
//
// Invariant: who hands on its knowledge does so with a number of its own. So a clock that has
// operation k of a task has all that the task knew by then, as epochs in FastTrack (Flanagan and
// Freund, PLDI 2009, section 3).
type heard struct {
	task       op.Task
	k          int32
	full, free *clock.Clock
}

// learn adds s to what a task knows, or to clocks alone. Without free it does so in Full only.
func (h *heard) learn(s *heard, free bool) {
	if s.task == h.task && s.task != op.NoTask {
		return // its own, of before
	}
	same := free && h.full == h.free && s.full == s.free
	h.full = h.after(h.full, s.full, s)
	switch {
	case same:
		h.free = h.full
	case free:
		h.free = h.after(h.free, s.free, s)
	}
}

// after returns the least clock above c and knows, which are clocks of h and s in the same order,
// that has the latest operation of s. What s knows of the task of h is nothing new.
func (h *heard) after(c, knows *clock.Clock, s *heard) *clock.Clock {
	if s.task != op.NoTask && c.At(int32(s.task)) >= s.k {
		return c
	}
	c = clock.JoinBut(c, knows, int32(h.task))
	if s.task == op.NoTask {
		return c
	}
	return c.With(int32(s.task), s.k)
}

// merge adds s to what an object hands on, or somebody who is no task. Without free nobody asks
// for the order without locks.
func (h *heard) merge(s *heard, free bool) {
	if h.replaced(s) {
		return
	}
	h.fold()
	h.learn(s, free)
}

// shared is what several hand on through an object.
type shared struct {
	known
	others *crowd // those who do so besides; nil as long as it is one at a time
}

// crowd has the latest of several tasks, so that goroutines that read an atomic variable or hold a
// lock for reading in turns make no new clocks.
type crowd struct {
	of [6]heard // of different tasks
	n  int
}

// set forgets what was handed on before.
func (s *shared) set(to *known) {
	s.known = *to
	if s.others != nil {
		s.others.n = 0
	}
}

// forget is set for operations alone.
func (s *shared) forget() { s.set(&known{kept: s.kept}) }

// add adds what somebody hands on. Without free nobody asks for the order without locks.
func (s *shared) add(ops *heard, free bool) {
	switch {
	case s.ops.replaced(ops):
		return
	case ops.task == op.NoTask:
		s.ops.merge(ops, free)
		return
	case s.others == nil:
		s.others = new(crowd)
	}
	c := s.others
	for i := range c.n {
		if c.of[i].replaced(ops) {
			return
		}
	}
	if c.n == len(c.of) {
		for i := range c.of {
			s.ops.merge(&c.of[i], free)
		}
		c.n = 0
	}
	c.of[c.n] = *ops
	c.n++
}

// replaced makes h s if it knows nothing else.
func (h *heard) replaced(s *heard) bool {
	later := s.task == h.task && s.k >= h.k && s.task != op.NoTask
	if later || *h == (heard{}) {
		*h = *s
		return true
	}
	return false
}

// fold puts the latest operation into the clocks.
func (h *heard) fold() {
	if h.task == op.NoTask {
		return
	}
	same := h.full == h.free
	full := h.full.With(int32(h.task), h.k)
	free := full
	if !same {
		free = h.free.With(int32(h.task), h.k)
	}
	*h = heard{op.NoTask, 0, full, free}
}

// meet lets each of two know what the other does, their latest operations included.
func (h *heard) meet(s *heard) {
	same := h.full == h.free && s.full == s.free
	full := both(clock.JoinBut(h.full, s.full, int32(h.task)), h, s)
	free := full
	if !same {
		free = both(clock.JoinBut(h.free, s.free, int32(h.task)), h, s)
	}
	h.full, h.free = full, free
	s.full, s.free = full, free
}

// both returns the least clock above c that has the latest operations of h and s.
func both(c *clock.Clock, h, s *heard) *clock.Clock {
	w := clock.NewWriter(c)
	for _, x := range [...]*heard{h, s} {
		if x.task != op.NoTask && c.At(int32(x.task)) < x.k {
			w.Set(int32(x.task), x.k)
		}
	}
	return w.Clock()
}
