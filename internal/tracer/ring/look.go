package ring

import (
	"sync/atomic"
	"time"
)

// LookNow asks the program, which goes on, to look for goroutines that are cut off (KindCutOff),
// unless it has been asked already. It reports whether the program looks when it is asked. It may
// be called on any goroutine at any time.
func (r *Ring) LookNow() (looks bool) {
	_ = r.command(OffLook, func(look *uint32) { looks = lookNow(look) })
	return looks
}

func lookNow(look *uint32) bool {
	if atomic.CompareAndSwapUint32(look, LookReady, LookNow) {
		wakeFutex(look)
	}
	return looks(look)
}

func looks(look *uint32) bool { return atomic.LoadUint32(look) == LookNow }

// Looks reports whether the program was asked by LookNow and has not written all records about what
// it has found. It may be called on any goroutine at any time.
func (r *Ring) Looks() (is bool) {
	_ = r.command(OffLook, func(look *uint32) { is = looks(look) })
	return is
}

// Look asks the program to look for goroutines that are cut off for the last time, since it is
// about to be killed. It returns when the records about that are written, at once if the program
// does not do that, and after that time in any case. It may be called on any goroutine at any time.
func (r *Ring) Look(most time.Duration) error {
	const often = time.Millisecond
	err := r.command(OffLook, func(look *uint32) {
		if atomic.CompareAndSwapUint32(look, LookReady, LookAsked) ||
			atomic.CompareAndSwapUint32(look, LookNow, LookAsked) {
			wakeFutex(look)
		}
	})
	for end := time.Now().Add(most); err == nil && time.Now().Before(end); time.Sleep(often) {
		over := false
		err = r.command(OffLook, func(look *uint32) {
			over = atomic.LoadUint32(look) != LookAsked || atomic.LoadUint64(r.word64(OffProd))&ClosedBit != 0
		})
		if over {
			break
		}
	}
	return err
}
