//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// Orders that are rare otherwise. Who starts a goroutine is usually far ahead when that begins, on
// another processor that had to be woken, and so some orders hardly ever come about by themselves. While
// operations are recorded a goroutine now and then lets others go first that can run, as in Edelstein,
// Farchi, Nir, Ratsaby, Ur, Multithreaded Java Program Test Generation (IBM Systems Journal 41(1), 2002).
// The scheduler may have it do so at any time. Nobody waits for what cannot run yet, or sleeps.
//
// A goroutine does that mostly at its first operations, and the later the more rarely, so that a loop
// of operations costs next to nothing more: n of them some log n times. How it begins is drawn too: there
// are bugs that need one goroutine to be slow and another one not.
//
// Where many can run, all of them go first. Who holds what they want, a lock that is tried again and again,
// then makes each of them try in vain; if each that gets it did so, n would make n*n attempts. So who would
// let a crowd go first does that the more rarely the larger it is.

// antichainPerturbing reports whether goroutines let others go first in a schedule that is not steered. It
// does not change after package initialisation.
var antichainPerturbing bool

// antichainFirstRates is how many ways to begin there are: with one chance in 2 to let others go first, in
// 3, and so on.
const antichainFirstRates = 8

// antichainCrowd is from how many on those who would go first make it rarer: twice as many, half as often.
const antichainCrowd = 16

// antichainPerturb is a turn in a schedule that is not steered.
func antichainPerturb() {
	gp := getg()
	s := antichainState(gp)
	if s.yieldRate == 0 {
		s.yieldRate = 1 + cheaprandn(antichainFirstRates)
	}
	s.yieldRate = max(s.yieldRate, s.yieldRate+1)
	if cheaprandn(s.yieldRate) != 0 || gp.racectx == 0 || !antichainFree(gp) {
		return
	}
	others := antichainWaiting(gp.m.p.ptr())
	if others == 0 || cheaprandn(1+others/antichainCrowd) != 0 {
		return
	}
	mcall(gosched_m)
}

// antichainWaiting returns how many goroutines would run before one that lets others go first on pp. It
// is out of date at once.
func antichainWaiting(pp *p) uint32 {
	n := pp.runqtail - atomic.Load(&pp.runqhead) + uint32(sched.runq.size)
	if pp.runnext != 0 {
		n++
	}
	return n
}
