package globalstates

import (
	"math/rand"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/slicestest"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/slices"
)

// TestEnumerate compares the two ways to enumerate.
func TestEnumerate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := santest.Config{Tasks: 5, Steps: 16, Frames: -1, Values: -1}
		c.Causes = rapid.SampledFrom([]int{-1, 20, 60}).Draw(t, "causes")
		c.Joints = rapid.SampledFrom([]int{-1, 20}).Draw(t, "joints")
		net := santest.Generate(santest.Rapid(t), c).MustBuild()
		l := slices.NewLattice(net)
		g, ok := slicestest.Enumerate(l, 50_000)
		if !ok {
			t.Skip("too many slices")
		}
		seen := make(map[int]bool)
		for counts := range Enumerate(net) {
			ints := make([]int, len(counts))
			for i, c := range counts {
				ints[i] = int(c)
			}
			i, ok := l.Ideal(ints)
			if !ok {
				t.Fatalf("%v is no ideal", counts)
			}
			n, _ := g.Index(i)
			if seen[n] {
				t.Fatalf("%v comes twice", counts)
			}
			seen[n] = true
		}
		if len(seen) != g.Len() {
			t.Errorf("%d slices, not %d", len(seen), g.Len())
		}
	})
}

// TestEnumerateStops is for a loop that is left early.
func TestEnumerateStops(t *testing.T) {
	net := santest.Generate(rand.New(rand.NewSource(1)), santest.Config{Tasks: 4}).MustBuild()
	n := 0
	for range Enumerate(net) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d slices before the end", n)
	}
}

// BenchmarkEnumerate enumerates the slices of tasks that do not communicate.
func BenchmarkEnumerate(b *testing.B) {
	net, err := workload.Config{Tasks: 4, Events: 40}.Net()
	if err != nil {
		b.Fatal(err)
	}
	slices := 0
	for b.Loop() {
		for range Enumerate(net) {
			slices++
		}
	}
	b.ReportMetric(float64(slices)/b.Elapsed().Seconds(), "slices/s")
}
