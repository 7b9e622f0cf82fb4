package process

import (
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
)

// benchRecords is what a busy program shows: n goroutines that lock mutexes, send
// through channels, use atomics and the library's pools, and now and then call a
// traced function.
func benchRecords(n int) []ring.Record {
	var records []ring.Record
	for i := range n {
		records = append(records, goRec(1, uint64(2+i)))
	}
	for round := range 1000 {
		for i := range n {
			g, h := uint64(2+i), uint64(2+(i+1)%n)
			mutex := 1000 + uint64(8*((i*7+round)%64))
			records = append(records,
				rec(ring.KindAcquire, g, mutex, mutex, ring.OpLock),
				rec(ring.KindAtomicLoad, g, 5000, 0),
				rec(ring.KindRelease, g, mutex, mutex, ring.OpUnlock),
				rec(ring.KindSend, g, 6000, uint64(i)),
				rec(ring.KindRecv, h, 6000, uint64(i)),
				rec(ring.KindAcquire, g, 7000+uint64(8*(i%16)), 0),
				rec(ring.KindReleaseMerge, g, 7000+uint64(8*(i%16)), 0),
				rec(ring.KindAtomicRMW, g, 8000+uint64(8*i), 0),
			)
			if round%8 == 0 {
				records = append(records, enterRec(g), ring.Record{Kind: ring.KindExit, Ctx: g, Addr: exitG})
			}
		}
	}
	return records
}

func BenchmarkFeed(b *testing.B) {
	for _, goroutines := range []int{4, 100} {
		records := benchRecords(goroutines)
		for _, full := range []bool{false, true} {
			name := map[bool]string{false: "spec", true: "full"}[full]
			b.Run(name+"/"+map[int]string{4: "4", 100: "100"}[goroutines], func(b *testing.B) {
				b.ReportAllocs()
				fed := 0
				for b.Loop() {
					p, err := New(testTable(), fakeSymbols{}, Options{Full: full})
					if err != nil {
						b.Fatal(err)
					}
					for i := range records {
						if err := p.Feed(&records[i], func(*event.Event) error { return nil }); err != nil {
							b.Fatal(err)
						}
					}
					fed += len(records)
				}
				b.ReportMetric(float64(fed)/b.Elapsed().Seconds()/1e6, "Mrecords/s")
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(fed), "ns/record")
			})
		}
	}
}
