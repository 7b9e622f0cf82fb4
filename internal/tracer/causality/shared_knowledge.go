package causality

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// sharedKnowledge is the knowledge that several tasks hand on through an object. Each task is kept
// apart: then handing on something again costs nothing, while a clock of them all would have to
// learn from it every time.
type sharedKnowledge struct {
	causalKnowledge
	events pendingUnion // not yet united with kept; see handedOn
	// operations of further tasks, which mostly do not know each other; nil for most objects
	others    []operationClocks
	taskIndex *taskIndex // nil while these are few
}

// taskIndex indexes many others by task.
type taskIndex struct {
	index map[op.Task]int32
	limit int // on the length of others before the next search for superfluous ones
}

const (
	fewOthers = 16      // searched fast enough without an index
	maxOthers = 1 << 15 // that are kept apart
	fewEvents = 16      // united with others as they come
)

// addEvents adds events that a task hands on.
func (s *sharedKnowledge) addEvents(u *knowledge, k known) {
	if len(s.events) == 0 && s.kept.size() <= fewEvents {
		s.kept = u.union(s.kept, k)
		return
	}
	s.events = u.gather(s.events, k)
}

// handedOn returns the events that were handed on, before a task learns of them.
func (s *sharedKnowledge) handedOn(u *knowledge) known {
	if len(s.events) > 0 {
		s.kept = u.union(s.kept, u.unite(s.events))
		s.events = nil
	}
	return s.kept
}

// set replaces what was handed on before.
func (s *sharedKnowledge) set(to *causalKnowledge) {
	s.causalKnowledge, s.events, s.others = *to, nil, s.others[:0]
	if s.taskIndex != nil {
		s.others, s.taskIndex = nil, nil
	}
}

// forgetOperations is set for operations alone.
func (s *sharedKnowledge) forgetOperations() {
	if s != nil {
		s.ops, s.others, s.taskIndex = operationClocks{}, nil, nil
	}
}

// add adds the operations that a task hands on. Orders without the relation are not used.
func (s *sharedKnowledge) add(m *clock.Memory, ops *operationClocks, r relation) {
	if s.ops.tryReplace(ops) {
		return
	}
	if i := s.find(ops.task); i >= 0 {
		s.others[i] = *ops
		return
	}
	if s.taskIndex == nil {
		s.forget(ops, r)
	}
	switch {
	case ops.knows(&s.ops, r):
		s.ops = *ops
	case ops.task == op.NoTask:
		s.ops.merge(m, ops, r)
	default:
		s.makeRoom(m, ops, r)
		s.others = append(s.others, *ops)
		if s.taskIndex != nil {
			s.taskIndex.index[ops.task] = int32(len(s.others) - 1)
		}
	}
}

// find returns the index of a task in others, -1 if it is not there.
func (s *sharedKnowledge) find(task op.Task) int {
	if s.taskIndex == nil {
		return slices.IndexFunc(s.others, func(h operationClocks) bool { return h.task == task })
	}
	if i, ok := s.taskIndex.index[task]; ok {
		return int(i)
	}
	return -1
}

// forget drops those of others that ops knows entirely. It does not maintain the index.
func (s *sharedKnowledge) forget(ops *operationClocks, r relation) {
	s.others = slices.DeleteFunc(s.others, func(h operationClocks) bool { return ops.knows(&h, r) })
}

// makeRoom ensures that another task, which hands on ops, can be kept apart. It drops tasks that
// ops knows and merges ended ones, which hand on nothing more. If most others remain, the next
// search is not before their number has doubled.
func (s *sharedKnowledge) makeRoom(m *clock.Memory, ops *operationClocks, r relation) {
	limit := fewOthers
	if s.taskIndex != nil {
		limit = s.taskIndex.limit
	}
	if len(s.others) < limit {
		return
	}
	if s.taskIndex != nil {
		s.forget(ops, r)
		s.taskIndex = nil
	}
	if len(s.others) > limit/2 {
		s.mergeMatching(m, r, func(h *operationClocks) bool {
			return limit == maxOthers || h.past != nil && h.past.ended
		})
	}
	if len(s.others) < fewOthers {
		return
	}
	s.taskIndex = &taskIndex{make(map[op.Task]int32, len(s.others)), min(2*len(s.others), maxOthers)}
	for i := range s.others {
		s.taskIndex.index[s.others[i].task] = int32(i)
	}
}

// mergeMatching merges the matching others into ops, each relative to the one before, from which it
// mostly differs little. It drops taskIndex: the caller leaves few others, or builds it again.
func (s *sharedKnowledge) mergeMatching(m *clock.Memory, r relation, such func(*operationClocks) bool) {
	var last clocks
	s.others = slices.DeleteFunc(s.others, func(h operationClocks) bool {
		merged := such(&h)
		if merged {
			s.ops.mergeAbove(m, &h, r, last)
			last = h.clocks
		}
		return merged
	})
	s.taskIndex = nil
}

// settle merges others, if they are many, before a task learns: each reader would pay for them.
func (s *sharedKnowledge) settle(m *clock.Memory, r relation) {
	if s.taskIndex != nil {
		s.mergeMatching(m, r, func(*operationClocks) bool { return true })
		s.others = nil
	}
}
