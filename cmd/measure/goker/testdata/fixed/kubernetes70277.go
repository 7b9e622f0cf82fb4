// Who waits closes the channel that ends the poller.
package main

import "time"

func poll(done <-chan struct{}) <-chan struct{} {
	c := make(chan struct{})
	go func() {
		defer close(c)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				select {
				case c <- struct{}{}:
				default:
				}
			case <-done:
				return
			}
		}
	}()
	return c
}

func main() {
	done := make(chan struct{})
	c := poll(done)
	<-c
	close(done)
	for range c {
	}
}
