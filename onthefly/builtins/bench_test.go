package builtins

import (
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// locked returns a checker that has read operations of goroutines that lock and unlock.
func locked(b *testing.B, goroutines, rounds uint64) *Checker {
	k := New(&event.Header{Version: 2, Tasks: []string{"main"}, Operations: &event.Operations{}}, config)
	p := &program{}
	for g := range goroutines {
		p.add(ring.KindGo, 1, g+2, 0x500, 0)
	}
	for i := range rounds {
		for g := range goroutines {
			m := 0x1000 + 8*((g+i)%64)
			p.add(ring.KindAcquire, g+2, m, m, ring.OpLock)
			p.add(ring.KindRelease, g+2, m, m, ring.OpUnlock)
		}
	}
	for _, e := range p.events {
		k.Add(e)
	}
	return k
}

// BenchmarkSnapshot writes the state of a checker; its size grows with the goroutines and objects
// of the run, not with its length.
func BenchmarkSnapshot(b *testing.B) {
	for _, bench := range []struct {
		name               string
		goroutines, rounds uint64
	}{{"1 goroutine", 1, 1}, {"100 goroutines", 100, 10}, {"100 goroutines, longer", 100, 1000}, {"10000 goroutines", 10000, 2}} {
		b.Run(bench.name, func(b *testing.B) {
			k := locked(b, bench.goroutines, bench.rounds)
			size := 0
			for b.Loop() {
				w := snapshot.NewWriter()
				k.Snapshot(w)
				size = len(w.Bytes())
			}
			b.ReportMetric(float64(size), "B/snapshot")
			b.ReportMetric(float64(k.Bytes()), "B/checker")
		})
	}
}
