package tableau

import "math/bits"

// set is a set of small numbers as bits. Sets that meet have the same length.
type set []uint64

// words returns how long sets of numbers below n are.
func words(n int) int { return (n + 63) / 64 }

func newSet(n int) set { return make(set, words(n)) }

func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }
func (s set) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s set) remove(i int)   { s[i>>6] &^= 1 << (i & 63) }

// join adds the elements of t.
func (s set) join(t set) {
	for i, w := range t {
		s[i] |= w
	}
}

// in reports whether all elements are in t.
func (s set) in(t set) bool {
	for i, w := range s {
		if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

// all calls yield with the elements, in order.
func (s set) all(yield func(int) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(i<<6 | bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}
