package kripke

import (
	"errors"
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/column"
)

// Numbering gives numbers to packed states: each state is a fixed number of words. It is for systems that make their states
// as they go. A state takes its words and some 8 bytes.
type Numbering struct {
	words  int
	packed [][]uint64 // of all states, one behind the other, column.Chunk of them in each chunk
	count  int
	// table finds states, by open addressing. Its length is a power of two, and more than count. An entry has the number of a state and 1 in as
	// many of its lower bits as such a length takes, and above that bits of the hash: so hardly ever are the words of another state
	// looked at, which are far away in memory. It is 0 where there is no state.
	table []uint32
	seed  uint64
}

// absent is the number of no state.
const absent State = -1

// ErrStates says that a system has too many states to be numbered.
var ErrStates = errors.New("the system has more than 2147483647 states")

// NewNumbering returns a numbering of states of so many words.
func NewNumbering(words int) *Numbering {
	n := &Numbering{words: words, seed: maphash.Comparable(maphash.MakeSeed(), words)}
	n.table = make([]uint32, 1<<8)
	return n
}

// Len returns how many states have numbers.
func (n *Numbering) Len() int { return n.count }

// Packed returns the words of a state; they must not be changed.
func (n *Numbering) Packed(s State) []uint64 {
	at := int(uint(s)%column.Chunk) * n.words
	return n.packed[uint(s)/column.Chunk][at : at+n.words : at+n.words]
}

// Number returns the number of a state, the next one if it is new.
func (n *Numbering) Number(packed []uint64) (State, error) {
	i, hashed := n.find(packed)
	if e := n.table[i]; e != 0 {
		return n.state(e), nil
	}
	if n.count >= MaxStates {
		return absent, ErrStates
	}
	n.keep(packed)
	n.count++
	n.table[i] = hashed | uint32(n.count)
	if n.count > len(n.table)/2+len(n.table)/4 {
		n.grow()
	}
	return State(n.count - 1), nil
}

// keep adds the words of the next state. Only the first chunk is copied as it grows.
func (n *Numbering) keep(packed []uint64) {
	if n.count%column.Chunk == 0 {
		var chunk []uint64
		if n.count > 0 {
			chunk = make([]uint64, 0, column.Chunk*n.words)
		}
		n.packed = append(n.packed, chunk)
	}
	last := len(n.packed) - 1
	n.packed[last] = append(n.packed[last], packed...)
}

// find returns the place of a state in the table, or the free one where it belongs, and the bits of the hash that its entry has.
func (n *Numbering) find(packed []uint64) (place int, hashed uint32) {
	mask := uint32(len(n.table) - 1)
	h := n.hash(packed)
	hashed = uint32(h>>32) &^ mask
	for i := uint32(h) & mask; ; i = (i + 1) & mask {
		e := n.table[i]
		if e == 0 || e&^mask == hashed && slices.Equal(n.Packed(n.state(e)), packed) {
			return int(i), hashed
		}
	}
}

// state returns the state of an entry.
func (n *Numbering) state(entry uint32) State { return State(entry&uint32(len(n.table)-1)) - 1 }

// grow doubles the table.
func (n *Numbering) grow() {
	n.table = make([]uint32, 2*len(n.table))
	mask := uint32(len(n.table) - 1)
	for s := range State(n.count) {
		h := n.hash(n.Packed(s))
		i := uint32(h) & mask
		for n.table[i] != 0 {
			i = (i + 1) & mask
		}
		n.table[i] = uint32(h>>32)&^mask | uint32(s+1)
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
