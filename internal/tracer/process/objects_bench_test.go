package process

import (
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
)

// BenchmarkCrowd is what a load of a variable costs that so many goroutines wait for in a loop, in
// turns. Each of them has done something that the others do not know of.
func BenchmarkCrowd(b *testing.B) {
	for _, n := range []uint64{8, 64, 512, 4096} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			p, err := New(testTable(), fakeSymbols{}, Options{Sparse: true, Watch: new(counter)})
			if err != nil {
				b.Fatal(err)
			}
			feed := func(r ring.Record) {
				if err := p.Feed(&r, func(*event.Event) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
			for i := range n {
				feed(goRec(1, 2+i))
				feed(rec(ring.KindAtomicRMW, 2+i, 8*i+100000, 0))
			}
			for i := uint64(0); b.Loop(); i++ {
				feed(rec(ring.KindAtomicLoad, 2+i%n, 1000, 0))
			}
		})
	}
}

// BenchmarkFree is what a channel costs that is made, used once and freed while so many others are
// there.
func BenchmarkFree(b *testing.B) {
	for _, n := range []uint64{100, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			p, err := New(testTable(), fakeSymbols{}, Options{Sparse: true, Watch: new(counter)})
			if err != nil {
				b.Fatal(err)
			}
			feed := func(r ring.Record) {
				if err := p.Feed(&r, func(*event.Event) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
			const size = 112
			for i := uint64(0); b.Loop(); i++ {
				at := 1<<20 + i%n*size
				feed(rec(ring.KindFree, 0, at, size))
				feed(rec(ring.KindMakeChan, 1, at, 2))
				feed(rec(ring.KindSend, 1, at, 0))
			}
		})
	}
}
