// There is room for the result.
package main

import (
	"math/rand"
	"time"
)

func calls(stop <-chan bool) {
	for {
		done := make(chan bool, 1)
		go func() { done <- rand.Intn(10) > 7 }()
		select {
		case <-stop:
			return
		case <-done:
		}
	}
}

func main() {
	stop := make(chan bool)
	go calls(stop)
	go func() { stop <- true }()
	time.Sleep(100 * time.Millisecond)
}
