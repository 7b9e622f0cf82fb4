// A goroutine sends what no other one receives. Another one, which has nothing to do with it,
// wakes ten times a second.
package main

import (
	"fmt"
	"time"
)

func main() {
	go func() {
		for range time.Tick(100 * time.Millisecond) {
		}
	}()
	c := make(chan int)
	go func() { c <- 1 }()
	time.Sleep(50 * time.Millisecond)
	fmt.Println("main forgets c")
}
