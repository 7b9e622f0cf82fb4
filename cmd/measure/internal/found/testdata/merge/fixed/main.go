// Merges several sources; whoever reads may stop early.
package main

import (
	"fmt"
	"sync"
	"time"
)

func source(n int, out chan<- int, wg *sync.WaitGroup) {
	defer wg.Done()
	for i := range 2 {
		time.Sleep(time.Millisecond)
		out <- 10*n + i
	}
}

func merge(n int) <-chan int {
	out := make(chan int)
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go source(i, out, &wg)
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

func first(n int, stop <-chan struct{}) (all []int) {
	in := merge(n)
	for {
		select {
		case x, ok := <-in:
			if !ok {
				return all
			}
			all = append(all, x)
		case <-stop:
			for range in {
			}
			return all
		}
	}
}

func main() {
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		fmt.Println(len(first(3, stop)))
		close(done)
	}()
	time.Sleep(30 * time.Millisecond)
	close(stop)
	<-done
}
