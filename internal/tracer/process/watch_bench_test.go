package process

import (
	"math/rand/v2"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

type counter struct{ ops int }

func (c *counter) Op(*op.Op) { c.ops++ }

// Each case is what a program does again and again. ns/record is what matters: Feed is called for
// every operation of a program that is watched.
var watched = []struct {
	name  string
	round []ring.Record
}{
	{"lock", []ring.Record{
		rec(ring.KindAcquire, 2, 1000, 1000, ring.OpLock), rec(ring.KindRelease, 2, 1000, 1000, ring.OpUnlock),
	}},
	{"contended", []ring.Record{
		rec(ring.KindAcquire, 2, 1000, 1000, ring.OpLock), rec(ring.KindRelease, 2, 1000, 1000, ring.OpUnlock),
		rec(ring.KindAcquire, 3, 1000, 1000, ring.OpLock), rec(ring.KindRelease, 3, 1000, 1000, ring.OpUnlock),
	}},
	{"rwmutex", []ring.Record{
		rec(ring.KindAcquire, 2, 1004, 1000, ring.OpRLock), rec(ring.KindAcquire, 3, 1004, 1000, ring.OpRLock),
		rec(ring.KindReleaseMerge, 2, 1008, 1000, ring.OpRUnlock),
		rec(ring.KindReleaseMerge, 3, 1008, 1000, ring.OpRUnlock),
	}},
	{"ping", []ring.Record{rec(ring.KindHandoff, 2, 1000, 3), rec(ring.KindHandoff, 3, 2000, 2)}},
	{"buffered", []ring.Record{
		rec(ring.KindSend, 2, 1000, 0), rec(ring.KindRecv, 3, 1000, 0), rec(ring.KindSend, 3, 2000, 0),
		rec(ring.KindRecv, 2, 2000, 0),
	}},
	{"atomic", []ring.Record{
		rec(ring.KindAtomicRMW, 2, 1000, 0), rec(ring.KindAtomicRMW, 3, 1000, 0), rec(ring.KindAtomicLoad, 2, 1000, 0),
	}},
	{"map", lookups(5000, 20_000)},
	{"go", []ring.Record{
		rec(ring.KindMark, 1, 1000, 1000, ring.OpAdd|2<<ring.OpShift), goRec(1, 10), goRec(1, 11),
		rec(ring.KindReleaseMerge, 10, 1000, 1000, ring.OpDone), rec(ring.KindEnd, 10, 0, 0),
		rec(ring.KindReleaseMerge, 11, 1000, 1000, ring.OpDone), rec(ring.KindEnd, 11, 0, 0),
		rec(ring.KindAcquire, 1, 1000, 1000, ring.OpWait),
	}},
}

// lookups are n loads of many variables by two goroutines, and few stores, as in a sync.Map.
func lookups(variables, n int) []ring.Record {
	r := rand.New(rand.NewPCG(1, 2))
	records := make([]ring.Record, n)
	for i := range records {
		kind := ring.Kind(ring.KindAtomicLoad)
		if r.IntN(1000) == 0 {
			kind = ring.KindAtomicStore
		}
		records[i] = rec(kind, uint64(2+r.IntN(2)), 1<<20+48*uint64(r.IntN(variables)), 0)
	}
	return records
}

func BenchmarkWatch(b *testing.B) {
	for _, bm := range watched {
		for _, watch := range []bool{false, true} {
			name := map[bool]string{false: "/off", true: "/on"}[watch]
			b.Run(bm.name+name, func(b *testing.B) {
				b.ReportAllocs()
				opt := Options{Sparse: true}
				if watch {
					opt.Watch = new(counter)
				}
				p, err := New(testTable(), fakeSymbols{}, opt)
				if err != nil {
					b.Fatal(err)
				}
				feed := func(records []ring.Record) {
					for i := range records {
						if err := p.Feed(&records[i], func(*event.Event) error { return nil }); err != nil {
							b.Fatal(err)
						}
					}
				}
				feed([]ring.Record{goRec(1, 2), goRec(1, 3)})
				fed := 0
				for b.Loop() {
					feed(bm.round)
					fed += len(bm.round)
				}
				if s := p.Stats(); s.Corrupt > 0 {
					b.Fatal(s.First)
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(fed), "ns/record")
			})
		}
	}
}
