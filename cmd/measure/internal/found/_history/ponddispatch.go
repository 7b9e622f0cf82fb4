// A goroutine submits tasks while the pool is stopped.
package main

import (
	"fmt"
	"sync"

	"github.com/alitto/pond/v2"
)

func main() {
	pool := pond.NewPool(2)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for range 3 {
			pool.Submit(func() {})
		}
	}()
	pool.Submit(func() { fmt.Println("task") })
	pool.StopAndWait()
	wg.Wait()
}
