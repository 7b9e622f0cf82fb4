package causality

import (
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// lockPlaces keeps where locks are taken.
type lockPlaces struct {
	op.Watcher
	places []op.Place
}

func (l *lockPlaces) Op(o *op.Op) {
	if o.Kind == op.Lock {
		l.places = append(l.places, o.At)
	}
}

// A lock that Cond.Wait takes again is where Wait is called. Its record has no room for that place.
func TestPlaceOfLockAfterWait(t *testing.T) {
	l := &lockPlaces{Watcher: op.Discard}
	order := New(Options{
		Watch: l, Symbols: shopSymbols{}, Keep: func(*event.Event) error { return nil },
	})
	acquire := func(addr, did uint64, at ...uint64) ring.Record {
		r := ring.Record{Kind: ring.KindAcquire, Ctx: 1, Addr: addr, Arg: did}
		copy(r.PC[:], at)
		return r
	}
	records := []ring.Record{
		acquire(100, ring.OpCondWait, inCond, inHandle),
		acquire(200, ring.OpLock, inLock, inMutex, inCond),
		acquire(201, ring.OpLock, inLock, inMutex, inFetch),
	}
	for i := range records {
		if err := order.Feed(&records[i]); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"main.go:2", "main.go:3"}
	if len(l.places) != len(want) {
		t.Fatalf("%d locks, want %d", len(l.places), len(want))
	}
	for i, place := range l.places {
		if got := order.Place(place); got.At != want[i] || !got.Called {
			t.Errorf("lock %d is at %+v, want %s", i, got, want[i])
		}
	}
}
