package process

import (
	"github.com/antichain-go/antichain/internal/clock"
	"github.com/antichain-go/antichain/tracer/op"
)

// causalKnowledge says what comes before the next event of a goroutine, or before the next acquisition of an
// object: kept events and, if the run is watched, operations. Both move at the same places.
type causalKnowledge struct {
	kept *set
	ops  operationClocks
}

// operationClocks is knowledge of operations, in the two orders of package op: operation k of task and what
// that task knew by then or, if task is NoTask, what the clocks say. The latest operation is not
// in the clocks, so that a task that takes a lock that it released itself makes no new one. Both
// clocks are the same memory until a lock makes a difference. The zero value knows nothing.
//
// Invariant: who hands on its knowledge does so with a number of its own. So a clock that has
// operation k of a task has all that the task knew by then, as epochs in FastTrack (Flanagan and
// Freund, PLDI 2009, section 3).
type operationClocks struct {
	task       op.Task
	k          int32
	full, free *clock.Clock
	past       *history // of task; nil if it is not known
}

// learn adds s to what a task knows, or to clocks alone. Without free it does so in Full only.
func (h *operationClocks) learn(s *operationClocks, free bool) { h.learnAbove(s, free, clocks{}) }

// learnAbove is learn if h knows base, of which s may be a later version.
func (h *operationClocks) learnAbove(s *operationClocks, free bool, base clocks) {
	if s.task == h.task && s.task != op.NoTask {
		return // its own, of before
	}
	before, same := *h, free && h.full == h.free && s.full == s.free
	h.full = h.after(s, inFull, base)
	switch {
	case same:
		h.free = h.full
	case free:
		h.free = h.after(s, inFree, base)
	}
	if h.past != nil && (h.full != before.full || h.free != before.free) {
		h.past.add(version{h.k + 1, clocks{h.full, h.free}})
	}
}

// Places of clocks in both orders.
const (
	inFull = 0
	inFree = 1
)

func (h *operationClocks) in(order int) *clock.Clock {
	if order == inFull {
		return h.full
	}
	return h.free
}

// after returns the least clock above those of h and s in an order that has the latest operation of
// s. What s knows of the task of h is nothing new, nor is base.
func (h *operationClocks) after(s *operationClocks, order int, base clocks) *clock.Clock {
	c := h.in(order)
	if s.task != op.NoTask && c.At(int32(s.task)) >= s.k {
		return c
	}
	below := base[order]
	if below == nil {
		below = h.below(s, order)
	}
	c = clock.Learn(c, s.in(order), below, int32(h.task))
	if s.task == op.NoTask {
		return c
	}
	return c.With(int32(s.task), s.k)
}

// merge adds s to what an object hands on, or somebody who is no task. Without free nobody asks
// for the order without locks.
func (h *operationClocks) merge(s *operationClocks, free bool) { h.mergeAbove(s, free, clocks{}) }

// mergeAbove is to merge what learnAbove is to learn.
func (h *operationClocks) mergeAbove(s *operationClocks, free bool, base clocks) {
	if h.replaced(s) {
		return
	}
	h.fold()
	h.learnAbove(s, free, base)
}

// knows reports whether h knows the latest operation of s, and so all that s does.
func (h *operationClocks) knows(s *operationClocks, free bool) bool {
	return s.task != op.NoTask && h.until(s.task, inFull) >= s.k && (!free || h.until(s.task, inFree) >= s.k)
}

// replaced makes h s if it knows nothing else.
func (h *operationClocks) replaced(s *operationClocks) bool {
	later := s.task == h.task && s.k >= h.k && s.task != op.NoTask
	if later || *h == (operationClocks{}) {
		*h = *s
		return true
	}
	return false
}

// fold puts the latest operation into the clocks.
func (h *operationClocks) fold() {
	if h.task == op.NoTask {
		return
	}
	same := h.full == h.free
	full := h.full.With(int32(h.task), h.k)
	free := full
	if !same {
		free = h.free.With(int32(h.task), h.k)
	}
	*h = operationClocks{op.NoTask, 0, full, free, nil}
}

// meet lets each of two know what the other does, their latest operations included.
func (h *operationClocks) meet(s *operationClocks) {
	same := h.full == h.free && s.full == s.free
	full := h.both(s, inFull)
	free := full
	if !same {
		free = h.both(s, inFree)
	}
	for _, x := range [...]*operationClocks{h, s} {
		x.full, x.free = full, free
		if x.past != nil {
			x.past.add(version{x.k, clocks{full, free}})
		}
	}
}

// both returns the least clock above those of h and s in an order that has their latest operations.
func (h *operationClocks) both(s *operationClocks, order int) *clock.Clock {
	c := h.in(order)
	c = clock.Learn(c, s.in(order), h.below(s, order), int32(h.task))
	w := clock.NewWriter(c)
	for _, x := range [...]*operationClocks{h, s} {
		if x.task != op.NoTask && c.At(int32(x.task)) < x.k {
			w.Set(int32(x.task), x.k)
		}
	}
	return w.Clock()
}
