// A pool is released when its work is done.
package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/panjf2000/ants/v2"
)

func handle() {
	pool, err := ants.NewPool(2, ants.WithExpiryDuration(20*time.Millisecond))
	if err != nil {
		panic(err)
	}
	defer pool.Release()
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		if err := pool.Submit(wg.Done); err != nil {
			panic(err)
		}
	}
	wg.Wait()
}

func main() {
	handle()
	time.Sleep(60 * time.Millisecond)
	fmt.Println("handled")
}
