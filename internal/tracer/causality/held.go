package causality

import "github.com/antichain-go/antichain/internal/tracer/ring"

// heldLocks identifies the critical sections that a goroutine is in: two goroutines that hold the
// same locks have equal values. It is the sum of a number for each section. A section that another
// goroutine ends stays in the sum, which distinguishes operations after it from those in it. So
// does a lock whose memory is reused.
type heldLocks uint64

func (h *heldLocks) enter(rec *ring.Record) { *h += sectionNumber(rec) }
func (h *heldLocks) leave(rec *ring.Record) { *h -= sectionNumber(rec) }

func sectionNumber(rec *ring.Record) heldLocks {
	number := rec.Addr
	if rec.Aux != 0 {
		number = rec.Aux // of an RWMutex, which has locks inside
	}
	switch rec.Op() {
	case ring.OpRLock, ring.OpRUnlock:
		number = ^number
	}
	number *= 0x9e3779b97f4a7c15 // sums must differ
	return heldLocks(number ^ number>>29)
}
