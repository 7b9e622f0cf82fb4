package kripke

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLists compares the lists of a graph with the added ones, also if they are longer than a
// chunk, and if more lists of processes differ than are shared.
func TestLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(0, 4), rapid.IntRange(minChunk-1, minChunk+1),
			rapid.Just(maxChunk+1)), 1, 20)
		random := uint64(rapid.Uint64().Draw(t, "random"))
		few := rapid.Bool().Draw(t, "few")
		var l lists
		m := movers{known: map[uint64]int32{}}
		var all [][]Move
		n := 0
		for range rapid.IntRange(1, 20).Draw(t, "times") {
			for _, length := range lengths.Draw(t, "lengths") {
				moves := make([]Move, length)
				for i := range moves {
					random = random*0x5851f42d4c957f2d + 1
					moves[i] = Move{To: State(random >> 33), Process: int32(random>>40) - 1}
					if few {
						moves[i].Process = int32(i/2) - 1
					}
				}
				l.add(moves)
				m.add(moves)
				all = append(all, moves)
				n += length
			}
		}
		if l.n != n {
			t.Fatalf("%d moves, want %d", l.n, n)
		}
		if few && len(m.first) > 10 {
			t.Fatalf("%d lists of processes, and few differ", len(m.first))
		}
		nonempty := make([]int, len(l.chunks)) // lists, by chunk
		for s, moves := range all {
			if len(moves) > 0 {
				nonempty[l.first.At(s)>>32]++
			}
		}
		for i, chunk := range l.chunks {
			if len(chunk) > maxChunk && nonempty[i] > 1 {
				t.Fatalf("chunk %d has %d states of %d lists", i, len(chunk), nonempty[i])
			}
		}
		for s, moves := range all {
			var to []State
			var by []int32
			for _, move := range moves {
				to = append(to, move.To)
				by = append(by, move.Process)
			}
			if got := l.list(State(s)); !slices.Equal(got, to) {
				t.Fatalf("state %d: successors %v, want %v", s, got, to)
			}
			if got := m.list(State(s), len(moves)); !slices.Equal(got, by) {
				t.Fatalf("state %d: processes %v, want %v", s, got, by)
			}
		}
	})
}

// TestListsThatCollide has a hash under which there is another list, and no room for more hashes.
func TestListsThatCollide(t *testing.T) {
	m := movers{known: map[uint64]int32{}}
	m.add([]Move{{Process: 1}, {Process: 2}})
	other := movers{known: map[uint64]int32{}}
	other.add([]Move{{Process: 3}})
	for hash := range other.known {
		m.known[hash] = 0 // not that list
	}
	for i := range maxKnown {
		m.known[uint64(i)] = 0
	}
	for range 2 {
		m.add([]Move{{Process: 3}})
		m.add([]Move{{Process: 4}})
	}
	for s, want := range [][]int32{{1, 2}, {3}, {4}, {3}, {4}} {
		if got := m.list(State(s), len(want)); !slices.Equal(got, want) {
			t.Errorf("state %d: %v, want %v", s, got, want)
		}
	}
}
