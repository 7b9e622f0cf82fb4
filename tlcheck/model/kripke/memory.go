package kripke

import (
	"github.com/antichain-go/antichain/tlcheck/model/internal/column"
	"github.com/bits-and-blooms/bitset"
)

// Memory is a system that keeps the moves of some expanded states: those held, and some that were
// used recently. A depth-first search holds the states on its path, and rarely asks for others
// again; then their moves are computed again.
type Memory struct {
	System
	held     []heldState // the innermost one is last
	heldTo   column.Stack[State]
	heldBy   column.Stack[int32]
	recent   []expansion   // indexed by the lower bits of a state; the length is a power of two
	expanded bitset.BitSet // states that were ever expanded
	states   int           // number of these states
	moves    int           // number of their moves
	scratch  []Move
}

// expansion is the moves of a state. It is empty if they are unknown.
type expansion struct {
	state State
	to    []State
	by    []int32
}

// heldState is a state with the number of its moves.
type heldState struct {
	state State
	moves int32
}

// The number of recent expansions grows with the states, up to mostRecent, which take some 2 MB.
const (
	fewRecent  = 1 << 6
	mostRecent = 1 << 14
)

// Remember returns a memory of a system without expanded states.
func Remember(sys System) *Memory { return &Memory{System: sys, recent: make([]expansion, fewRecent)} }

// Expand computes the moves of s, if they are not known. A state without moves is a *DeadEndError.
func (m *Memory) Expand(s State) error {
	if m.expanded.Test(uint(s)) {
		return nil
	}
	x, err := m.find(s)
	if err != nil {
		return err
	}
	m.expanded.Set(uint(s))
	m.states++
	m.moves += len(x.to)
	return nil
}

// Hold expands s, and keeps its moves until it is released. States are released in the opposite
// order.
func (m *Memory) Hold(s State) error {
	if err := m.Expand(s); err != nil {
		return err
	}
	x := m.expandAgain(s)
	m.heldTo.Push(x.to)
	m.heldBy.Push(x.by)
	m.held = append(m.held, heldState{s, int32(len(x.to))})
	return nil
}

// Release releases the state that was held last.
func (m *Memory) Release() {
	last := len(m.held) - 1
	n := int(m.held[last].moves)
	m.heldTo.Pop(n)
	m.heldBy.Pop(n)
	m.held = m.held[:last]
}

// find returns the moves of s. They are valid until find is called for another state.
func (m *Memory) find(s State) (*expansion, error) {
	for int(s) >= len(m.recent) && len(m.recent) < mostRecent {
		m.recent = append(m.recent, make([]expansion, len(m.recent))...)
	}
	x := &m.recent[int(s)&(len(m.recent)-1)]
	if x.state == s && len(x.to) > 0 {
		return x, nil
	}
	var err error
	if m.scratch, err = m.Moves(m.scratch[:0], s); err != nil {
		return nil, err
	}
	if len(m.scratch) == 0 {
		return nil, &DeadEndError{s, Text(m, s)}
	}
	x.state, x.to, x.by = s, x.to[:0], x.by[:0]
	for _, move := range m.scratch {
		x.to, x.by = append(x.to, move.To), append(x.by, move.Process)
	}
	return x, nil
}

// Len returns the number of moves of all states that were expanded.
func (m *Memory) Len() int { return m.moves }

// Expanded returns the number of states that were expanded.
func (m *Memory) Expanded() int { return m.states }

// Successors returns the targets of the moves of s, in the order of Moves. s must have been
// expanded. The result must not be changed, and is valid until the next call for another state.
func (m *Memory) Successors(s State) []State {
	if n := m.heldMoves(s); n > 0 {
		return m.heldTo.Top(n)
	}
	return m.expandAgain(s).to
}

// MovedBy returns the processes of the moves of s, in the order of Successors.
func (m *Memory) MovedBy(s State) []int32 {
	if n := m.heldMoves(s); n > 0 {
		return m.heldBy.Top(n)
	}
	return m.expandAgain(s).by
}

// heldMoves returns the number of moves of s if it is the innermost held state, else 0.
func (m *Memory) heldMoves(s State) int {
	last := len(m.held) - 1
	if last < 0 || m.held[last].state != s {
		return 0
	}
	return int(m.held[last].moves)
}

// expandAgain returns the moves of a state that was expanded before.
func (m *Memory) expandAgain(s State) *expansion {
	x, err := m.find(s)
	if err != nil {
		panic(err) // they were computed before, so this cannot fail
	}
	return x
}
