// Package candidate has what rules remember of operations to find violations: operations as marks,
// pairs of them that become findings, values for each object, and words.
package candidate

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Mark is a remembered operation: enough to decide whether it comes before others.
type Mark struct {
	Task op.Task
	K    int32
	At   op.Place
	Kind op.Kind
}

// MarkOf returns the mark of what the task of o does.
func MarkOf(o *op.Op, kind op.Kind) Mark { return Mark{o.Task, o.K, o.At, kind} }

// MarkOfOther returns the mark of what the other task of a Handoff does.
func MarkOfOther(o *op.Op, kind op.Kind) Mark { return Mark{o.Other, o.OtherK, o.OtherAt, kind} }

// Event is a remembered operation, and what its task knew.
type Event struct {
	Mark
	Full *clock.Clock
}

// Knows reports whether the marked operation comes before the event.
func (e *Event) Knows(m *Mark) bool { return m.Within(e.Full, e.Task, e.K) }

// EventOf returns what the task of o does, and what it knew.
func EventOf(o *op.Op) Event { return Event{MarkOf(o, o.Kind), o.Full} }

// Before reports whether the marked operation comes before o, in the full order.
func (m *Mark) Before(o *op.Op) bool {
	if o.Kind == op.Handoff && m.Task == o.Other {
		return m.K < o.OtherK
	}
	return m.Within(o.Full, o.Task, o.K)
}

// Within reports whether a task with that clock, at its operation k, knows the marked operation.
func (m *Mark) Within(full *clock.Clock, task op.Task, k int32) bool {
	if m.Task == task {
		return m.K < k
	}
	return full.At(int32(m.Task)) >= m.K
}

// Party returns the task as a party of a finding.
func (m *Mark) Party(object op.Object, does string) rule.Party {
	return rule.Party{Task: m.Task, Kind: m.Kind, Object: object, At: m.At, Does: does}
}

// Step returns the operation as one of a schedule. An atomic variable is no object.
func (m *Mark) Step(object op.Object) op.Step {
	if m.Kind == op.AtomicLoad || m.Kind == op.AtomicStore {
		object = 0
	}
	return op.Step{Task: m.Task, Other: op.NoTask, Kind: m.Kind, Object: object, At: m.At, K: m.K}
}

// Marks has the last operation of each task, place and kind. If there are too many, the first ones
// are dropped.
type Marks struct {
	List  []Mark
	index map[markKey]int32 // nil while the list is short
	next  int               // index of the next one to be replaced, once the list is full
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

// Add keeps m, in place of an earlier one like it. It keeps at most `most` marks.
func (ms *Marks) Add(m Mark, most int) {
	if i := ms.find(m); i != noMarkYet {
		ms.List[i].K = m.K
		return
	}
	if len(ms.List) < most {
		ms.List = append(ms.List, m)
		ms.addToIndex(len(ms.List) - 1)
		return
	}
	delete(ms.index, ms.List[ms.next].key())
	ms.List[ms.next] = m
	ms.addToIndex(ms.next)
	ms.next = (ms.next + 1) % most
}

// Emptied returns no marks, with the memory of these if it is little.
func (ms *Marks) Emptied() Marks {
	if cap(ms.List) > fewMarks {
		return Marks{}
	}
	return Marks{List: ms.List[:0]}
}

func (m *Mark) key() markKey { return markKey{m.Task, m.At, m.Kind} }

func (ms *Marks) find(m Mark) int {
	if ms.index == nil {
		for i := range ms.List {
			if m.isLike(&ms.List[i]) {
				return i
			}
		}
		return noMarkYet
	}
	if m.isLike(&ms.List[ms.found]) {
		return int(ms.found)
	}
	i, ok := ms.index[m.key()]
	if !ok {
		return noMarkYet
	}
	ms.found = i
	return int(i)
}

// isLike reports whether x has the task, place and kind of m.
func (m *Mark) isLike(x *Mark) bool { return x.Task == m.Task && x.At == m.At && x.Kind == m.Kind }

// addToIndex adds the mark at i to the index, which it makes once the list is long.
func (ms *Marks) addToIndex(i int) {
	switch {
	case ms.index != nil:
		ms.index[ms.List[i].key()] = int32(i)
	case len(ms.List) > fewMarks:
		ms.index = make(map[markKey]int32, 2*fewMarks)
		for i := range ms.List {
			ms.index[ms.List[i].key()] = int32(i)
		}
	}
}

// MaxCases limits the cases of a select statement, one for each bit. Larger statements are ignored.
const MaxCases = 32
