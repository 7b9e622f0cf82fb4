package slices_test

import (
	"testing"

	"github.com/antichain-go/antichain/internal/slicestest"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/slices"
)

// BenchmarkEnumerate lists the slices of small runs of every pattern.
func BenchmarkEnumerate(b *testing.B) {
	for _, p := range workload.Patterns() {
		c := workload.Config{Pattern: p, Variant: workload.Violated, Tasks: 4, Events: 20, Seed: 1}
		net, err := c.Net()
		if err != nil {
			b.Fatal(err)
		}
		b.Run(p.String(), func(b *testing.B) {
			n := 0
			for b.Loop() {
				g, ok := slicestest.Enumerate(slices.NewLattice(net), 1_000_000)
				if !ok {
					b.Fatal("more slices than expected")
				}
				n += g.Len()
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "slices/s")
		})
	}
}

// BenchmarkScheduleMany orders all actions of runs of many tasks.
func BenchmarkScheduleMany(b *testing.B) {
	for _, p := range workload.Patterns() {
		net, err := workload.Config{Pattern: p, Tasks: 1000, Events: 10, Seed: 1}.Net()
		if err != nil {
			b.Fatal(err)
		}
		b.Run(p.String(), func(b *testing.B) {
			lat := slices.NewLattice(net)
			for b.Loop() {
				if n := len(lat.Schedule(lat.Bottom(), lat.Top())); n != net.Actions() {
					b.Fatalf("%d of %d actions", n, net.Actions())
				}
			}
		})
	}
}
