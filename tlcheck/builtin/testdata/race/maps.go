package main

import "runtime"

func gc() { runtime.GC() }

// Races on maps. What the map itself is found to be at fault for would end the program.

func racyMap() {
	m := map[int]int{}
	done := make(chan bool)
	go func() {
		m[1] = 1 // race
		close(done)
	}()
	pause()
	m[2] = 2 // race
	<-done
}

func racyMapRead() {
	m := map[string]int{"a": 1}
	done := make(chan bool)
	go func() {
		use(m["a"]) // race
		close(done)
	}()
	pause()
	m["b"] = 2 // race
	<-done
}

func racyMapLookup() {
	m := map[int32]bool{1: true}
	done := make(chan bool)
	go func() {
		_, ok := m[1] // race
		use(ok)
		close(done)
	}()
	pause()
	delete(m, 1) // race
	<-done
}

func racyMapRange() {
	m := map[int64]int{1: 1}
	done := make(chan bool)
	go func() {
		for k := range m { // race
			use(k)
		}
		close(done)
	}()
	pause()
	m[2] = 2 // race
	<-done
}

func racyMapLen() {
	m := map[int]int{}
	done := make(chan bool)
	go func() {
		use(len(m)) // race
		close(done)
	}()
	pause()
	m[2] = 2 // race
	<-done
}

func racyMapClear() {
	m := map[int]int{1: 1}
	done := make(chan bool)
	go func() {
		clear(m) // race
		close(done)
	}()
	pause()
	use(m[1]) // race
	<-done
}

func racyMapVariable() {
	m := map[int]int{}
	both(
		func() { m = map[int]int{} }, // race
		func() { use(m) },            // race
	)
}

func racyMapKey() {
	type key struct{ a, b, c, d int }
	m, k := map[key]int{}, key{}
	both(
		func() { m[k] = 1 }, // race
		func() { k.c = 1 },  // race
	)
}

func racyMapValue() {
	m := map[int]*point{1: {}}
	both(
		func() { m[1].x = 1 }, // race
		func() { m[1].x = 2 }, // race
	)
}

type service struct{ services map[string]string }

func (s *service) register(name string) { s.services[name] = name } // race
func (s *service) lookup(name string) string {
	return s.services[name] // race
}

func racyService() {
	s := &service{map[string]string{}}
	done := make(chan bool)
	go func() {
		s.register("a")
		close(done)
	}()
	pause()
	s.lookup("a")
	<-done
}

func cleanNilMap() {
	var byNumber map[int64]int
	var byName map[string]int
	nothing := func() {
		delete(byNumber, 1)
		delete(byName, "a")
		use(byNumber[1] + len(byName))
		for range byNumber {
		}
	}
	both(nothing, nothing)
}
