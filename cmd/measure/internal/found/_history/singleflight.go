// A function that two want at once panics.
package main

import (
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

func main() {
	var group singleflight.Group
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() { fmt.Println(recover() != nil) }()
			_, _, _ = group.Do("key", func() (interface{}, error) {
				time.Sleep(20 * time.Millisecond)
				panic("no such key")
			})
		}()
	}
	wg.Wait()
}
