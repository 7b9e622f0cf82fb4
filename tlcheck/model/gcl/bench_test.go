package gcl_test

import (
	"runtime"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// BenchmarkExplore explores X1 with 10 processes: 452,709 states, 5.9 million moves.
func BenchmarkExplore(b *testing.B) {
	var g *kripke.Graph
	for b.Loop() {
		g = explore(b, load(b, "x1.gcl", parameters(10)))
	}
	if g.States() != 452709 {
		b.Fatalf("%d states", g.States())
	}
	b.ReportMetric(float64(g.Len())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mmoves/s")
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/1e6, "MB-kept")
	runtime.KeepAlive(g)
}
