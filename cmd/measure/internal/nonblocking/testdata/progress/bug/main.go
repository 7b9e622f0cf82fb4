// Command progress converts files and shows how far it is.
//
// Bug: the progress is read from the workers' own fields while they still count.
// A report has to name race: (*worker).run `w.done++` + progress `sum += w.done`.
package main

import (
	"fmt"
	"sync"
	"time"
)

// A worker converts some of the files.
type worker struct {
	files []string
	done  int
}

func (w *worker) run() {
	for _, f := range w.files {
		convert(f)
		w.done++
	}
}

func convert(name string) { time.Sleep(time.Duration(len(name)) * 100 * time.Microsecond) }

// progress returns how many files are done.
func progress(workers []*worker) int {
	sum := 0
	for _, w := range workers {
		sum += w.done
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
