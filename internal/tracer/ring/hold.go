package ring

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
)

// Hold makes goroutines wait before or after their next records: those of these contexts, or with
// others all but those. Goroutines that are no longer held continue; Hold(false) releases all. A
// goroutine whose record is being judged (FollowInStep) is held right after it. Hold may be called
// on any goroutine at any time.
func (r *Ring) Hold(others bool, ctxs ...uint64) error {
	if len(ctxs) > MaxHeld {
		return fmt.Errorf("at most %d goroutines can be held, not %d", MaxHeld, len(ctxs))
	}
	if slices.Contains(ctxs, 0) {
		return errors.New("no goroutine is 0")
	}
	return r.command(OffHalt, func(halt *uint32) {
		r.list(ctxs)
		want := uint32(0)
		switch {
		case others:
			want = HaltOthers
		case len(ctxs) > 0:
			want = HaltHeld
		}
		for { // the program may clear HaltNow meanwhile
			old := atomic.LoadUint32(halt)
			if atomic.CompareAndSwapUint32(halt, old, old&^(HaltHeld|HaltOthers)|want) {
				return
			}
		}
	})
}

// list writes contexts into the list. A context that remains keeps its place, or it could seem to
// be missing for a moment.
func (r *Ring) list(ctxs []uint64) {
	missing := slices.Clone(ctxs)
	for i := range MaxHeld {
		at := r.word64(OffHeld + 8*i)
		if here := slices.Index(missing, atomic.LoadUint64(at)); here >= 0 {
			missing = slices.Delete(missing, here, here+1)
		} else {
			atomic.StoreUint64(at, 0)
		}
	}
	for i := 0; len(missing) > 0; i++ {
		if at := r.word64(OffHeld + 8*i); atomic.LoadUint64(at) == 0 {
			atomic.StoreUint64(at, missing[0])
			missing = missing[1:]
		}
	}
}
