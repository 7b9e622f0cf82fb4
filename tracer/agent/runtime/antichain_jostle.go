//go:build antichain_traced

package runtime

// Orders that are rare otherwise. Who starts a goroutine is usually far ahead when that begins, on
// another processor that had to be woken, and so some orders hardly ever come about by themselves. While
// operations are recorded a goroutine now and then lets others go first that can run, as in Edelstein,
// Farchi, Nir, Ratsaby, Ur, Multithreaded Java Program Test Generation (IBM Systems Journal 41(1), 2002).
// The scheduler may have it do so at any time. Nobody waits for what cannot run yet, or sleeps.
//
// A goroutine does that mostly at its first operations, and the later the more rarely, so that a loop
// of operations costs next to nothing more: n of them some log n times. How it begins is drawn too: there
// are bugs that need one goroutine to be slow and another one not.

// antichainJostling reports whether goroutines let others go first in a schedule that is not steered. It
// does not change after package initialisation.
var antichainJostling bool

// antichainTempers is how many ways to begin there are: with one chance in 2 to let others go first, in
// 3, and so on.
const antichainTempers = 8

// antichainJostle is a turn in a schedule that is not steered.
func antichainJostle() {
	gp := getg()
	s := antichainState(gp)
	if s.jostled == 0 {
		s.jostled = 1 + cheaprandn(antichainTempers)
	}
	s.jostled = max(s.jostled, s.jostled+1)
	if cheaprandn(s.jostled) != 0 || gp.racectx == 0 || !antichainFree(gp) || !antichainOthers(gp.m.p.ptr()) {
		return
	}
	mcall(gosched_m)
}
