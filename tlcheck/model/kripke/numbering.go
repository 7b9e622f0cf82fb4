package kripke

import (
	"errors"
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/column"
)

// Numbering gives numbers to packed states, which have a fixed number of words. It is for systems
// that create states on demand. A state takes its words and about 8 bytes.
type Numbering struct {
	words  int
	packed [][]uint64 // all states; each chunk has column.Chunk of them
	count  int
	// table is a hash table with open addressing. Its length is a power of two greater than count.
	// An entry has the number of a state plus 1 in its lower bits, as many as the length needs, and
	// bits of the hash above. These bits nearly always avoid reading the words of another state,
	// which are not in the cache. 0 is a free entry.
	table []uint32
	seed  uint64
}

// absent is no state's number.
const absent State = -1

// ErrStates reports that a system has too many states to number.
var ErrStates = errors.New("the system has more than 2147483647 states")

// NewNumbering returns a numbering of states with this number of words.
func NewNumbering(words int) *Numbering {
	n := &Numbering{words: words, seed: maphash.Comparable(maphash.MakeSeed(), words)}
	n.table = make([]uint32, 1<<8)
	return n
}

// Len returns the number of numbered states.
func (n *Numbering) Len() int { return n.count }

// Packed returns the words of a state. The caller must not change them.
func (n *Numbering) Packed(s State) []uint64 {
	at := int(uint(s)%column.Chunk) * n.words
	return n.packed[uint(s)/column.Chunk][at : at+n.words : at+n.words]
}

// Number returns the number of a state. A new state gets the next number.
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

// keep stores the words of a new state. Only the first chunk is copied as it grows.
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

// find returns the index of a state in the table, or the free one for it, and the hash bits of its
// entry.
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

func (n *Numbering) state(entry uint32) State { return State(entry&uint32(len(n.table)-1)) - 1 }

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

// hash mixes the words by 128-bit products, as wyhash does. The random seed keeps inputs from
// choosing states that collide.
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
