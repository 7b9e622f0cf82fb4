// There is room for the result of a probe that nobody waits for any more.
package main

import (
	"context"
	"time"
)

func monitor(stop <-chan bool) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Millisecond):
			results := make(chan bool, 1)
			ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
			go func() {
				results <- true
				close(results)
			}()
			select {
			case <-stop:
				cancel()
				return
			case <-results:
				cancel()
			case <-ctx.Done():
				cancel()
				<-results
			}
		}
	}
}

func main() {
	stop := make(chan bool)
	go monitor(stop)
	go func() {
		time.Sleep(5 * time.Millisecond)
		stop <- true
	}()
	time.Sleep(100 * time.Millisecond)
}
