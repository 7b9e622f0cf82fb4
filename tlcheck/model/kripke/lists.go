package kripke

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/column"
)

// lists are lists of states, one for each state. Chunks avoid copying as they grow, since memory is
// the limit for large graphs.
type lists struct {
	chunks [][]State // each list lies within one chunk
	// start of each list: the number of the chunk, and in the lower half the offset in it
	first column.Column[uint64]
	n     int // total length of all lists
}

// A chunk is twice as long as the one before, up to maxChunk, unless a single list is longer.
const (
	minChunk = 1 << 6
	maxChunk = 1 << 16
)

// add adds the list of the next state: the targets of its moves.
func (l *lists) add(moves []Move) {
	last := len(l.chunks) - 1
	switch {
	case last < 0:
		l.chunks, last = [][]State{make([]State, 0, max(minChunk, len(moves)))}, 0
	case cap(l.chunks[last])-len(l.chunks[last]) < len(moves):
		l.chunks = append(l.chunks, make([]State, 0, max(min(2*cap(l.chunks[last]), maxChunk), len(moves))))
		last++
	}
	l.first.Add(uint64(last)<<32 | uint64(len(l.chunks[last])))
	for _, m := range moves {
		l.chunks[last] = append(l.chunks[last], m.To)
	}
	l.n += len(moves)
}

// list returns the list of a state. It ends where the next list in its chunk begins.
func (l *lists) list(s State) []State {
	begin := l.first.At(int(s))
	chunk := l.chunks[begin>>32]
	if next := int(s) + 1; next < l.first.Len() {
		if end := l.first.At(next); end>>32 == begin>>32 {
			chunk = chunk[:uint32(end)]
		}
	}
	return chunk[uint32(begin):]
}

// movers has the processes of the moves of each state. Few such lists differ, so equal ones are
// stored once.
type movers struct {
	lists column.Column[int32] // of each state, the index of its list
	first []int64              // start of each list in all
	all   []int32
	known map[uint64]int32 // indices of lists by hash; nil after maxKnown lists
	row   []int32
}

// maxKnown limits the lists that are compared. If there are more, they rarely repeat.
const maxKnown = 1 << 16

// add adds the list of the next state.
func (m *movers) add(moves []Move) {
	m.row = m.row[:0]
	hash := uint64(len(moves))
	for _, move := range moves {
		m.row = append(m.row, move.Process)
		hash = (hash ^ uint64(uint32(move.Process))) * 0x9e3779b97f4a7c15
		hash ^= hash >> 32
	}
	list, ok := m.known[hash]
	if !ok || !m.stands(list) {
		list = int32(len(m.first))
		m.first = append(m.first, int64(len(m.all)))
		m.all = append(m.all, m.row...)
		if len(m.known) < maxKnown {
			m.known[hash] = list
		}
	}
	m.lists.Add(list)
}

// stands reports whether a list begins with the processes of row, and so can serve for it.
func (m *movers) stands(list int32) bool {
	there := m.all[m.first[list]:]
	return len(there) >= len(m.row) && slices.Equal(there[:len(m.row)], m.row)
}

// list returns the list of a state with this number of moves.
func (m *movers) list(s State, moves int) []int32 {
	begin := m.first[m.lists.At(int(s))]
	return m.all[begin : begin+int64(moves)]
}
