// Whatever happens, the progress is read until its end.
package main

import "math/rand"

type watcher struct{ release, running chan struct{} }

func watch(progress chan<- int) *watcher {
	w := &watcher{make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(w.running)
		if rand.Int31n(2) > 0 {
			progress <- 1
		}
		<-w.release
	}()
	return w
}

func main() {
	progress, done := make(chan int), make(chan struct{})
	go func() {
		defer close(done)
		for range progress {
		}
	}()
	var watchers []*watcher
	for range 3 {
		watchers = append(watchers, watch(progress))
	}
	for _, w := range watchers {
		close(w.release)
		<-w.running
	}
	close(progress)
	<-done
}
