package main

import "sync"

// started starts goroutines of which the compiler makes wrappers: one with the
// function inlined, one with a call.
func started() {
	go short(nil, 1)
	go far(nil, 2)
}

func short(c chan int, _ int) {
	if c != nil {
		<-c
	}
}

//go:noinline
func far(c chan int, _ int) { short(c, 0) }

//go:noinline
func useOnce(o *sync.Once) {
	o.Do(stop) // line 23: Do is inlined
}

func stop() {}
