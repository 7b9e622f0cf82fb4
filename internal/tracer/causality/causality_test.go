package causality

import (
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
)

// newOrder returns the Order of a run whose function entries are kept.
func newOrder() *Order {
	var p *Order
	p = New(Options{Keep: func(*event.Event) error { return nil }, Traced: func(rec *ring.Record) {
		p.Event().Enter = "f"
		p.Enter(rec.Ctx, Frame{Name: "f"})
	}})
	return p
}

// The events of ended goroutines are freed once another goroutine has learnt all of them.
func TestForgetting(t *testing.T) {
	p := newOrder()
	ctx := uint64(1)
	const workers = 50
	for range 20 {
		var records []ring.Record
		for range workers {
			ctx++
			records = append(records, ring.Record{Kind: ring.KindGo, Ctx: 1, Addr: ctx},
				ring.Record{Kind: ring.KindEnter, Ctx: ctx},
				ring.Record{Kind: ring.KindReleaseMerge, Ctx: ctx, Addr: 100, Arg: ring.OpDone},
				ring.Record{Kind: ring.KindReleaseAcquire, Ctx: ctx, Addr: 200},
				ring.Record{Kind: ring.KindEnd, Ctx: ctx})
		}
		records = append(records, ring.Record{Kind: ring.KindAcquire, Ctx: 1, Addr: 100, Arg: ring.OpWait})
		for i := range records {
			if err := p.Feed(&records[i]); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(p.object(100).released.kept.order.events); n > workers {
			t.Fatalf("after %d goroutines the wait group knows %d events", ctx, n)
		}
		if n := len(p.object(200).released.kept.order.events); n > workers {
			t.Fatalf("after %d goroutines the lock knows %d events", ctx, n)
		}
	}
	alive := 0
	p.goroutines.each(func(*goroutine) { alive++ })
	if alive != 1 {
		t.Errorf("%d goroutines are not forgotten", alive)
	}
}

// A lock that is never recorded does not keep the others waiting.
func TestPostponedIsBounded(t *testing.T) {
	p := newOrder()
	records := []ring.Record{{Kind: ring.KindGo, Ctx: 1, Addr: 2},
		{Kind: ring.KindTry, Ctx: 2, Addr: 100, Aux: 100, Arg: ring.OpLock | 1000<<ring.OpShift}}
	for range maxPostponed + 10 {
		records = append(records, ring.Record{Kind: ring.KindAtomicLoad, Ctx: 1, Addr: 300})
	}
	for i := range records {
		if err := p.Feed(&records[i]); err != nil {
			t.Fatal(err)
		}
		if n := len(p.postponed.records); n > maxPostponed {
			t.Fatalf("%d records wait", n)
		}
	}
	if p.postponed.lock != 0 {
		t.Error("the last record still waits")
	}
}
