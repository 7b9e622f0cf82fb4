package process

import (
	"testing"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ring"
)

// What ended goroutines did is forgotten once somebody has heard of all of it.
func TestForgetting(t *testing.T) {
	p := newProcess(t, testTable(), Options{})
	ctx := uint64(1)
	const workers = 50
	for range 20 {
		var records []ring.Record
		for range workers {
			ctx++
			records = append(records, goRec(1, ctx), enterRec(ctx), rec(ring.KindReleaseMerge, ctx, 100, 0, ring.OpDone),
				rec(ring.KindReleaseAcquire, ctx, 200, 0), rec(ring.KindEnd, ctx, 0, 0))
		}
		records = append(records, rec(ring.KindAcquire, 1, 100, 0, ring.OpWait))
		for i := range records {
			if err := p.Feed(&records[i], discard); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(p.objects[100].released.kept.events); n > workers {
			t.Fatalf("after %d goroutines the wait group knows %d events", ctx, n)
		}
		if n := len(p.objects[200].released.kept.events); n > workers {
			t.Fatalf("after %d goroutines the lock knows %d events", ctx, n)
		}
	}
	alive := 0
	p.goroutines.each(func(*goroutine) { alive++ })
	if alive != 1 {
		t.Errorf("%d goroutines are not forgotten", alive)
	}
}

func discard(*event.Event) error { return nil }
