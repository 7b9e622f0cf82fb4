//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// Readings of the clock. The clock stands still while goroutines run, but a program that measures
// code expects that this takes some time. So each reading takes a moment, the same one in each run
// with the same seed. Timers do not see that: no deadline passes for it, and sleeps that begin
// together end together. The program therefore reads a later time than timers do, and the moment at
// which a timer fires is moved back by that lead when it is set. The lead only grows, and so no
// timer fires earlier than the program has asked for, by the clock that it reads.
//
// In a run that keeps pace a reading shows the real time since the reading before it. Timers do not
// see that either, so goroutines take the same turns, unless a goroutine decides by the time.

// antichainCodeTakes is how long the code up to a reading takes, in nanoseconds.
const antichainCodeTakes = 1e3

// antichainPace is what the clocks showed at the latest reading.
var antichainPace struct{ real, shown int64 }

// antichainPaceBegins notes what the clocks show at the beginning.
func antichainPaceBegins() {
	antichainPace.real, antichainPace.shown = nanotime1(), antichainTime.shows
}

// antichainReadsClock reads the clock for the caller.
func antichainReadsClock() int64 {
	t, gp := &antichainTime, getg()
	if t.stands && gp.racectx != 0 && gp == gp.m.curg { // a goroutine of the program
		antichainPollsTime()
		*antichainWord32(antichainOffRead) = 1
		atomic.Xaddint64(&t.ahead, antichainReadingTakes())
	}
	ahead := atomic.Loadint64(&t.ahead)
	return nanotime() + ahead
}

// antichainReadingTakes returns how long this reading takes.
func antichainReadingTakes() int64 {
	if !antichainKeepsPace() {
		return antichainCodeTakes
	}
	p, real, shown := &antichainPace, nanotime1(), nanotime()
	ns := max(1, (real-p.real)-(shown-p.shown))
	p.real, p.shown = real, shown
	return ns
}

// antichainNow is the time of day, and that of the clock.
func antichainNow() (sec int64, nsec int32, mono int64) {
	if antichainTime.stands {
		mono = antichainReadsClock()
		day := mono + antichainTime.day
		return day / 1e9, int32(day % 1e9), mono
	}
	return time_now()
}

// antichainWhen returns when a timer fires by the clock that timers see, if the program wants it to
// fire at when.
func antichainWhen(when int64) int64 {
	if getg().bubble != nil || when == maxWhen {
		return when
	}
	return when - atomic.Loadint64(&antichainTime.ahead)
}
