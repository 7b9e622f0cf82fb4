//go:build linux

package ring

import (
	"sync/atomic"
	"testing"
	"time"
)

// Look waits for the answer of a program that looks, and for no other.
func TestLook(t *testing.T) {
	r, err := Create(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	look := r.word32(OffLook)
	for _, unasked := range []uint32{0, LookDone} {
		*look = unasked
		if err := r.Look(time.Hour); err != nil || *look != unasked {
			t.Errorf("word %d: %v, then %d", unasked, err, *look)
		}
	}

	*look = LookReady
	go func() {
		for atomic.LoadUint32(look) != LookAsked {
			sleepFutex(look, LookReady, time.Hour)
		}
		atomic.StoreUint32(look, LookDone)
	}()
	if err := r.Look(time.Hour); err != nil || atomic.LoadUint32(look) != LookDone {
		t.Errorf("answered: %v, word %d", err, *look)
	}

	for _, word := range []uint32{0, LookAsked, LookDone} {
		*look = word
		if r.LookNow() || r.Looks() || *look != word {
			t.Errorf("word %d: looks while the program goes on, then %d", word, *look)
		}
	}
	*look = LookReady
	for range 2 {
		if !r.LookNow() || !r.Looks() || *look != LookNow {
			t.Errorf("does not look while the program goes on: word %d", *look)
		}
	}
	if *look = LookReady; r.Looks() {
		t.Error("looks when it has looked")
	}

	*look = LookNow
	if err := r.Look(time.Millisecond); err != nil || *look != LookAsked {
		t.Errorf("not answered: %v, word %d", err, *look)
	}
	*r.word64(OffProd) |= ClosedBit
	if err := r.Look(time.Hour); err != nil {
		t.Errorf("ended: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if r.Look(time.Hour) == nil {
		t.Error("a closed ring is asked")
	}
}
