package main

import (
	"sync"
	"sync/atomic"
	"time"
)

// Programs whose sections, in an order other than the one in which goroutines come to them, do something else, so that
// their accesses to x never race. At the end is one whose sections do the same in any order.

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

// Another order of the sections would run the function of the last Do: the Once lies across two words of memory.
func cleanOnceInHalves() {
	var mu sync.Mutex
	s := new(struct {
		before int32
		once   sync.Once
	})
	s.once.Do(func() {})
	x := 0
	oneByOne(
		func() {
			s.once.Do(func() { panic("again") })
			ran := false
			mu.Lock()
			s.once.Do(func() { ran = true })
			if !ran {
				x = 1
			}
			mu.Unlock()
		},
		func() {
			mu.Lock()
			s.once = sync.Once{}
			mu.Unlock()
			x = 2
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

// More goroutines than are remembered have read both halves of a word, which were written over since: that says nothing of the sections.
func racyBehindReaders() {
	v := new(struct{ a, b int32 })
	var readers sync.WaitGroup
	for range 12 {
		readers.Go(func() { use(int(v.a + v.b)) })
	}
	readers.Wait()
	for range 3 {
		v.a++
		v.b++
	}
	var mu sync.Mutex
	x := 0
	oneByOne(
		func() {
			mu.Lock()
			x = 1 // race
			mu.Unlock()
		},
		func() {
			mu.Lock()
			v.a++
			mu.Unlock()
			x = 2 // race
		},
	)
	use(x)
}
