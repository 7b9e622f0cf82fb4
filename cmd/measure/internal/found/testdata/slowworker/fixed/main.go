// A coordinator gives two jobs to two workers. One waits for more. The other one needs 30 s. The
// program ends meanwhile.
package main

import "time"

func main() {
	jobs, results := make(chan int), make(chan int)
	for range 2 {
		go func() { // worker
			for n := range jobs {
				if n == 2 {
					time.Sleep(30 * time.Second)
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
