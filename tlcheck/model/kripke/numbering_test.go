package kripke

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/internal/column"
)

// TestNumberingOfMany has states in several chunks, and asks for their numbers once more.
func TestNumberingOfMany(t *testing.T) {
	for words := range 4 {
		count := 2*column.Chunk + 3
		if words == 0 {
			count = 1 // there is no other state of no words
		}
		n := NewNumbering(words)
		state := func(s int) []uint64 { return slices.Repeat([]uint64{uint64(s) * 0x9e3779b97f4a7c15}, words) }
		for range 2 {
			for s := range count {
				if got, err := n.Number(state(s)); err != nil || got != State(s) {
					t.Fatalf("%d words: number %d, %v, want %d", words, got, err, s)
				}
			}
		}
		for s := range count {
			if got := n.Packed(State(s)); !slices.Equal(got, state(s)) {
				t.Fatalf("%d words: state %d is %v", words, s, got)
			}
		}
		if n.Len() != count {
			t.Errorf("%d words: %d states", words, n.Len())
		}
	}
}
