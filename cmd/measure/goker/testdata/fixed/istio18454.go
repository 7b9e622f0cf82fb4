// Whether the timer left a value behind is asked, not waited for.
package main

import (
	"context"
	"time"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	reset, done := make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(done)
		timer := time.NewTimer(time.Nanosecond)
		defer timer.Stop()
		for {
			select {
			case <-timer.C:
			case <-reset:
				if !timer.Stop() {
					select {
					case <-timer.C:
					default:
					}
				}
				timer.Reset(time.Nanosecond)
			case <-ctx.Done():
				return
			}
		}
	}()
	for range 100 {
		reset <- struct{}{}
	}
	cancel()
	<-done
}
