// A program of two goroutines that use mutexes and channels of their own, over and over, and prints that both have ended.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			var mu sync.Mutex
			c := make(chan int, 1)
			for range 100 {
				mu.Lock()
				c <- 1
				<-c
				mu.Unlock()
			}
		})
	}
	all.Wait()
	fmt.Println("both")
}
