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

// A lock that Cond.Wait takes again is where Wait is called, though its record has no room for that.
func TestPlaceOfLockAfterWait(t *testing.T) {
	l := &lockPlaces{Watcher: op.Discard}
	order := New(Options{Watch: l, Symbols: shopSymbols{}, Keep: func(*event.Event) error { return nil }})
	records := []ring.Record{
		{Kind: ring.KindAcquire, Ctx: 1, Addr: 100, Arg: ring.OpCondWait, PC: [ring.PCs]uint64{inCond, inHandle}},
		{Kind: ring.KindAcquire, Ctx: 1, Addr: 200, Arg: ring.OpLock, PC: [ring.PCs]uint64{inLock, inMutex, inCond}},
		{Kind: ring.KindAcquire, Ctx: 1, Addr: 201, Arg: ring.OpLock, PC: [ring.PCs]uint64{inLock, inMutex, inFetch}},
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
