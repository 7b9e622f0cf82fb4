// Command workers squares numbers with a pool of workers.
//
// Its shutdown is faulty: a worker reports a job as done before it delivers the result, so
// the results may be closed while one is still on its way, and the late worker panics. It
// takes a worker that loses the processor between the two lines.
package main

import (
	"flag"
	"fmt"
	"sync"
)

// pool hands jobs to workers and collects their results.
type pool struct {
	jobs    chan int
	results chan int
	pending sync.WaitGroup // jobs handed out and not reported as done
}

// work squares jobs until there are none left.
func (p *pool) work() {
	for job := range p.jobs {
		result := job * job
		p.pending.Done()
		deliver(p.results, result)
	}
}

// deliver passes a result to whoever collects them.
func deliver(results chan<- int, result int) {
	results <- result
}

// shutdown ends the collection when every job is done.
func (p *pool) shutdown() {
	p.pending.Wait()
	finish(p.results)
}

// finish says that no further result will come.
func finish(results chan<- int) {
	close(results)
}

func main() {
	jobs := flag.Int("jobs", 4, "numbers to square")
	workers := flag.Int("workers", 2, "goroutines that share the work")
	flag.Parse()

	p := &pool{jobs: make(chan int), results: make(chan int, *jobs)}
	p.pending.Add(*jobs)
	for range *workers {
		go p.work()
	}
	go p.shutdown()
	for job := range *jobs {
		p.jobs <- job
	}
	close(p.jobs)

	sum := 0
	for result := range p.results {
		sum += result
	}
	fmt.Println("sum of squares:", sum)
}
