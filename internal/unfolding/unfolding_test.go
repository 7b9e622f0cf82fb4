package unfolding

import (
	"math/rand/v2"
	"testing"
)

// TestAllOrders compares the orders of random programs with those of all of their interleavings.
func TestAllOrders(t *testing.T) {
	programs, orders, runs, interleaved := 0, 0, 0, 0
	for seed := uint64(0); programs < 1000; seed++ {
		p := randomToy(rand.New(rand.NewPCG(seed, 7)), seed%2 == 0)
		want, all := p.brute(5000)
		if !all {
			continue
		}
		programs++
		got := map[string]int{}
		x := New(p, p.initial(), func(o Order) error {
			w := p.world()
			for _, s := range o.Steps {
				w.do(s)
			}
			got[w.order()]++
			return nil
		})
		if err := x.Explore(); err != nil {
			t.Fatalf("seed %d: %v\n%+v", seed, err, p)
		}
		for o := range want {
			if got[o] != 1 {
				t.Fatalf("seed %d: an order was reached %d times:\n%s\n%+v", seed, got[o], o, p)
			}
		}
		if len(got) != len(want) || x.Counts.DeadEnds > 0 {
			t.Fatalf("seed %d: %d orders instead of %d, %d dead ends\n%+v", seed, len(got), len(want), x.Counts.DeadEnds, p)
		}
		orders += len(want)
		runs += x.Counts.Runs
	}
	_ = interleaved
	t.Logf("%d programs, %d orders, %d runs", programs, orders, runs)
}

func (t *toy) initial() (all []Goroutine) {
	for g, started := range t.started {
		if started {
			all = append(all, Goroutine(g))
		}
	}
	return all
}
