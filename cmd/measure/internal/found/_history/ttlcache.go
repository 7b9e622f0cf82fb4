// The metrics of a cache are looked at while it is used.
package main

import (
	"fmt"
	"sync"

	"github.com/ReneKroon/ttlcache/v2"
)

func main() {
	cache := ttlcache.NewCache()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		_ = cache.Set("key", 1)
		_, _ = cache.Get("key")
	}()
	fmt.Println(cache.GetMetrics().Hits < 2)
	wg.Wait()
	cache.Close()
}
