// Command spawner resizes pictures, each in a goroutine of its own.
//
// Bug: the goroutines call Add themselves, so Wait can come before it.
// A report has to name waitgroup: (*Resizer).Resize `r.running.Add(1)` + (*Resizer).Wait `r.running.Wait()`.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Picture has a width and a height.
type Picture struct{ W, H int }

// Resizer resizes pictures.
type Resizer struct {
	running sync.WaitGroup
	pixels  atomic.Int64
}

// Resize begins to resize a picture.
func (r *Resizer) Resize(p Picture) {
	go func() {
		r.running.Add(1)
		defer r.running.Done()
		r.pixels.Add(int64(scale(p)))
	}()
}

// scale returns how many pixels the smaller picture has.
func scale(p Picture) int {
	return (p.W / 2) * (p.H / 2)
}

// Wait waits for all pictures.
func (r *Resizer) Wait() int64 {
	r.running.Wait()
	return r.pixels.Load()
}

func main() {
	var r Resizer
	for _, p := range []Picture{{640, 480}, {800, 600}, {32, 32}} {
		r.Resize(p)
	}
	time.Sleep(2 * time.Millisecond) // the listing of the directory
	fmt.Println("pixels:", r.Wait())
}
