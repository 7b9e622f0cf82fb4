// Command ringbuffer is the ring buffer with parallel access of Frey (1996), figure 4:
// put and get run in parallel, append and remove do the sequential work.
//
// It is faulty. append announces a new element (last moves, and a goroutine that waits for an
// element is woken) before it has stored that element, so get may fetch an element that is
// not there yet. It practically never does: the store comes a moment later.
package main

import (
	"fmt"
	"sync"
)

// N is the size of the buffer, which holds N-1 elements.
const N = 200

// queue holds the elements first+1 … last, number k in data[k%N].
type queue struct {
	data  [N]int
	first int // number of the element before the first one
	last  int // number of the last element
}

var (
	b queue

	putting sync.Mutex // mutual exclusion with respect to put
	getting sync.Mutex // mutual exclusion with respect to get

	indexes sync.Mutex // guards b.first and b.last
	moved   = sync.NewCond(&indexes)
)

// append inserts an element at the end of the buffer.
func append(elem int) {
	indexes.Lock()
	b.last++
	moved.Broadcast()
	indexes.Unlock()
	b.data[b.last%N] = elem
}

// remove fetches the element at the beginning of the buffer.
func remove() int {
	indexes.Lock()
	b.first++
	moved.Broadcast()
	indexes.Unlock()
	return b.data[b.first%N]
}

// put waits until the buffer is not full and appends an element.
func put(elem int) {
	putting.Lock()
	defer putting.Unlock()
	indexes.Lock()
	for b.last-b.first == N-1 {
		moved.Wait()
	}
	indexes.Unlock()
	append(elem)
}

// get waits until the buffer is not empty and removes an element.
func get() int {
	getting.Lock()
	defer getting.Unlock()
	indexes.Lock()
	for b.last == b.first {
		moved.Wait()
	}
	indexes.Unlock()
	return remove()
}

func main() {
	var consumer sync.WaitGroup
	consumer.Go(func() {
		fmt.Println("got", get())
	})
	put(21)
	consumer.Wait()
}
