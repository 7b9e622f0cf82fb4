// A goroutine reads from a cache while the program closes it.
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
	c.Set("a", 1, 1)
	c.Wait()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		c.Get("a")
	}()
	c.Close()
	wg.Wait()
	fmt.Println("closed")
}
