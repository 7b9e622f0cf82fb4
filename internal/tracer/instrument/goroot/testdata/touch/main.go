// Micro-benchmarks of accesses to memory. Runs the one that its argument names, and prints what an
// operation takes in nanoseconds.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

type node struct {
	next       *node
	key, value int
}

var (
	sink  *node
	bytes []byte
)

var benchmarks = map[string]struct {
	n   int
	run func(n int)
}{
	// The same word again and again.
	"again": {20e6, func(n int) {
		p := new(node)
		sink = p
		for range n {
			p.value++
		}
	}},
	// New memory, of which the garbage collector makes much, is filled and read.
	"new": {2e6, func(n int) {
		for i := range n {
			sink = &node{key: i}
			sink.value = sink.key
		}
	}},
	// Much memory that stays.
	"list": {500e3, func(n int) {
		for i := range n {
			sink = &node{next: sink, key: i}
		}
		for p := sink; p != nil; p = p.next {
			p.value = p.key
		}
	}},
	// Bytes of a word, one by one.
	"bytes": {5e6, func(n int) {
		for range n / 1024 {
			b := make([]byte, 1024)
			bytes = b
			for i := range b {
				b[i] ^= byte(i)
			}
		}
	}},
	// Bytes of a word, by five statements in turn.
	"places": {5e6, func(n int) {
		for range n / 1024 {
			b := make([]byte, 0, 1024)
			for len(b) < 1020 {
				b = append(b, 'a')
				b = append(b, 'b')
				b = append(b, 'c')
				b = append(b, 'd')
				b = append(b, 'e')
			}
			bytes = b
		}
	}},
	// A word under a lock: each access is at another moment.
	"locked": {2e6, func(n int) {
		var mu sync.Mutex
		p := new(node)
		sink = p
		for range n {
			mu.Lock()
			p.value++
			mu.Unlock()
		}
	}},
}

func main() {
	b := benchmarks[os.Args[1]]
	start := time.Now()
	b.run(b.n)
	fmt.Println(float64(time.Since(start).Nanoseconds()) / float64(b.n))
}
