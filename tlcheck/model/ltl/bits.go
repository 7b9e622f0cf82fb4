package ltl

import "math/bits"

// bitset is a set of small numbers. Sets that are compared have the same capacity.
type bitset []uint64

func makeBits(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }
func (b bitset) set(i int)      { b[i/64] |= 1 << (i % 64) }

// in reports whether every element of b is one of c.
func (b bitset) in(c bitset) bool {
	for i, w := range b {
		if w&^c[i] != 0 {
			return false
		}
	}
	return true
}

// all calls yield with the elements, in order.
func (b bitset) all(yield func(int) bool) {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			if !yield(64*i + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}

// key returns a string that equal sets have in common.
func (b bitset) key() string {
	key := make([]byte, 0, 8*len(b)+1)
	for _, w := range b {
		for range 8 {
			key = append(key, byte(w))
			w >>= 8
		}
	}
	return string(key)
}
