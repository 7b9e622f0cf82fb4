package causality

import (
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// causalKnowledge is what comes before the next event of a goroutine, or before the next
// acquisition of an object: kept events and, if the run is watched, operations. Both are
// transferred at the same places.
type causalKnowledge struct {
	kept known
	ops  operationClocks
}

// operationClocks is knowledge of operations, in each order: operation k of task and what that task
// knew by then or, if task is NoTask, the contents of the clocks. The latest operation is not in
// the clocks, which avoids a new clock when a task takes a lock that it released itself. The orders
// share a clock until they differ. The zero value knows nothing.
//
// Invariant: a task that hands on its knowledge does so with a number of its own. So a clock with
// operation k of a task includes all that the task knew by then, as epochs in FastTrack (Flanagan
// and Freund, PLDI 2009, section 3).
type operationClocks struct {
	task op.Task
	k    int32
	clocks
	past *history // of task; nil if unknown
}

// clocks has one for each order.
type clocks [orders]*clock.Clock

// Orders. The last two serve conflicting accesses to memory. They equal the full order if no
// watcher needs them.
const (
	inFull = iota
	inFree // without the order of locks
	// without orders that Go's memory model does not guarantee, even if no other outcome was
	// possible
	inModel
	inData // without the order of locks, but reads come after the writes that they have seen
	orders
)

// relation is the reason for an order.
type relation uint8

const (
	synchronises relation = iota
	excludes              // as sections of a lock do
	decides               // another outcome would have followed
	queues                // as decides, but locks may change it

	// excludes, and also what queues amounts to, if accesses to memory are not watched
	excludesOnly
)

// relates says which orders have a relation.
var relates = [...][orders]bool{
	synchronises: {inFull: true, inFree: true, inModel: true, inData: true},
	excludes:     {inFull: true, inModel: true},
	decides:      {inFull: true, inFree: true, inData: true},
	queues:       {inFull: true},
	excludesOnly: {inFull: true, inModel: true, inData: true},
}

// releaseRelation returns how the release of an object relates to its next acquisition.
func releaseRelation(lock bool) relation {
	if lock {
		return excludes
	}
	return synchronises
}

// learn adds s to what a task knows, or to clocks alone.
func (h *operationClocks) learn(m *clock.Memory, s *operationClocks, r relation) {
	h.learnAbove(m, s, r, clocks{})
}

// learnAbove is learn, given base, an earlier version of s that h is known to include.
func (h *operationClocks) learnAbove(m *clock.Memory, s *operationClocks, r relation, base clocks) {
	if s.task == h.task && s.task != op.NoTask {
		return // its own, from before
	}
	before, full := h.clocks, sources{}
	if from := h.sourcesIn(inFull); from != nil {
		full = *from
	}
	h.clocks[inFull] = h.joinedAfter(m, s, inFull, base) // the full order has all relations
	for order := inFull + 1; order < orders; order++ {
		switch {
		case !relates[r][order]:
		case before[order] == before[inFull] && s.clocks[order] == s.clocks[inFull]:
			h.clocks[order] = h.clocks[inFull]
			h.learnAlike(order, full)
		default:
			h.clocks[order] = h.joinedAfter(m, s, order, base)
		}
	}
	if h.past != nil && h.clocks != before {
		h.past.add(version{h.k + 1, h.clocks})
	}
}

// joinedAfter returns the least clock above those of h and s in an order that has the latest
// operation of s. Neither base nor what s knows of the task of h is new to h.
func (h *operationClocks) joinedAfter(m *clock.Memory, s *operationClocks, order int, base clocks) *clock.Clock {
	c := h.clocks[order]
	if s.task != op.NoTask && c.At(int32(s.task)) >= s.k {
		return c
	}
	within := h.isWithin(s, order)
	switch {
	case within:
		c = s.clocks[order]
	case !s.isWithin(h, order):
		below := base[order]
		if below == nil {
			below = h.versionBelow(s, order)
		}
		c = m.Learn(c, s.clocks[order], below, int32(h.task))
	}
	if s.task != op.NoTask {
		c = c.With(int32(s.task), s.k)
	}
	if c != h.clocks[order] {
		h.hasLearnt(s, order, within)
	}
	return c
}

// merge adds s to h, which is what an object hands on, or what a context that is no task knows (for
// tasks see learn). No reader uses its clocks of orders without the relation.
func (h *operationClocks) merge(m *clock.Memory, s *operationClocks, r relation) {
	h.mergeAbove(m, s, r, clocks{})
}

// mergeAbove is merge, given base, whose content h is known to include.
func (h *operationClocks) mergeAbove(m *clock.Memory, s *operationClocks, r relation, base clocks) {
	if h.tryReplace(s) {
		return
	}
	h.fold()
	h.learnAbove(m, s, r, base)
}

// knows reports whether h knows the latest operation of s, and so all that s knows.
func (h *operationClocks) knows(s *operationClocks, r relation) bool {
	if s.task == op.NoTask || h.latestKnown(s.task, inFull) < s.k {
		return false
	}
	for order := inFull + 1; order < orders; order++ {
		if relates[r][order] && h.clocks[order] != h.clocks[inFull] && h.latestKnown(s.task, order) < s.k {
			return false
		}
	}
	return true
}

// tryReplace sets h to s if that loses nothing, and reports whether it did.
func (h *operationClocks) tryReplace(s *operationClocks) bool {
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
	folded := operationClocks{task: op.NoTask}
	for order, c := range h.clocks {
		if order > 0 && c == h.clocks[inFull] {
			folded.clocks[order] = folded.clocks[inFull]
			continue
		}
		folded.clocks[order] = c.With(int32(h.task), h.k)
	}
	*h = folded
}

// knowsBetween returns what g knows between two of its operations. g may have learnt more since its
// last operation, so the result does not carry that operation's number.
func (p *Order) knowsBetween(g *goroutine) causalKnowledge {
	know := g.know
	if p.watch != nil {
		know.ops.fold()
	}
	return know
}

// exchange exchanges the knowledge of h and s, their latest operations included.
func (h *operationClocks) exchange(m *clock.Memory, s *operationClocks) {
	var both clocks
	for order := range both {
		if order > 0 && h.clocks[order] == h.clocks[inFull] && s.clocks[order] == s.clocks[inFull] {
			both[order] = both[inFull]
			continue
		}
		both[order] = h.joined(m, s, order)
	}
	for _, x := range [...]*operationClocks{h, s} {
		x.clocks = both
		if x.past != nil {
			x.past.add(version{x.k, both})
			x.past.knownBy(x.task, x.k)
		}
	}
}

// joined returns the least clock above those of h and s in an order that has their latest
// operations.
func (h *operationClocks) joined(m *clock.Memory, s *operationClocks, order int) *clock.Clock {
	c := h.clocks[order]
	switch {
	case h.isWithin(s, order):
		c = s.clocks[order]
	case !s.isWithin(h, order):
		c = m.Learn(c, s.clocks[order], h.versionBelow(s, order), int32(h.task))
	}
	w := clock.NewWriter(c)
	for _, x := range [...]*operationClocks{h, s} {
		if x.task != op.NoTask && c.At(int32(x.task)) < x.k {
			w.Set(int32(x.task), x.k)
		}
	}
	return w.Clock()
}
