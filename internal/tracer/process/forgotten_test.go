package process

import (
	"runtime"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
)

func discard(*event.Event) error { return nil }

// Of a goroutine that has ended little more is left than where it came from and its place in
// clocks.
func TestForgettingOperations(t *testing.T) {
	p := newProcess(t, testTable(), Options{Sparse: true, Watch: new(counter)})
	ctx := uint64(1)
	use := func(goroutines int) uint64 {
		for range goroutines {
			ctx++
			for _, r := range []ring.Record{
				goRec(1, ctx), rec(ring.KindAcquire, ctx, 200, 200, ring.OpLock),
				rec(ring.KindRelease, ctx, 200, 200, ring.OpUnlock),
				rec(ring.KindAtomicLoad, ctx, 300, 0), rec(ring.KindSend, ctx, 400, ctx%8),
				rec(ring.KindRecv, 1, 400, ctx%8),
				rec(ring.KindMakeChan, ctx, 400+16*ctx, 0), rec(ring.KindFree, 0, 400+16*ctx, 16),
				rec(ring.KindReleaseMerge, ctx, 100, 100, ring.OpDone), rec(ring.KindEnd, ctx, 0, 0),
			} {
				if err := p.Feed(&r, discard); err != nil {
					t.Fatal(err)
				}
			}
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	const goroutines = 50000
	before := use(goroutines)
	after := use(goroutines)
	if each := (int64(after) - int64(before)) / goroutines; each > 100 {
		t.Errorf("an ended goroutine takes %d bytes", each)
	}
	if s := p.Stats(); s.Corrupt > 0 {
		t.Error(s.First)
	}
}
