package kripke

import (
	"errors"
	"hash/maphash"
	"math/bits"
	"slices"
)

// Numbering gives numbers to packed states: each state is a fixed number of words. It is for systems that make their states
// as they go. A state takes its words and some 8 bytes.
type Numbering struct {
	words  int
	packed [][]uint64 // of all states, one behind the other, columnChunk of them in each chunk
	count  int
	table  []State // open addressing; absent where there is no state; its length is a power of two
	seed   uint64
}

// absent marks a free place of a table.
const absent State = -1

// ErrStates says that a system has too many states to be numbered.
var ErrStates = errors.New("the system has more than 2147483647 states")

// NewNumbering returns a numbering of states of so many words.
func NewNumbering(words int) *Numbering {
	n := &Numbering{words: words, seed: maphash.Comparable(maphash.MakeSeed(), words)}
	n.table = free(1 << 8)
	return n
}

func free(size int) []State { return slices.Repeat([]State{absent}, size) }

// Len returns how many states have numbers.
func (n *Numbering) Len() int { return n.count }

// Packed returns the words of a state; they must not be changed.
func (n *Numbering) Packed(s State) []uint64 {
	at := int(uint(s)%columnChunk) * n.words
	return n.packed[uint(s)/columnChunk][at : at+n.words : at+n.words]
}

// Number returns the number of a state, the next one if it is new.
func (n *Numbering) Number(packed []uint64) (State, error) {
	i := n.find(packed)
	if n.table[i] != absent {
		return n.table[i], nil
	}
	if n.count >= MaxStates {
		return absent, ErrStates
	}
	s := State(n.count)
	n.table[i] = s
	n.keep(packed)
	if n.count++; n.count > len(n.table)/2+len(n.table)/4 {
		n.grow()
	}
	return s, nil
}

// keep adds the words of the next state. Only the first chunk is copied as it grows.
func (n *Numbering) keep(packed []uint64) {
	if n.count%columnChunk == 0 {
		var chunk []uint64
		if n.count > 0 {
			chunk = make([]uint64, 0, columnChunk*n.words)
		}
		n.packed = append(n.packed, chunk)
	}
	last := len(n.packed) - 1
	n.packed[last] = append(n.packed[last], packed...)
}

// find returns the place of a state in the table, or the free one where it belongs.
func (n *Numbering) find(packed []uint64) int {
	mask := len(n.table) - 1
	for i := int(n.hash(packed)) & mask; ; i = (i + 1) & mask {
		if s := n.table[i]; s == absent || slices.Equal(n.Packed(s), packed) {
			return i
		}
	}
}

// grow doubles the table.
func (n *Numbering) grow() {
	n.table = free(2 * len(n.table))
	mask := len(n.table) - 1
	for s := range State(n.count) {
		i := int(n.hash(n.Packed(s))) & mask
		for n.table[i] != absent {
			i = (i + 1) & mask
		}
		n.table[i] = s
	}
}

// hash mixes the words by products of 128 bits, as wyhash does. The seed keeps others from choosing states that collide.
func (n *Numbering) hash(packed []uint64) uint64 {
	const odd = 0x9e3779b97f4a7c15
	h := n.seed
	for _, w := range packed {
		high, low := bits.Mul64(w^odd^h, h|1)
		h = high ^ low + odd
	}
	high, low := bits.Mul64(h, odd)
	return high ^ low
}
