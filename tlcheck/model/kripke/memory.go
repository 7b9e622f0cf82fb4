package kripke

// Memory is a system that keeps the moves of the states that have been expanded. A search that ends before it has met all states
// needs no others.
type Memory struct {
	System
	rows    column[int32] // of each state that was met, the number of its list among those below, from 1; 0 if it was not expanded
	moves   lists
	movers  movers
	scratch []Move
}

// Remember returns a memory of a system, in which nothing has been expanded.
func Remember(sys System) *Memory {
	return &Memory{System: sys, movers: movers{known: map[uint64]int32{}}}
}

// Expand finds the moves of s, unless they are known. A state without moves is a *DeadEndError.
func (m *Memory) Expand(s State) error {
	for m.rows.len() <= int(s) {
		m.rows.add(0)
	}
	row := m.rows.place(int(s))
	if *row != 0 {
		return nil
	}
	var err error
	if m.scratch, err = m.Moves(m.scratch[:0], s); err != nil {
		return err
	}
	if len(m.scratch) == 0 {
		return &DeadEndError{s, Text(m, s)}
	}
	m.moves.add(m.scratch)
	m.movers.add(m.scratch)
	*row = int32(m.moves.first.len())
	return nil
}

// Len returns the number of moves of the states that have been expanded.
func (m *Memory) Len() int { return m.moves.n }

// Expanded returns how many states have been expanded.
func (m *Memory) Expanded() int { return m.moves.first.len() }

// Successors returns the state behind each move of s, which has been expanded, in the order of Moves; it must not be changed.
func (m *Memory) Successors(s State) []State { return m.moves.of(m.row(s)) }

// MovedBy returns the process of each move of s, beside Successors; it must not be changed.
func (m *Memory) MovedBy(s State) []int32 {
	row := m.row(s)
	return m.movers.of(row, len(m.moves.of(row)))
}

// row returns where the moves of a state stand in the lists.
func (m *Memory) row(s State) State { return State(m.rows.at(int(s)) - 1) }
