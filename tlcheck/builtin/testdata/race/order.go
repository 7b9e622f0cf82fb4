package main

import (
	"sync"
	"sync/atomic"
	"time"
)

// Programs whose sections, in an order other than the one in which goroutines come to them, do something else, so that
// their accesses to x never race.

// oneByOne runs functions at once, of which each most likely comes to its sections when those before are done.
func oneByOne(functions ...func()) {
	var wg sync.WaitGroup
	for i, f := range functions {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * 20 * time.Millisecond)
			f()
		})
	}
	wg.Wait()
}

// The write in the middle hides from the last one that the first function has read.
func cleanLeftOutWrite() {
	var mu sync.Mutex
	x, y := 0, 0
	oneByOne(
		func() {
			mu.Lock()
			if y == 0 {
				x = 1
			}
			mu.Unlock()
		},
		func() {
			mu.Lock()
			y = 1
			mu.Unlock()
		},
		func() {
			mu.Lock()
			y = 2
			mu.Unlock()
			x = 2
		},
	)
	use(x)
}

// The same, where the write in the middle comes after the first function in any order.
func cleanFollowingWrite() {
	var mu sync.Mutex
	x, y := 0, 0
	done := make(chan bool)
	oneByOne(
		func() {
			mu.Lock()
			if y == 0 {
				x = 1
			}
			mu.Unlock()
			close(done)
		},
		func() {
			<-done
			mu.Lock()
			y = 1
			mu.Unlock()
		},
		func() {
			mu.Lock()
			y = 2
			mu.Unlock()
			x = 2
		},
	)
	use(x)
}

// There are more readers than anybody keeps in mind, so nobody knows when the last one writes that the first one has read.
func cleanDroppedRead() {
	var mu sync.Mutex
	x, y := 0, 0
	reads := func() {
		mu.Lock()
		if y == 0 {
			use(0)
		}
		mu.Unlock()
	}
	oneByOne(
		func() {
			mu.Lock()
			if y == 0 {
				x = 1
			}
			mu.Unlock()
		},
		func() {
			for range 32 {
				both(reads, reads)
			}
		},
		func() {
			mu.Lock()
			y = 1
			mu.Unlock()
			x = 2
		},
	)
	use(x)
}

// Nobody runs the function of the second Do but behind the section that makes the Once new.
func cleanOnceRenewed() {
	var mu sync.Mutex
	var once sync.Once
	once.Do(func() {})
	x := 0
	oneByOne(
		func() {
			x = 1
			mu.Lock()
			once = sync.Once{}
			mu.Unlock()
		},
		func() {
			mu.Lock()
			once.Do(func() { x = 2 })
			mu.Unlock()
		},
	)
	use(x)
}

// It swaps behind the section that makes the variable new, and nowhere else.
func cleanAtomicRenewed() {
	var mu sync.Mutex
	var set atomic.Bool
	set.Store(true)
	x := 0
	oneByOne(
		func() {
			x = 1
			mu.Lock()
			set = atomic.Bool{}
			mu.Unlock()
		},
		func() {
			mu.Lock()
			if set.CompareAndSwap(false, true) {
				x = 2
			}
			mu.Unlock()
		},
	)
	use(x)
}
