// Goroutines that stop timers, arm them again, and poll the channel of one. Each uses the other
// timer between a poll and a Stop: a Stop takes out a value by a receive, too.
package main

import (
	"sync"
	"time"
)

func main() {
	f, c := time.AfterFunc(time.Hour, func() {}), time.NewTimer(time.Hour)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 2000 {
				after := time.Hour
				if j%3 == 0 {
					after = 1
				}
				switch (i + j) % 4 {
				case 0:
					f.Stop()
					c.Reset(after)
				case 1:
					f.Reset(after)
					c.Stop()
				case 2:
					f.Reset(after)
					c.Reset(after)
				case 3:
					select {
					case <-c.C:
					default:
					}
				}
			}
		})
	}
	wg.Wait()
	// whatever the goroutines have found, this has each kind
	f.Reset(time.Hour)
	f.Stop()
	f.Stop()
	c.Reset(1)
	<-c.C
}
