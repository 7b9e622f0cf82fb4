// Command stalls does operations on a lock, one after the other, and prints as JSON how long it stood still between two of them: for each
// gap of more than a millisecond its nanoseconds, without those in which the thread could have run and other threads had its processor.
// Meanwhile it starts goroutines that hand on what they have done, of which antichain has to remember much.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

func main() {
	n := flag.Int("n", 1_000_000, "operations")
	flag.Parse()
	ended := make(chan struct{})
	go handOn(ended)
	gaps, err := lock(*n)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	close(ended)
	json.NewEncoder(os.Stdout).Encode(gaps)
}

// lock does the operations.
func lock(n int) (gaps []int64, err error) {
	runtime.LockOSThread()
	gaps = []int64{}
	var mu sync.Mutex
	waited, err := queued()
	last := time.Now()
	for range n {
		mu.Lock()
		mu.Unlock()
		now := time.Now()
		if gap := now.Sub(last); gap > time.Millisecond && err == nil {
			before := waited
			if waited, err = queued(); gap-(waited-before) > time.Millisecond {
				gaps = append(gaps, int64(gap-(waited-before)))
			}
			now = time.Now()
		}
		last = now
	}
	return gaps, err
}

// queued returns for how long this thread could have run and did not.
func queued() (time.Duration, error) {
	text, err := os.ReadFile("/proc/thread-self/schedstat")
	if err != nil {
		return 0, err
	}
	var ran, waited time.Duration
	_, err = fmt.Sscan(string(text), &ran, &waited)
	return waited, err
}

// handOn starts goroutines, each of which learns from those before it and stays for a while.
func handOn(ended <-chan struct{}) {
	const living = 1000
	done := make(chan int, living)
	var mu sync.Mutex
	for i := 0; ; i++ {
		select {
		case <-ended:
			return
		default:
		}
		go func() {
			mu.Lock()
			mu.Unlock()
			done <- i
		}()
		if i >= living {
			<-done
		}
	}
}
