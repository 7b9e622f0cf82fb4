package poset

import (
	"context"
	"math/big"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// Counter counts ideals between two others. Only one goroutine may use it.
type Counter struct{ counter }

// NewCounter returns a counter for the order.
func (p *Poset) NewCounter() *Counter {
	return &Counter{counter{p: p, local: make([]int32, p.Len())}}
}

// Between returns the number of ideals that have at least the first lo(t) and at most the first
// hi(t) events of every task t. Both must be ideals, the first one included in the second. Like
// Ideals it may return bounds.
func (c *Counter) Between(ctx context.Context, lo, hi func(san.Task) int) Bounds {
	c.ctx = ctx
	var part []int32
	for t := range san.Task(c.p.net.Tasks()) {
		for k := lo(t) + 1; k <= hi(t); k++ {
			a := san.Action{Task: t, K: int32(k)}
			if e := c.p.element(a); c.p.action[e] == a {
				part = append(part, e)
			}
		}
	}
	stdslices.Sort(part)
	return c.count(part)
}

// AtMost returns an upper bound for Between in negligible time: the number for independent tasks.
func AtMost(net *san.Net, lo, hi func(san.Task) int) *big.Int {
	return productOf(func(yield func(int64) bool) {
		for t := range san.Task(net.Tasks()) {
			if !yield(int64(hi(t) - lo(t))) {
				return
			}
		}
	})
}
