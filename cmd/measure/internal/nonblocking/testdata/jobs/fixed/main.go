// Command jobs hands out jobs and waits until all are done.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// A Job is one piece of work.
type Job struct {
	ID   int
	Size int
}

// Pool runs jobs.
type Pool struct {
	jobs    chan Job
	pending sync.WaitGroup
	work    atomic.Int64
}

// NewPool starts the workers.
func NewPool(workers int) *Pool {
	p := &Pool{jobs: make(chan Job, 4)}
	for range workers {
		go p.worker()
	}
	return p
}

func (p *Pool) worker() {
	for job := range p.jobs {
		p.process(job)
		p.pending.Done()
	}
}

func (p *Pool) process(job Job) {
	for range job.Size {
		p.work.Add(1)
	}
}

// Submit hands out a job.
func (p *Pool) Submit(job Job) {
	p.pending.Add(1)
	p.jobs <- job
}

// Close waits for all jobs, and ends the workers.
func (p *Pool) Close() {
	p.pending.Wait()
	close(p.jobs)
}

func main() {
	p := NewPool(2)
	for id := range 4 {
		p.Submit(Job{ID: id, Size: 5000})
	}
	p.Close()
	fmt.Println("work:", p.work.Load())
}
