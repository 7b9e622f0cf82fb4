package poset

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/slices"
)

// TestBetween compares the number of ideals between two with enumeration.
func TestBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := draw(t)
		_, g := allSlices(t, net)
		slice := rapid.Custom(func(t *rapid.T) slices.Ideal {
			return g.Slice(rapid.IntRange(0, g.Len()-1).Draw(t, "slice"))
		})
		c := New(net).NewCounter()
		for range 5 {
			lo, hi := slice.Draw(t, "lo"), slice.Draw(t, "hi")
			lo, hi = lo.Meet(hi), lo.Join(hi)
			want := int64(0)
			for n := range g.Len() {
				if i := g.Slice(n); lo.Leq(i) && i.Leq(hi) {
					want++
				}
			}
			if n := c.Between(context.Background(), lo.At, hi.At); !n.Exact() || n.Min.Int64() != want {
				t.Fatalf("%v ideals between %v and %v, not %d", n, lo, hi, want)
			}
		}
	})
}
