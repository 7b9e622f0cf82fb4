package reorder

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
)

// Sight is a read of what another task has written.
type Sight struct {
	Task op.Task
	At   op.Place
	Of   op.Task
	OfAt op.Place
	// where its task wrote the same memory before its next operation, 0 if it did not: it counted,
	// or tested and set
	Rewritten op.Place
}

// sight is one at an address.
type sight struct {
	Sight
	address uint64
}

// maxSights bounds the sights of one task at one moment.
const maxSights = 8

func (r *read) addSight(o *op.Op) {
	isKnown := func(s sight) bool { return s.address == o.Address && s.At == o.At }
	if len(r.sights) < maxSights && !slices.ContainsFunc(r.sights, isKnown) {
		r.sights = append(r.sights, sight{Sight{Task: o.Task, At: o.At, Of: o.Other, OfAt: o.OtherAt}, o.Address})
	}
}

// noteRewrite notes that a task writes what it has read right before.
func (h *History) noteRewrite(o *op.Op) {
	r := h.first[passage{position{o.Other, o.OtherMoment}, position{o.Task, o.Moment}}]
	if r == nil {
		return
	}
	for i := range r.sights {
		if s := &r.sights[i]; s.address == o.Address {
			s.Rewritten = o.At
		}
	}
}

// SeenAhead returns reads before the stands of some tasks which saw what one of these tasks wrote
// behind its own stand. In all orders that lead the tasks there they see what came before it.
//
// Time: a look at each operation that is remembered.
func (h *History) SeenAhead(stands []Stand) []Sight {
	var seen []Sight
	h.work.Steps += int64(h.log.count)
	for e := range h.log.all() {
		r := e.read
		isAhead := func(x Stand) bool { return r.of.task == x.Task && r.of.moment >= x.K }
		isBefore := func(x Stand) bool { return x.comesAfter(r.at) }
		if e.kind != entryRead || !slices.ContainsFunc(stands, isAhead) || !slices.ContainsFunc(stands, isBefore) {
			continue
		}
		for _, s := range r.sights {
			seen = append(seen, s.Sight)
		}
	}
	return seen
}

// comesAfter reports whether an access at a position comes before the stand, whatever is read.
func (x *Stand) comesAfter(at position) bool {
	if x.Task == at.task {
		return at.moment < x.K
	}
	return x.Free.At(int32(at.task)) > at.moment
}
