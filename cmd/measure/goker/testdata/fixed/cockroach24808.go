// A suggestion that is there already is enough.
package main

import "sync"

func main() {
	stop := make(chan struct{})
	suggested := make(chan struct{}, 1)
	suggested <- struct{}{}
	select {
	case suggested <- struct{}{}:
	default:
	}
	var worker sync.WaitGroup
	worker.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-suggested:
			}
		}
	})
	close(stop)
	worker.Wait()
}
