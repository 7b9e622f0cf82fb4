// A coordinator gives two jobs to two workers. One waits for more. The other one gives its job
// up.
package main

import "time"

func main() {
	jobs, results := make(chan int), make(chan int)
	for range 2 {
		go func() { // worker
			for n := range jobs {
				if n == 2 {
					return
				}
				results <- n
			}
		}()
	}
	go func() { // coordinator
		jobs <- 1
		jobs <- 2
		sum := 0
		for range 2 {
			sum += <-results
		}
		close(jobs)
		println(sum)
	}()
	time.Sleep(100 * time.Millisecond)
}
