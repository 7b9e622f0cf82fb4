// leak: goroutines that must finish before the program ends, but may not.
//
// Reported is a goroutine that runs a function which must finish, if the program can return from
// main, or call os.Exit, before the function has finished. A line in a .tl file names these
// functions:
//
//	must_finish save, main."(*journal).flush"
//
// Names may lack the package, or its path. Without such a line nothing is checked.
//
// Not reported are goroutines that main waits for, by a channel, a WaitGroup or anything else
// that orders their end before its own.
package main

import (
	"sync"
	"time"
)

// unfinished returns while something is being saved.
func unfinished() {
	go func() { // want leak "observed"
		time.Sleep(time.Hour)
	}()
}

// finishedByChance returns late enough, it thinks.
func finishedByChance() {
	go func() { // want leak "predicted"
		time.Sleep(time.Millisecond)
	}()
	pause(500 * time.Millisecond)
}

// waitedFor waits for everything to be saved.
//
// want none
func waitedFor() {
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			defer wg.Done()
			time.Sleep(time.Millisecond)
		}()
	}
	wg.Wait()
}

// notNamed leaves behind a goroutine that may be left behind.
//
// want none
func notNamed() {
	go func() {
		time.Sleep(time.Hour)
	}()
}
