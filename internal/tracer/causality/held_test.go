package causality

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// Two values are equal if and only if the sections are, in whatever order they began.
func TestHeldLocks(t *testing.T) {
	ends := map[uint8]uint8{ring.OpLock: ring.OpUnlock, ring.OpRLock: ring.OpRUnlock}
	type section struct {
		lock uint64
		op   uint8
	}
	less := func(a, b section) int { return int(a.lock)*10 + int(a.op) - int(b.lock)*10 - int(b.op) }
	rapid.Check(t, func(t *rapid.T) {
		draw := func() (h heldLocks, open []section) {
			for range rapid.IntRange(0, 6).Draw(t, "operations") {
				if len(open) > 0 && rapid.Bool().Draw(t, "leaves") {
					i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
					h.leave(&ring.Record{Addr: open[i].lock, Aux: open[i].lock, Arg: uint64(ends[open[i].op])})
					open = slices.Delete(open, i, i+1)
					continue
				}
				s := section{rapid.Uint64Range(1, 3).Draw(t, "lock"),
					rapid.SampledFrom([]uint8{ring.OpLock, ring.OpRLock}).Draw(t, "op")}
				// as an RWMutex does
				h.enter(&ring.Record{Addr: s.lock + 8, Aux: s.lock, Arg: uint64(s.op)})
				open = append(open, s)
			}
			slices.SortFunc(open, less)
			return h, open
		}
		a, ofA := draw()
		b, ofB := draw()
		same := slices.Equal(ofA, ofB)
		if (a == b) != same {
			t.Fatalf("%v and %v: %v %v", ofA, ofB, a, b)
		}
	})
}
