package ring

import (
	"sync/atomic"
	"time"
)

// Goroutines that wait for their slots (FlagStep) announce that, and the consumer can let records
// gather while none does. Each side first announces its next step and then looks at the other's
// announcement: neither sleeps in vain.

// asked returns the end of the slots that goroutines wait for.
func (r *Ring) asked() uint64 { return atomic.LoadUint64(r.word64(OffAsked)) }

// answer wakes the waiters for slots that have been given back, from was on.
func (r *Ring) answer(was uint64) {
	if r.asked() > was {
		wakeFutex(r.word32(OffCons))
	}
}

// watch is pause for a consumer that goroutines may wait for.
func (r *Ring) watch(found int) (err error) {
	defer r.guard(&err)()
	if r.idle++; found > 0 {
		r.idle = 0
	}
	switch {
	case found == batch:
	case r.asked() > r.given:
		if found == 0 { // a slot that is waited for is being written
			nap(20 * time.Microsecond)
		}
	case r.idle < 20:
		r.await(200 * time.Microsecond)
	default:
		r.await(r.rest())
	}
	return err
}

// await sleeps until a goroutine waits for more than has been given back, at most that long.
func (r *Ring) await(most time.Duration) {
	atomic.StoreUint32(r.word32(OffAsleep), 1)
	if asked := r.asked(); asked <= r.given {
		sleepFutex(r.word32(OffAsked), uint32(asked), most)
	}
	atomic.StoreUint32(r.word32(OffAsleep), 0)
}
