package linearizability

import (
	"cmp"
	"fmt"
	"slices"
)

// share is the part of a history at an object, or at an independent part of an object.
type share struct {
	model   Model
	ops     []*Operation
	index   []int   // by operation: its index in what was given
	class   []int32 // by operation: the same for the same method, arguments and result
	classes int
	looks   []bool // by operation: whether it observes
}

// divide returns the shares of a history, in the order of their first operations.
func divide(m Model, ops []*Operation) ([]*share, error) {
	type place struct{ object, part string }
	var all []*share
	at := map[place]*share{}
	validating, _ := m.(Validating)
	partitioned, _ := m.(Partitioned)
	for i, o := range ops {
		if validating != nil {
			if err := validating.Validate(o); err != nil {
				return nil, fmt.Errorf("operation %d: %w", i, err)
			}
		}
		p := place{object: o.Object}
		if partitioned != nil {
			p.part = partitioned.Part(o)
		}
		s := at[p]
		if s == nil {
			s = &share{model: m}
			at[p] = s
			all = append(all, s)
		}
		s.index = append(s.index, i)
		if o.Unfinished && o.Result != Unknown {
			open := *o
			open.Result = Unknown
			o = &open
		}
		s.ops = append(s.ops, o)
	}
	for _, s := range all {
		s.classify()
	}
	return all, nil
}

// classify finds the classes of operations, and the operations that observe.
func (s *share) classify() {
	observing, _ := s.model.(Observing)
	class := map[string]int32{}
	var key []byte
	for _, o := range s.ops {
		key = append(append(key[:0], o.Method...), '(')
		for _, a := range o.Arguments {
			key = appendValue(key, a)
		}
		if key = append(key, ')'); o.Result != Unknown {
			key = appendValue(key, o.Result)
		}
		c, ok := class[string(key)]
		if !ok {
			c = int32(len(class))
			class[string(key)] = c
		}
		s.class = append(s.class, c)
		s.looks = append(s.looks, observing != nil && observing.Observes(o))
	}
	s.classes = len(class)
}

// timeline is the order of calls and returns in a share.
type timeline struct {
	*share
	returns []int32 // the operations that return, in this order
	slots   []int32 // by operation: its place in windows; another operation has it after its return
	width   int     // the number of places

	// By return: the operations called before it, and not returned, in the order of their returns.
	// Those that never return are the first unfinished ones of open.
	pending    [][]int32
	open       []int32
	unfinished []int32
}

// event is a call or a return.
type event struct {
	at int64
	op int32
	is eventKind
}

type eventKind int8

const (
	called eventKind = iota // comes before a return at the same moment: neither precedes the other
	returned
)

func newTimeline(s *share) *timeline {
	t := &timeline{share: s, slots: make([]int32, len(s.ops))}
	var events []event
	for i, o := range s.ops {
		if o.Unfinished && s.looks[i] {
			continue // it can be left out
		}
		events = append(events, event{o.Call, int32(i), called})
		if !o.Unfinished {
			events = append(events, event{max(o.Call, o.Return), int32(i), returned})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.is, b.is))
	})
	rank := make([]int32, len(s.ops)) // of its return
	for _, e := range events {
		if e.is == returned {
			rank[e.op] = int32(len(t.returns))
			t.returns = append(t.returns, e.op)
		}
	}
	t.fill(events, rank)
	return t
}

// fill gives each operation its slot, and each return its pending operations.
func (t *timeline) fill(events []event, rank []int32) {
	var now, free []int32
	for _, e := range events {
		if e.is == returned {
			t.pending = append(t.pending, slices.Clone(now))
			t.unfinished = append(t.unfinished, int32(len(t.open)))
			now = now[1:] // it is the first to return
			free = append(free, t.slots[e.op])
			continue
		}
		if n := len(free); n > 0 {
			t.slots[e.op], free = free[n-1], free[:n-1]
		} else {
			t.slots[e.op] = int32(t.width)
			t.width++
		}
		if t.ops[e.op].Unfinished {
			t.open = append(t.open, e.op)
			continue
		}
		i, _ := slices.BinarySearchFunc(now, rank[e.op], func(o, r int32) int { return cmp.Compare(rank[o], r) })
		now = slices.Insert(slices.Clip(now), i, e.op)
	}
}
