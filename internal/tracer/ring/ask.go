package ring

import (
	"sync/atomic"
	"time"
)

// Goroutines that wait for their slots (FlagStep) ask for that, and so the consumer can let records gather while nobody does. Either
// side first says what it is about to do and then looks at what the other has said, so that none sleeps in vain.

// asked returns where the slots end that are waited for.
func (r *Ring) asked() uint64 { return atomic.LoadUint64(r.word64(OffAsked)) }

// answer wakes whoever waits for slots that have been given back, from was on.
func (r *Ring) answer(was uint64) {
	if r.asked() > was {
		wakeFutex(r.word32(OffCons))
	}
}

// watch is pause for a consumer that somebody may be waiting for.
func (r *Ring) watch(found int) (err error) {
	defer r.guard(&err)()
	if r.idle++; found > 0 {
		r.idle = 0
	}
	switch {
	case found == batch:
	case r.asked() > r.given:
		if found == 0 { // what is waited for is being written
			nap(20 * time.Microsecond)
		}
	case r.idle < 20:
		r.await(200 * time.Microsecond)
	default:
		r.await(r.rest())
	}
	return err
}

// await sleeps until somebody asks for more than has been given back, at most that long.
func (r *Ring) await(most time.Duration) {
	atomic.StoreUint32(r.word32(OffAsleep), 1)
	if asked := r.asked(); asked <= r.given {
		sleepFutex(r.word32(OffAsked), uint32(asked), most)
	}
	atomic.StoreUint32(r.word32(OffAsleep), 0)
}
