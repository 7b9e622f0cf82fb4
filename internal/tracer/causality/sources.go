package causality

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
)

// sources are operations with this property: a task that knows all of them knows all that their
// owner knows about other tasks, in one order. A task that learns from the owner gets the same
// clock, and need not look for news. If tasks take turns at a lock, the owner's operation at which
// it learnt last is enough: every later holder of the lock knows it. Tree clocks find out the same
// from data that they keep beside each task (Mathur, Tunc, Pavlogiannis, Viswanathan, ASPLOS 2022,
// section 3).
type sources struct {
	count int8 // 0: unknown, perhaps since the task knows nothing
	list  [maxSources]source
}

// source is operation k of a task.
type source struct {
	task op.Task
	k    int32
}

const maxSources = 3

// singleSource is operation k of a task as the only source.
func singleSource(task op.Task, k int32) sources { return sources{1, [maxSources]source{{task, k}}} }

// knownBy notes that operation k of a task knows all that the task of p knows, in all orders.
func (p *history) knownBy(task op.Task, k int32) {
	for order := range p.sources {
		p.sources[order] = singleSource(task, k)
	}
}

// sourcesIn returns the sources of h's knowledge, nil if none are kept. None are kept in the order
// of data, since an operation there does not include all that its task knew.
func (h *operationClocks) sourcesIn(order int) *sources {
	if h.task == op.NoTask || h.past == nil || order >= len(h.past.sources) {
		return nil
	}
	return &h.past.sources[order]
}

// isWithin reports whether s is known to include all that h knows about other tasks.
func (h *operationClocks) isWithin(s *operationClocks, order int) bool {
	from := h.sourcesIn(order)
	return from != nil && from.count > 0 &&
		!slices.ContainsFunc(from.list[:from.count], func(x source) bool { return s.latestKnown(x.task, order) < x.k })
}

// hasLearnt notes that h knows all of s now, and nothing else if it was within s.
func (h *operationClocks) hasLearnt(s *operationClocks, order int, within bool) {
	from := h.sourcesIn(order)
	if from == nil {
		return
	}
	left := from.list[:0] // in place, behind the ones already seen
	if !within {
		for _, x := range from.list[:from.count] {
			if s.latestKnown(x.task, order) < x.k {
				left = append(left, x)
			}
		}
	}
	if s.task == op.NoTask || from.count == 0 || len(left) == maxSources {
		*from = singleSource(h.task, h.k+1) // the next one
		return
	}
	left = append(left, source{s.task, s.k})
	from.count = int8(len(left))
}

// learnAlike notes that h has learnt the same in an order as in the full one: its clocks in both
// were the same, and so were those that it has learnt from. full are the previous sources of the
// full order. Those of this order may differ, if the same clock came about in another way. Then the
// full order's sources do not apply here.
func (h *operationClocks) learnAlike(order int, full sources) {
	from := h.sourcesIn(order)
	switch {
	case from == nil:
	case *from == full:
		*from = h.past.sources[inFull]
	default:
		*from = singleSource(h.task, h.k+1)
	}
}
