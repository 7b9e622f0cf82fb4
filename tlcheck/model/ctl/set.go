package ctl

import (
	"iter"
	"math/bits"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// set is a set of states: bit s is state s. All sets of a checker have the same length, and no bits behind the last state.
type set []uint64

func newSet(states int) set { return make(set, (states+63)/64) }

func (b set) has(s kripke.State) bool { return b[s>>6]&(1<<(s&63)) != 0 }
func (b set) add(s kripke.State)      { b[s>>6] |= 1 << (s & 63) }
func (b set) remove(s kripke.State)   { b[s>>6] &^= 1 << (s & 63) }

func (b set) count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// all yields the states in their order.
func (b set) all() iter.Seq[kripke.State] {
	return func(yield func(kripke.State) bool) {
		for i, w := range b {
			for ; w != 0; w &= w - 1 {
				if !yield(kripke.State(i<<6 | bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

func and(x, y set) set {
	r := make(set, len(x))
	for i := range r {
		r[i] = x[i] & y[i]
	}
	return r
}

func or(x, y set) set {
	r := make(set, len(x))
	for i := range r {
		r[i] = x[i] | y[i]
	}
	return r
}

// minus returns the states that are in x and not in y.
func minus(x, y set) set {
	r := make(set, len(x))
	for i := range r {
		r[i] = x[i] &^ y[i]
	}
	return r
}
