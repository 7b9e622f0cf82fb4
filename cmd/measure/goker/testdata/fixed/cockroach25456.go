// Whether the store is draining is asked, not waited for.
package main

import "time"

func draining(quiesce <-chan struct{}) bool {
	select {
	case <-quiesce:
		return true
	default:
		return false
	}
}

func main() {
	go func() {
		quiesce := make(chan struct{})
		for range 2 {
			draining(quiesce)
		}
	}()
	time.Sleep(100 * time.Millisecond)
}
