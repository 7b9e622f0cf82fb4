package ring

import (
	"sync/atomic"
	"time"
)

// Look asks the program to look for goroutines that are cut off (KindCutOff), since it is about to
// be killed. It returns when the records about that are written, at once if the program does not do
// that, and after that time in any case. It may be called on any goroutine at any time.
func (r *Ring) Look(most time.Duration) error {
	const often = time.Millisecond
	err := r.command(OffLook, func(look *uint32) {
		if atomic.CompareAndSwapUint32(look, LookReady, LookAsked) {
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
