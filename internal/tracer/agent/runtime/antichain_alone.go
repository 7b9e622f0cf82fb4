//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// Keeping nothing but a schedule. A run that is to begin with an order of all its operations must
// not have others in between. So a goroutine without a further step waits for all steps. One that
// has a step goes on to it, past what is no step: operations of kinds that steps cannot have.

// antichainKeepBack makes the caller wait before an operation until all steps are done, if it has
// no further step and what is no step comes behind them.
func antichainKeepBack() {
	gp := getg()
	if !antichainToKeep.alone || gp.m == nil || gp.racectx == 0 || gp != gp.m.curg || gp.raceignore != 0 {
		return
	}
	s := &antichainState(gp).kept
	if s.next == 0 {
		s.next = antichainNextStep(s.class, 0)
	}
	initialises := s.class == 0 && !antichainAllStarted()
	if s.next == antichainNoStep && s.doing == 0 && !initialises && antichainFree(gp) {
		antichainAwaitStep(antichainToKeep.ordered)
	}
}

// antichainAllStarted reports whether all goroutines of the steps have been started. Before that,
// main may be initialising packages, and has to start them.
func antichainAllStarted() bool {
	for i := range antichainToKeep.starts {
		start := antichainStartAt(i)
		if atomic.Load(&start.seen) < max(start.nth, 1) {
			return false
		}
	}
	return true
}
