package causality

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// sharedKnowledge is the knowledge that several tasks hand on through an object. Each task is kept apart from the others: when it
// hands on something again that costs nothing, while a clock of them all had to learn from it every time.
type sharedKnowledge struct {
	causalKnowledge
	events gathering         // that kept is still to be united with; see knows
	others []operationClocks // of other tasks, which mostly do not know of each other; most objects have none
	crowd  *crowd            // nil while these are few
}

// crowd finds one among many others.
type crowd struct {
	index map[op.Task]int32
	limit int // on others, which are looked through then
}

const (
	fewOthers = 16      // that are found fast enough without a crowd
	maxOthers = 1 << 15 // that are kept apart
	fewEvents = 16      // that others are united with as they come
)

// keep adds events that somebody hands on.
func (s *sharedKnowledge) keep(u *knowledge, k known) {
	if len(s.events) == 0 && s.kept.size() <= fewEvents {
		s.kept = u.union(s.kept, k)
		return
	}
	s.events = u.gather(s.events, k)
}

// knows returns the events that were handed on, before someone learns of them.
func (s *sharedKnowledge) knows(u *knowledge) known {
	if len(s.events) > 0 {
		s.kept = u.union(s.kept, u.unite(s.events))
		s.events = nil
	}
	return s.kept
}

// set forgets what was handed on before.
func (s *sharedKnowledge) set(to *causalKnowledge) {
	s.causalKnowledge, s.events, s.others = *to, nil, s.others[:0]
	if s.crowd != nil {
		s.others, s.crowd = nil, nil
	}
}

// forgetOperations is set for operations alone.
func (s *sharedKnowledge) forgetOperations() {
	if s == nil {
		return
	}
	s.ops, s.others, s.crowd = operationClocks{}, nil, nil
}

// add adds what somebody hands on. Nobody asks for the orders that do not have the relation.
func (s *sharedKnowledge) add(m *clock.Memory, ops *operationClocks, r relation) {
	if s.ops.replaced(ops) {
		return
	}
	if i := s.find(ops.task); i >= 0 {
		s.others[i] = *ops
		return
	}
	if s.crowd == nil {
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
		if s.crowd != nil {
			s.crowd.index[ops.task] = int32(len(s.others) - 1)
		}
	}
}

// find returns the index of a task in others, -1 if it is not there.
func (s *sharedKnowledge) find(task op.Task) int {
	if s.crowd == nil {
		return slices.IndexFunc(s.others, func(h operationClocks) bool { return h.task == task })
	}
	if i, ok := s.crowd.index[task]; ok {
		return int(i)
	}
	return -1
}

// forget forgets others of whom ops knows all, without an index.
func (s *sharedKnowledge) forget(ops *operationClocks, r relation) {
	s.others = slices.DeleteFunc(s.others, func(h operationClocks) bool { return ops.knows(&h, r) })
}

// makeRoom makes sure that another task can be kept apart, with what it hands on. Those of whom it knows need not be, nor those that have
// ended: they hand on nothing more. If most others are such, the next time is not before there are as many again.
func (s *sharedKnowledge) makeRoom(m *clock.Memory, ops *operationClocks, r relation) {
	limit := fewOthers
	if s.crowd != nil {
		limit = s.crowd.limit
	}
	if len(s.others) < limit {
		return
	}
	if s.crowd != nil {
		s.forget(ops, r)
		s.crowd = nil
	}
	if len(s.others) > limit/2 {
		s.merge(m, r, func(h *operationClocks) bool { return limit == maxOthers || h.past != nil && h.past.ended })
	}
	if len(s.others) < fewOthers {
		return
	}
	s.crowd = &crowd{make(map[op.Task]int32, len(s.others)), min(2*len(s.others), maxOthers)}
	for i := range s.others {
		s.crowd.index[s.others[i].task] = int32(i)
	}
}

// merge puts what such others know into clocks. The others are few then, or a crowd is to be made anew.
// What came here through the hands of one after the other mostly differs little from one to the next.
func (s *sharedKnowledge) merge(m *clock.Memory, r relation, such func(*operationClocks) bool) {
	var last clocks
	s.others = slices.DeleteFunc(s.others, func(h operationClocks) bool {
		merged := such(&h)
		if merged {
			s.ops.mergeAbove(m, &h, r, last)
			last = h.clocks
		}
		return merged
	})
	s.crowd = nil
}

// settle makes others few, before someone learns: many of them would cost everyone who does.
func (s *sharedKnowledge) settle(m *clock.Memory, r relation) {
	if s.crowd != nil {
		s.merge(m, r, func(*operationClocks) bool { return true })
		s.others = nil
	}
}
