package builtin

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// mark is an operation that is remembered: enough to ask others whether it comes before them.
type mark struct {
	task op.Task
	k    int32
	at   op.Place
	kind op.Kind
}

// markOf returns the mark of what the task of o does.
func markOf(o *op.Op, kind op.Kind) mark { return mark{o.Task, o.K, o.At, kind} }

// eventOf returns what the task of o does, and what it knew.
func eventOf(o *op.Op) event { return event{markOf(o, o.Kind), o.Full} }

// before reports whether the marked operation comes before what o tells, in the full order.
func (m *mark) before(o *op.Op) bool {
	switch m.task {
	case o.Task:
		return m.k < o.K
	case o.Other:
		if o.Kind == op.Handoff {
			return m.k < o.OtherK
		}
	}
	return o.Full.At(int32(m.task)) >= m.k
}

// within reports whether the marked operation is among those that a task with that clock knows, its
// own ones before k included.
func (m *mark) within(full *clock.Clock, task op.Task, k int32) bool {
	if m.task == task {
		return m.k < k
	}
	return full.At(int32(m.task)) >= m.k
}

func (m *mark) party(object op.Object, does string) Party {
	return Party{Task: m.task, Kind: m.kind, Object: object, At: m.at, Does: does}
}

func (m *mark) step(object op.Object) Step {
	return Step{Task: m.task, Other: op.NoTask, Kind: m.kind, Object: object, At: m.at, K: m.k}
}

// marks remembers of each task, place and kind of operation the last one. When there are too many,
// those that came first go.
type marks struct {
	list  []mark
	index map[markKey]int32 // nil while the list is short
	next  int               // the one to go next, once the list is full
	found int32             // by the last find in the index, may be out of date
}

type markKey struct {
	task op.Task
	at   op.Place
	kind op.Kind
}

const (
	fewMarks  = 8 // that are found fast enough without an index
	noMarkYet = -1
)

// add remembers m in the place of an earlier one; at most so many of all.
func (ms *marks) add(m mark, most int) {
	if i := ms.find(m); i != noMarkYet {
		ms.list[i].k = m.k
		return
	}
	if len(ms.list) < most {
		ms.list = append(ms.list, m)
		ms.indexed(len(ms.list) - 1)
		return
	}
	delete(ms.index, ms.list[ms.next].key())
	ms.list[ms.next] = m
	ms.indexed(ms.next)
	ms.next = (ms.next + 1) % most
}

// emptied returns no marks, with the memory of these if it is little.
func (ms *marks) emptied() marks {
	if cap(ms.list) > fewMarks {
		return marks{}
	}
	return marks{list: ms.list[:0]}
}

func (m *mark) key() markKey { return markKey{m.task, m.at, m.kind} }

func (ms *marks) find(m mark) int {
	if ms.index == nil {
		return slices.IndexFunc(ms.list, m.isLike)
	}
	if m.isLike(ms.list[ms.found]) {
		return int(ms.found)
	}
	i, ok := ms.index[m.key()]
	if !ok {
		return noMarkYet
	}
	ms.found = i
	return int(i)
}

// isLike reports whether x is in the place of m.
func (m *mark) isLike(x mark) bool { return x.task == m.task && x.at == m.at && x.kind == m.kind }

// indexed puts the mark at i into the index, which it makes if it is due.
func (ms *marks) indexed(i int) {
	switch {
	case ms.index != nil:
		ms.index[ms.list[i].key()] = int32(i)
	case len(ms.list) > fewMarks:
		ms.index = make(map[markKey]int32, 2*fewMarks)
		for i := range ms.list {
			ms.index[ms.list[i].key()] = int32(i)
		}
	}
}
