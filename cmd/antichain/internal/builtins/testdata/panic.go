// panic: goroutines that panic when function main has returned, or its goroutine has called
// os.Exit.
//
// A program that ends takes its goroutines with it, so a goroutine may not reach the statement in
// which it panics. Before the program ends antichain waits for goroutines that can still run, or
// sleep for a short time; --linger sets the longest time. Reported is a goroutine that panics in
// that time, or fails in a way that cannot be recovered, as by concurrent writes of a map. The
// exit code of the program is the same as without the wait.
//
// Not reported are panics while the program runs: they end it. A panic for the misuse of a
// channel, WaitGroup or lock is reported as a violation of closed, waitgroup or unlock.
package main

import "time"

// mapIsNil writes to a map that nobody has made, a little later.
func mapIsNil() {
	var hits map[string]int
	go func() {
		time.Sleep(50 * time.Millisecond)
		hits["/"]++ // want panic "panics"
	}()
}

// calledBack indexes a slice that is too short, in a function of a timer.
func calledBack() {
	var all []int
	time.AfterFunc(50*time.Millisecond, func() {
		all[1]++ // want panic "panics"
	})
}

// recovered recovers its panic.
//
// want none
func recovered() {
	var hits map[string]int
	go func() {
		defer func() { recover() }()
		time.Sleep(50 * time.Millisecond)
		hits["/"]++
	}()
}

// panicsLater would panic after a time for which nobody waits.
//
// want none
func panicsLater() {
	go func() {
		time.Sleep(time.Hour)
		panic("late")
	}()
}
