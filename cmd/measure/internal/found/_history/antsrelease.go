// A pool is released while two goroutines wait to submit to it.
package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/panjf2000/ants/v2"
)

func main() {
	pool, err := ants.NewPool(1)
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			fmt.Println("submitted:", pool.Submit(func() { time.Sleep(50 * time.Millisecond) }) == nil)
		}()
	}
	time.Sleep(20 * time.Millisecond)
	pool.Release()
	wg.Wait()
}
