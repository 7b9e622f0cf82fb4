// Command maintenance has several goroutines that compact a file now and then, unless somebody is at it.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// File is compacted in its place.
type File struct {
	mu      sync.Mutex
	at      atomic.Int32
	clashes atomic.Int32
}

// compact rewrites the file.
func (f *File) compact() {
	if f.at.Add(1) > 1 {
		f.clashes.Add(1)
	}
	time.Sleep(5 * time.Millisecond)
	f.at.Add(-1)
}

// Maintain compacts the file if nobody else does.
func (f *File) Maintain() bool {
	if !f.mu.TryLock() {
		return false
	}
	defer f.mu.Unlock()
	f.compact()
	return true
}

func main() {
	var f File
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * 50 * time.Millisecond)
			f.Maintain()
		})
	}
	wg.Wait()
	fmt.Println("clashes:", f.clashes.Load())
	if f.clashes.Load() > 0 {
		os.Exit(1)
	}
}
