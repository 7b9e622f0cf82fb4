// A goroutine puts values into a cache while another one clears it.
package main

import (
	"fmt"
	"sync"

	"github.com/dgraph-io/ristretto"
)

func main() {
	c, err := ristretto.NewCache(&ristretto.Config{NumCounters: 100, MaxCost: 10, BufferItems: 64})
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for i := range 100 {
			c.Set(i, i, 1)
		}
	}()
	for range 3 {
		c.Clear()
	}
	wg.Wait()
	fmt.Println("cleared")
}
