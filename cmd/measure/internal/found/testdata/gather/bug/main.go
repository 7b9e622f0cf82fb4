// Gathers the answers of workers that leave when their context ends.
package main

import (
	"context"
	"fmt"
	"time"
)

func worker(ctx context.Context, id int, results chan<- int) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(time.Duration(id) * time.Millisecond):
	}
	results <- id * id
}

func gather(ctx context.Context, n int) int {
	results := make(chan int)
	for i := range n {
		go worker(ctx, i, results)
	}
	sum := 0
	for range n {
		sum += <-results
	}
	return sum
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		time.Sleep(50 * time.Millisecond)
		cancel()
	}()
	fmt.Println(gather(ctx, 3))
	<-ctx.Done()
}
