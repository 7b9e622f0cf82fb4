//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// The clock of a program that keeps a schedule. A goroutine that is kept back may wait for one that
// sleeps, or for a timer. If no other goroutine can go on, the clock that the program sees is moved
// on to when that ends, as in a bubble of testing/synctest: time.Now, timers and sleeps all see it.
// A program that is suspended for so long, while the world outside is silent, runs as this one.
// While a goroutine is in a system call or waits for the network, the clock is left alone: another
// process would have had the time, too.

// antichainAhead is by how many nanoseconds the clock was moved on. It is added to each reading.
var antichainAhead int64

// antichainMoved is the state of what moves the clock.
var antichainMoved struct {
	moving       uint32 // 1: a goroutine looks whether to move it
	moves, since uint32 // how often it was moved since so many steps were done
}

// The clock is moved on by so many nanoseconds at most. Timers with functions that fire later do
// not count: they end what has hung, as that of package testing does.
const antichainFarOff = 300e9

// antichainMoveClock moves the clock on to when the next timer of the program fires, if no
// goroutine can go on but the caller and others that are kept back.
func antichainMoveClock() {
	clock := &antichainMoved
	if atomic.Load(&clock.moving) != 0 || !atomic.Cas(&clock.moving, 0, 1) {
		return
	}
	if next := antichainNextTimer(); next < maxWhen && antichainAllWait() {
		if by := next - nanotime(); by > 0 && antichainAhead+by <= antichainFarOff {
			atomic.Xaddint64(&antichainAhead, by)
			if antichainTime.stands {
				antichainMoveOn(next)
			}
			shown := (*uint64)(add(antichainToKeep.base, antichainScheduleAhead))
			atomic.Store64(shown, uint64(antichainAhead))
			if done := atomic.Load(antichainStepsDone()); clock.since != done {
				clock.since, clock.moves = done, 0
			}
			clock.moves++
			wakeNetPoller(next)
		}
	}
	atomic.Store(&clock.moving, 0)
}

// antichainClockMoves returns how often the clock was moved since the last step.
func antichainClockMoves() uint32 {
	if antichainMoved.since != atomic.Load(antichainStepsDone()) {
		return 0
	}
	return antichainMoved.moves
}

// antichainAllWait reports whether all goroutines but the caller are kept back, or wait for other
// goroutines or for time.
func antichainAllWait() bool { return antichainWaitingFor(getg()) == antichainWaitsInside }
