package process

import (
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// TestFinalizersComeAfterTries tests that finalizers come after all that there was, also after what
// a goroutine has found in vain since its last operation.
func TestFinalizersComeAfterTries(t *testing.T) {
	const tried, told, handed = 0x100, 0x200, 0x300
	lock := func(ctx, m uint64) ring.Record { return rec(ring.KindAcquire, ctx, m, m, ring.OpLock) }
	unlock := func(ctx, m uint64) ring.Record { return rec(ring.KindRelease, ctx, m, m, ring.OpUnlock) }
	const main, trier, holder, finalizer = 1, 2, 3, 9
	records := []ring.Record{
		rec(ring.KindGo, main, trier, 0), rec(ring.KindGo, main, holder, 0),
		rec(ring.KindThreadStart, finalizer, 0, 8), rec(ring.KindFinGo, finalizer, 0, 0),
		lock(finalizer, handed), unlock(finalizer, handed),
		lock(main, handed), unlock(main, handed),
		lock(trier, told), unlock(trier, told),
		lock(holder, tried),
		rec(ring.KindTry, trier, tried, tried, ring.OpLock|10<<ring.OpShift),
		rec(ring.KindFinGo, finalizer, 0, 0),
		// main knows the section of the one that has tried, and not what that has found
		lock(main, told), unlock(main, told),
		lock(main, handed), unlock(main, handed),
		lock(finalizer, handed),
	}
	_, ops := watchRun(t, records, Options{Env: true})
	held := int32(0)
	for i := range ops {
		if o := &ops[i]; o.Kind == op.Lock && o.Task == 2 {
			held = o.K
		}
	}
	if last := &ops[len(ops)-1]; held == 0 || last.Full.At(2) < held {
		t.Errorf("the finalizer knows %d operations of the task that has locked with its operation %d", last.Full.At(2),
			held)
	}
}

// TestEqualClocksOfTwoOrders has a goroutine come to the same clock by a lock, which counts in one
// order alone, and by a channel, which counts in all: a function of the runtime has unlocked and
// sent.
func TestEqualClocksOfTwoOrders(t *testing.T) {
	const mutex, channel, timer, first, second, third = 0x100, 0x200, 0x300, 0x400, 0x500, 0x600
	release := func(ctx, o uint64) ring.Record { return rec(ring.KindRelease, ctx, o, o, ring.OpOnce) }
	acquire := func(ctx, o uint64) ring.Record { return rec(ring.KindAcquire, ctx, o, o, ring.OpOnce) }
	const main, other, receiver, armer, system = 1, 2, 3, 4, 9
	records := []ring.Record{
		rec(ring.KindMakeChan, main, channel, 2),
		rec(ring.KindGo, main, other, 0), rec(ring.KindGo, main, receiver, 0), rec(ring.KindGo, main, armer, 0),
		rec(ring.KindRelease, armer, timer, timer, ring.OpTimer),
		rec(ring.KindCtxStart, 0, system, 0),
		rec(ring.KindAcquire, system, timer, timer, ring.OpTimer),
		rec(ring.KindRelease, system, mutex, mutex, ring.OpUnlock), rec(ring.KindSend, system, channel, 0),
		rec(ring.KindAcquire, receiver, mutex, mutex, ring.OpLock),
		release(receiver, first),
		rec(ring.KindRecv, receiver, channel, 0),
		release(other, second), acquire(receiver, second),
		// main knows nothing of armer without locks
		acquire(main, first), acquire(main, second), release(main, third),
		acquire(receiver, third),
	}
	_, ops := watchRun(t, records, Options{})
	if last := &ops[len(ops)-1]; last.Kind != op.Once || last.Free.At(3) == 0 {
		t.Errorf("without locks, what the receiver does last does not come after what has armed the timer: %+v", last)
	}
}
