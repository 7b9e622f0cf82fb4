//go:build linux

package ring

import (
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

func (p producer) word32(off int) *uint32 { return (*uint32)(unsafe.Pointer(&p.mem[off])) }

// ask asks for slots as a goroutine does that waits for them.
func (p producer) ask(end uint64) {
	atomic.StoreUint64(p.word(OffAsked), end)
	if atomic.LoadUint32(p.word32(OffAsleep)) != 0 {
		wakeFutex(p.word32(OffAsked))
	}
}

// A goroutine that asks wakes the consumer, and is woken when its slots are given back.
func TestAsk(t *testing.T) {
	r, p := newRing(t, minSlots)
	const rounds = 200
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		for i := range uint64(rounds) {
			p.put(&Record{Kind: KindEnd})
			p.ask(i + 1)
			for given := atomic.LoadUint64(p.word(OffCons)); given <= i; given = atomic.LoadUint64(p.word(OffCons)) {
				sleepFutex(p.word32(OffCons), uint32(given), time.Hour)
			}
		}
	}()
	records := 0
	yield := func(*Record) bool { records++; return true }
	if more, err := r.FollowInStep(exited, yield, func(bool) bool { return true }); !more || err != nil {
		t.Fatal(more, err)
	}
	if err := r.Drain(yield); err != nil || records != rounds {
		t.Errorf("%d records, %v", records, err)
	}
}

// The consumer sleeps unless a goroutine waits for slots.
func TestAwait(t *testing.T) {
	r, p := newRing(t, minSlots)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		for atomic.LoadUint32(p.word32(OffAsleep)) == 0 {
			time.Sleep(time.Millisecond)
		}
		p.ask(1)
	}()
	r.await(time.Hour)
	<-asked
	r.await(time.Hour) // nothing has been given back since
	if r.asked() != 1 {
		t.Errorf("asked for %d", r.asked())
	}
}
