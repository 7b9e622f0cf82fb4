package causality

import "github.com/antichain-go/antichain/internal/tracer/ring"

// heldLocks tells apart in which critical sections a goroutine is: those of two goroutines with the same locks are equal. A section
// that another goroutine ends stays in it: what is behind it is told apart from what is in it. So does a lock of which the memory is used anew.
// It is the sum of a number for each section.
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
	number *= 0x9e3779b97f4a7c15 // so that sums are different
	return heldLocks(number ^ number>>29)
}
