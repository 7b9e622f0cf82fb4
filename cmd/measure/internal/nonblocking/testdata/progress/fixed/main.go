// Command progress converts files and shows how far it is.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A worker converts some of the files.
type worker struct {
	files []string
	done  atomic.Int64
}

func (w *worker) run() {
	for _, f := range w.files {
		convert(f)
		w.done.Add(1)
	}
}

func convert(name string) { time.Sleep(time.Duration(len(name)) * 100 * time.Microsecond) }

// progress returns how many files are done.
func progress(workers []*worker) int {
	sum := 0
	for _, w := range workers {
		sum += int(w.done.Load())
	}
	return sum
}

// watch shows the progress until it is told to end.
func watch(workers []*worker, end <-chan struct{}) {
	for {
		select {
		case <-end:
			return
		case <-time.After(time.Millisecond):
			fmt.Println("done:", progress(workers))
		}
	}
}

func main() {
	workers := []*worker{
		{files: []string{"a.png", "bird.png", "cat.png"}},
		{files: []string{"dog.png", "emu.png"}},
	}
	end := make(chan struct{})
	var wg, watching sync.WaitGroup
	for _, w := range workers {
		wg.Go(w.run)
	}
	watching.Go(func() { watch(workers, end) })
	wg.Wait()
	close(end)
	watching.Wait()
	fmt.Println("in the end:", progress(workers))
}
