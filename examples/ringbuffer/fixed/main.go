// Command fixed is the ring buffer of the directory above with its fault repaired: put and
// get exclude each other, so none sees an element before append has returned.
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

	access sync.Mutex // mutual exclusion of put and get; guards b
	moved  = sync.NewCond(&access)
)

// append inserts an element at the end of the buffer.
func append(elem int) {
	b.last++
	b.data[b.last%N] = elem
}

// remove fetches the element at the beginning of the buffer.
func remove() int {
	b.first++
	return b.data[b.first%N]
}

// put waits until the buffer is not full and appends an element.
func put(elem int) {
	access.Lock()
	defer access.Unlock()
	for b.last-b.first == N-1 {
		moved.Wait()
	}
	append(elem)
	moved.Broadcast()
}

// get waits until the buffer is not empty and removes an element.
func get() int {
	access.Lock()
	defer access.Unlock()
	for b.last == b.first {
		moved.Wait()
	}
	elem := remove()
	moved.Broadcast()
	return elem
}

func main() {
	var consumer sync.WaitGroup
	consumer.Go(func() {
		fmt.Println("got", get())
	})
	put(21)
	consumer.Wait()
}
