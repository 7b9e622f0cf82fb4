// An item of a cache is given more time while another goroutine gets it.
package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/karlseguin/ccache/v2"
)

func main() {
	cache := ccache.New(ccache.Configure())
	cache.Set("user", 1, time.Minute)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		if item := cache.Get("user"); item != nil {
			item.Extend(time.Hour)
		}
	}()
	fmt.Println(cache.Get("user") != nil)
	wg.Wait()
	cache.Stop()
}
