package linearizability

import (
	"context"
	"math/bits"
	"slices"
)

// search looks for an order of the operations of a timeline. It is at a return, in a state of the
// object, with a window: the set of the pending operations that are placed already. Each such
// position is visited once.
type search struct {
	*timeline
	states *states
	words  int // of a window

	// A visited position takes 2+words numbers: the return and the state, the position before and
	// the operation that led from there, the window.
	visited []uint64
	table   []int32  // by hash: 1 + the number of a position; 0 is free
	stack   []branch // the way to the present position

	seen []uint32 // by class: the last look at which one of it was pending
	look uint32
	at   []uint64 // the window of the position that is being made

	furthest int
	trail    *[]int32 // receives the operations that are placed, if it is not nil
}

// branch is a position that is not yet left in all ways.
type branch struct {
	position int32
	next     int32 // the first pending operation that has not been tried
}

func newSearch(s *share) *search {
	t := newTimeline(s)
	words := (t.width + 63) / 64
	return &search{
		timeline: t, states: newStates(s), words: words,
		table: make([]int32, 256), seen: make([]uint32, s.classes), at: make([]uint64, words),
	}
}

func (s *search) size() int { return 2 + s.words }

func (s *search) count() int { return len(s.visited) / s.size() }

func (s *search) has(op int32) bool {
	slot := s.slots[op]
	return s.at[slot/64]&(1<<(slot%64)) != 0
}

func (s *search) flip(op int32) {
	slot := s.slots[op]
	s.at[slot/64] ^= 1 << (slot % 64)
}

// none is the last position if there is no order.
const none int32 = -1

// run returns the last position if there is an order, and otherwise none. The second result is
// false if more positions would have to be left for that, or if the context ended before. Then it
// can be called again.
func (s *search) run(ctx context.Context, most int) (last int32, done bool) {
	if s.count() == 0 {
		e := s.settle(0, 0)
		if s.add(e, 0, 0, 0); e == len(s.returns) {
			return 0, true
		}
	}
	for n := 0; len(s.stack) > 0; n++ {
		if n == most || n%64 == 0 && ctx.Err() != nil {
			return none, false
		}
		if s.leave(&s.stack[len(s.stack)-1]) {
			return int32(s.count() - 1), true
		}
	}
	return none, true
}

// leave adds the next position that is one operation further, what returns first being tried first.
// If there is none left it is done with this one. It reports whether the position is at the end.
func (s *search) leave(from *branch) (end bool) {
	e, state := s.load(from.position)
	s.look++
	pending, open := s.pending[e], s.open[:s.unfinished[e]]
	for i := range int32(len(pending) + len(open)) {
		var op int32
		if int(i) < len(pending) {
			op = pending[i]
		} else {
			op = open[int(i)-len(pending)]
		}
		if s.has(op) || s.seen[s.class[op]] == s.look {
			continue
		}
		s.seen[s.class[op]] = s.look // of those that are alike, the first to return is enough
		if i < from.next {
			continue
		}
		after := s.states.step(state, op)
		if after == refused || after == state && s.ops[op].Unfinished {
			continue
		}
		s.flip(op)
		next := s.settle(e, after)
		from.next = i + 1
		if s.add(next, after, from.position, op) {
			return next == len(s.returns)
		}
		s.load(from.position)
	}
	s.stack = s.stack[:len(s.stack)-1]
	return false
}

// load makes the window of a position the present one.
func (s *search) load(position int32) (e int, state int32) {
	p := s.visited[int(position)*s.size():][:s.size()]
	copy(s.at, p[2:])
	return int(p[0] >> 32), int32(uint32(p[0]))
}

// settle goes on from a return, in a state, to the next one whose operation must be placed. It
// places operations that observe as soon as they can be: that spoils nothing.
func (s *search) settle(e int, state int32) int {
	for ; e < len(s.returns); e++ {
		op := s.returns[e]
		if !s.has(op) {
			if s.observe(e, state); !s.has(op) {
				return e
			}
		}
		s.flip(op) // its slot is free
	}
	return e
}

// observe places the pending observations that agree with a state.
func (s *search) observe(e int, state int32) {
	for _, op := range s.pending[e] {
		if s.looks[op] && !s.has(op) && s.states.step(state, op) == state {
			s.flip(op)
			if s.trail != nil {
				*s.trail = append(*s.trail, op)
			}
		}
	}
}

// add adds the position with the present window. It reports whether it was not visited before.
func (s *search) add(e int, state, from, op int32) bool {
	s.furthest = max(s.furthest, e)
	if 2*s.count() >= len(s.table) {
		s.grow()
	}
	head := uint64(e)<<32 | uint64(uint32(state))
	i := s.find(head, s.at)
	if s.table[i] != 0 {
		return false
	}
	n := int32(s.count())
	s.table[i] = n + 1
	s.visited = append(append(s.visited, head, uint64(uint32(from))<<32|uint64(uint32(op))), s.at...)
	s.stack = append(s.stack, branch{position: n})
	return true
}

// find returns where the table has a position, or has room for it.
func (s *search) find(head uint64, window []uint64) int {
	hash := mix(head)
	for _, w := range window {
		hash = mix(hash ^ w)
	}
	for i := int(hash & uint64(len(s.table)-1)); ; i = (i + 1) & (len(s.table) - 1) {
		n := s.table[i]
		if n == 0 {
			return i
		}
		p := s.visited[int(n-1)*s.size():][:s.size()]
		if p[0] == head && slices.Equal(p[2:], window) {
			return i
		}
	}
}

// mix spreads the bits of a number.
func mix(x uint64) uint64 {
	hi, lo := bits.Mul64(x^0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9)
	return hi ^ lo
}

// grow doubles the table.
func (s *search) grow() {
	s.table = make([]int32, 2*len(s.table))
	for n := range s.count() {
		p := s.visited[n*s.size():][:s.size()]
		s.table[s.find(p[0], p[2:])] = int32(n + 1)
	}
}

// order returns the operations in the order in which they are placed on the way to a position.
func (s *search) order(last int32) []int {
	var way []int32
	for p := last; p != 0; p = int32(s.visited[int(p)*s.size()+1] >> 32) {
		way = append(way, p)
	}
	slices.Reverse(way)
	var placed []int32
	s.trail = &placed
	clear(s.at)
	e, state := s.settle(0, 0), int32(0)
	for _, p := range way {
		op := int32(uint32(s.visited[int(p)*s.size()+1]))
		placed = append(placed, op)
		s.flip(op)
		state = int32(uint32(s.visited[int(p)*s.size()]))
		e = s.settle(e, state)
	}
	s.trail = nil
	order := make([]int, len(placed))
	for i, op := range placed {
		order[i] = s.index[op]
	}
	return order
}
