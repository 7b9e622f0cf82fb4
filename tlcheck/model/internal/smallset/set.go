// Package smallset provides sets of small numbers for algorithms that copy and compare very many
// sets, such as tableaux.
//
// A Set is a slice of words, so it can be a part of a larger array. The benchmarks compare it with
// bitset, which the other packages use.
package smallset

import (
	"encoding/binary"
	"iter"
	"math/bits"
)

// Set is a set of non-negative numbers. Operations on two sets need sets of equal length.
type Set []uint64

// Words returns the length of sets of numbers below n.
func Words(n int) int { return (n + 63) / 64 }

// New returns an empty set of numbers below n.
func New(n int) Set { return make(Set, Words(n)) }

func (s Set) Has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

func (s Set) Add(i int) { s[i>>6] |= 1 << (i & 63) }

func (s Set) Remove(i int) { s[i>>6] &^= 1 << (i & 63) }

// Join adds the elements of t.
func (s Set) Join(t Set) {
	for i, w := range t {
		s[i] |= w
	}
}

// In reports whether all elements of s are in t.
func (s Set) In(t Set) bool {
	for i, w := range s {
		if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

// All yields the elements in ascending order. Elements that are removed meanwhile may be yielded
// still.
func (s Set) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(i<<6 | bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// Key returns a string that is equal only for sets with the same elements and length.
func (s Set) Key() string {
	key := make([]byte, 0, 8*len(s)+1) // room for one more byte, which callers append
	for _, w := range s {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	return string(key)
}
