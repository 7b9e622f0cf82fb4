package unfolding

import (
	"encoding/binary"
	"slices"

	"github.com/bits-and-blooms/bitset"
)

func with(s *bitset.BitSet, e int) *bitset.BitSet { return s.Clone().Set(uint(e)) }

func without(s *bitset.BitSet, e int) *bitset.BitSet {
	if !s.Test(uint(e)) {
		return s
	}
	return s.Clone().Clear(uint(e))
}

// name returns a string that only equal sets have.
func name(s *bitset.BitSet) string {
	words := s.Words()
	for len(words) > 0 && words[len(words)-1] == 0 {
		words = words[:len(words)-1]
	}
	b := make([]byte, 0, 8*len(words))
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}

func contains(events []int, e int) bool { return slices.Contains(events, e) }
