// race: accesses to the same memory that nothing orders.
//
// Reported are two accesses of two goroutines to the same memory, at least one of them a write,
// if nothing orders them, or only the order in which critical sections came in this run. The
// memory is a variable, an element or field, a map, or an atomic variable that is also accessed
// plainly. Either access may come first, and the behaviour of the program is then undefined.
//
// Not reported are accesses under a common lock; accesses before a go statement or a send and
// after the start of the goroutine or the receive; and accesses that are all atomic. Accesses are
// recorded in the packages named on the command line and the rest of their modules, in the
// standard library, and in those that --race-in names. Accesses to maps, and copies of slices and
// strings, are recorded in all packages. A race in the standard library is reported where the
// program calls it.
package main

import (
	"bytes"
	"container/list"
	"encoding/json"
	"net/url"
	"reflect"
	"sync"
	"sync/atomic"
)

// counter is increased by two goroutines at once.
func counter() {
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			n++ // want race "predicted"
		})
	}
	wg.Wait()
}

// sharedMap writes to a map in two goroutines, at different keys.
func sharedMap() {
	m := map[int]int{}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			m[i] = i // want race "predicted"
		})
	}
	wg.Wait()
}

// setValues calls methods of a map type of the standard library in two goroutines.
func setValues() {
	values := url.Values{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			values.Set("key", "value") // want race "predicted"
		})
	}
	wg.Wait()
}

// pushBack changes a list of the standard library in two goroutines.
func pushBack() {
	l := list.New()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			l.PushBack(1) // want race "predicted"
		})
	}
	wg.Wait()
}

// buffer is written to by one goroutine and read by another one.
func buffer() {
	var b bytes.Buffer
	var wg sync.WaitGroup
	wg.Go(func() {
		b.WriteString("text") // want race "predicted"
	})
	wg.Go(func() {
		_ = b.String() // want race "predicted"
	})
	wg.Wait()
}

// marshal encodes a value while another goroutine changes it.
func marshal() {
	value := &struct{ N int }{1}
	var wg sync.WaitGroup
	wg.Go(func() {
		value.N = 2 // want race "predicted"
	})
	wg.Go(func() {
		_, _ = json.Marshal(value) // want race "predicted"
	})
	wg.Wait()
}

// readTooEarly reads a result before it knows that it is there.
func readTooEarly() {
	result, done := 0, make(chan bool)
	go func() {
		result = 1 // want race "predicted"
		close(done)
	}()
	early := result // want race "predicted"
	<-done
	_ = early
}

// halfAtomic adds atomically, and reads as if nobody did.
func halfAtomic() {
	var n int64
	var wg sync.WaitGroup
	wg.Go(func() {
		atomic.AddInt64(&n, 1) // want race "predicted"
	})
	m := n // want race "predicted"
	wg.Wait()
	_ = m
}

// outsideTheLock writes before a section, and in another goroutine behind one. The sections can come in either order.
func outsideTheLock() {
	n := 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() {
		n = 1 // want race "predicted"
		mu.Lock()
		mu.Unlock()
	})
	wg.Go(func() {
		mu.Lock()
		mu.Unlock()
		n = 2 // want race "predicted"
	})
	wg.Wait()
	_ = n
}

// publishedUnderLock says under a lock that a result is there. Who has read that may write it.
//
// want none
func publishedUnderLock() {
	n, ready := 0, false
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() {
		n = 1
		mu.Lock()
		ready = true
		mu.Unlock()
	})
	wg.Go(func() {
		mu.Lock()
		mine := ready
		mu.Unlock()
		if mine {
			n = 2
		}
	})
	wg.Wait()
	_ = n
}

// counterUnderLock is increased under a lock.
//
// want none
func counterUnderLock() {
	n := 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			n++
			mu.Unlock()
		})
	}
	wg.Wait()
}

// pushBackUnderLock changes a list in two goroutines under a lock.
//
// want none
func pushBackUnderLock() {
	l := list.New()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			l.PushBack(1)
			mu.Unlock()
		})
	}
	wg.Wait()
}

// ownBuffers has goroutines write to buffers of their own, and to one under a lock.
//
// want none
func ownBuffers() {
	var all bytes.Buffer
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			var b bytes.Buffer
			b.WriteString("text")
			mu.Lock()
			all.Write(b.Bytes())
			mu.Unlock()
		})
	}
	wg.Wait()
}

// ownElements has a slice of which each goroutine has an element of its own.
//
// want none
func ownElements() {
	results := make([]int, 2)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() { results[i] = i })
	}
	wg.Wait()
}

// emptyValues copies values without size, which are all at one address, in two goroutines.
//
// want none
func emptyValues() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			_ = reflect.New(reflect.TypeFor[struct{}]()).Elem().Interface()
			_ = reflect.New(reflect.TypeFor[[0]int]()).Elem().Interface()
		})
	}
	wg.Wait()
}

// readAfterwards reads a result when it is there.
//
// want none
func readAfterwards() {
	result, done := 0, make(chan bool)
	go func() {
		result = 1
		close(done)
	}()
	<-done
	late := result
	_ = late
}

// allAtomic adds and reads atomically.
//
// want none
func allAtomic() {
	var n atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() { n.Add(1) })
	m := n.Load()
	wg.Wait()
	_ = m
}
