package reorder

import (
	"iter"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// access is an access to memory.
type access struct {
	at      position
	address uint64
	reads   bool
}

// accessOf returns the access of a conflict, or the one that reads.
func accessOf(o *op.Op) access {
	return access{position{o.Task, o.Moment}, o.Address, o.Kind == op.ReadFrom || o.Want != op.Write}
}

// read has the reads of one task, at one moment, of what another task has written at one moment.
type read struct {
	access  // the first one
	of      position
	several bool // there are others

	next *read // of what was written at the same position

	sights []sight // of each address, the first ones

	data, ofData *clock.Clock // what the task knew before it, and the other one when it wrote
	both         *clock.Clock // see after; nil until it is needed
}

// after returns what the task knows after the read. It is computed only when needed.
func (r *read) after() *clock.Clock {
	if r.both == nil {
		r.both = clock.Join(r.data, r.ofData).With(int32(r.of.task), r.of.moment)
	}
	return r.both
}

// readers are the reads of what was written at a position, the first one first.
type readers struct{ first, last *read }

func (h *History) addReader(r *read) {
	all := h.reads[r.of]
	if all.first == nil {
		all.first = r
	} else {
		all.last.next = r
	}
	all.last = r
	h.reads[r.of] = all
}

// readsOf yields the reads of what was written at a position.
func (h *History) readsOf(x position) iter.Seq[*read] {
	return func(yield func(*read) bool) {
		for r := h.reads[x].first; r != nil && yield(r); r = r.next {
		}
	}
}

// passage is from where something was written to where it was read.
type passage struct{ of, at position }

// append adds an entry, and drops a quarter of them if there are too many.
func (h *History) append(e entry) {
	e.task.kept++
	h.log.push(e)
	h.seq++
	size := h.size
	if !h.anyKnowledge { // perhaps accesses are not recorded
		size = min(size, firstLog)
	}
	if h.log.count > size {
		h.drop(size/4 + 1)
	}
}

// noteRead notes a read of what another task has written. It comes before the conflicts of the same
// access or after them.
func (h *History) noteRead(o *op.Op) {
	is, of := accessOf(o), position{o.Other, o.OtherMoment}
	followsConflict := h.access == is // so what comes next is another access
	h.own, h.access = nil, access{}
	if x := h.first[passage{of, is.at}]; x != nil {
		x.several = true
		x.addSight(o)
		return
	}
	r := &read{access: is, of: of, data: o.Data, ofData: o.OtherData}
	if !followsConflict {
		h.own = r
	}
	r.addSight(o)
	h.first[passage{of, is.at}] = r
	h.addReader(r)
	h.append(entry{kind: entryRead, task: h.task(o.Task), k: o.Moment, data: o.Data, read: r})
}

// drop forgets the oldest entries. From then on they are in every prefix, with what comes before.
func (h *History) drop(n int) {
	var tasks []*task
	written := map[op.Task]int32{}
	h.log.drop(n, func(e *entry) {
		switch e.kind {
		case entryAcquire:
			e.task.dropFirst(e.section)
		case entryRelease:
			e.section.lock.carried = remove(e.section.lock.carried, e.section)
		case entryGo:
			if e.child.born != nil && e.child.born.k == e.k && e.child.born.parent == e.task {
				e.child.born = nil
			}
			e.child.kept--
			h.forget(e.child)
		case entryRead:
			h.dropRead(e.read)
			of := e.read.of
			written[of.task] = max(written[of.task], of.moment+1)
		}
		if !e.task.isDropping {
			e.task.isDropping = true
			tasks = append(tasks, e.task)
		}
		e.task.dropped = *e
		e.task.kept--
	})
	for t, k := range written {
		h.written = h.written.With(int32(t), k)
	}
	var last *clock.Clock // learnt, and so below dropped; the next one mostly shares memory with it
	learn := func(c *clock.Clock) {
		h.dropped = h.memory.Learn(h.dropped, c, last, int32(op.NoTask))
		last = c
	}
	for _, t := range tasks {
		learn(t.dropped.data)
		if r := t.dropped.read; r != nil { // the reader knows what the writer knew
			learn(r.ofData)
			h.dropped = h.dropped.With(int32(r.of.task), r.of.moment)
		}
		h.dropped = h.dropped.With(int32(t.id), t.dropped.k)
		t.isDropping, t.dropped = false, entry{}
		h.forget(t)
	}
}

// dropFirst drops the task's first section. Its end may be remembered, or may still come.
func (t *task) dropFirst(s *section) {
	t.begun.pop()
	s.use.begun.pop()
	s.lock.carried = append(s.lock.carried, s)
	if len(s.use.begun.all()) == 0 {
		t.unuse(s.use)
	}
	s.use, s.outer, s.write = nil, nil, nil
}

func (h *History) dropRead(r *read) {
	delete(h.first, passage{r.of, r.at})
	if r.next != nil {
		h.reads[r.of] = readers{r.next, h.reads[r.of].last}
	} else {
		delete(h.reads, r.of)
	}
	if h.own == r {
		h.own = nil
	}
}
