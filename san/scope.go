package san

import (
	"maps"
	stdslices "slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// scope has the variables bound in a frame, or in a task's own scope.
type scope struct {
	slots []slot         // in order of first binding
	index map[uint32]int // into slots, once there are many
}

type slot struct {
	name  uint32
	value [1]event.Value // an array, which can be sliced as a list of values
}

const manySlots = 12

// find returns the slot of a variable, or nil.
func (s *scope) find(name uint32) *slot {
	if len(s.slots) >= manySlots {
		if i, ok := s.index[name]; ok {
			return &s.slots[i]
		}
		return nil
	}
	for i := range s.slots {
		if s.slots[i].name == name {
			return &s.slots[i]
		}
	}
	return nil
}

func (s *scope) bind(name uint32, v event.Value) {
	if slot := s.find(name); slot != nil {
		slot.value[0] = v
		return
	}
	s.slots = append(s.slots, slot{name, [1]event.Value{v}})
	switch {
	case len(s.slots) == manySlots:
		s.index = make(map[uint32]int)
		for i := range s.slots {
			s.index[s.slots[i].name] = i
		}
	case len(s.slots) > manySlots:
		s.index[name] = len(s.slots) - 1
	}
}

func (s *scope) clone() scope { return scope{stdslices.Clone(s.slots), maps.Clone(s.index)} }

func (s *scope) clear() {
	clear(s.slots)
	s.slots, s.index = s.slots[:0], nil
}

func (s *scope) bindings(n *Net) []event.Binding {
	var bs []event.Binding
	for _, v := range s.slots {
		bs = append(bs, event.Binding{Name: n.vars.strs[v.name], Value: v.value[0]})
	}
	return bs
}
