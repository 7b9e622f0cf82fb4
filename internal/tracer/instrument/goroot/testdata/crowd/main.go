// Program crowd has N goroutines lock and unlock one mutex M times each. With a third
// argument they are preempted again and again.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	m, _ := strconv.Atoi(os.Args[2])
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		count int
	)
	for range n {
		wg.Go(func() {
			for range m {
				mu.Lock()
				count++
				mu.Unlock()
			}
		})
	}
	if len(os.Args) > 3 {
		go func() {
			for {
				runtime.GC() // which preempts goroutines
			}
		}()
	}
	wg.Wait()
	fmt.Println(count)
}
