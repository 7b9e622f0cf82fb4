//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// The clock of a program that keeps a schedule. A goroutine that is kept back may wait for one that
// sleeps, or for a timer. It polls, and so the program never stands still by itself. Therefore it
// moves the clock on if no other goroutine can go on. To the program this looks as if it had been
// suspended for that time, while the outside world was silent. While a goroutine is in a system
// call or waits for the network, real time goes by: another process would have had the time, too.

// antichainAhead is the number of nanoseconds by which the clock was moved on.
var antichainAhead int64

// antichainMoved is the state of moving the clock.
var antichainMoved struct {
	moving       uint32 // 1: a goroutine looks whether to move it
	moves, since uint32 // moves: how often it was moved after since steps were done
}

// antichainFarOff bounds, in nanoseconds, how far the clock is moved on in all. Timers with
// functions that fire later do not count: they end what has hung, as that of package testing does.
const antichainFarOff = 300e9

// antichainMoveClock moves the clock on to when the next timer of the program fires, if no
// goroutine can go on but the caller and others that are kept back.
func antichainMoveClock() {
	clock := &antichainMoved
	if !antichainTime.stands || atomic.Load(&clock.moving) != 0 || !atomic.Cas(&clock.moving, 0, 1) {
		return
	}
	switch others, next := antichainWaitingFor(getg()), antichainNextTimer(); {
	case others == antichainSomeRun, next == maxWhen:
		antichainTime.silent = 0
	case others == antichainWaitsInside:
		antichainMoveTo(next)
	case antichainRealTime() >= antichainSilence, next <= nanotime():
		*antichainWord32(antichainOffSlow) = 1
	}
	atomic.Store(&clock.moving, 0)
}

// antichainMoveTo moves the clock on to then, unless that is too far off.
func antichainMoveTo(then int64) {
	clock := &antichainMoved
	by := then - nanotime()
	if by <= 0 || antichainAhead+by > antichainFarOff {
		return
	}
	antichainAhead += by
	*antichainWord32(antichainOffSlow) = 1
	antichainMoveOn(then)
	atomic.Store64((*uint64)(add(antichainToKeep.base, antichainScheduleAhead)), uint64(antichainAhead))
	if done := atomic.Load(antichainStepsDone()); clock.since != done {
		clock.since, clock.moves = done, 0
	}
	clock.moves++
	wakeNetPoller(then)
}

// antichainClockMoves returns how often the clock was moved since the last step.
func antichainClockMoves() uint32 {
	if antichainMoved.since != atomic.Load(antichainStepsDone()) {
		return 0
	}
	return antichainMoved.moves
}
