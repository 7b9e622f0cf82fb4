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
	work := func() { time.Sleep(50 * time.Millisecond) }
	fmt.Println("submitted:", pool.Submit(work) == nil)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			fmt.Println("submitted:", pool.Submit(work) == nil)
		}()
	}
	time.Sleep(20 * time.Millisecond)
	pool.Release()
	wg.Wait()
}
