//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// The clock of a run that is steered or keeps a schedule. It stands still while goroutines run, and
// moves on to the next deadline when none can go on: a sleep takes no time, and a deadline passes
// only if everybody waits for it, however slow the machine is. The runtime's clock for playgrounds
// (faketime) is like that, but knows nothing of the outside world of the program. A goroutine that
// waits there, for the network or in a system call, needs real time, and so the clock goes on with
// real time as long as everybody waits.
//
// nanotime shows this clock to timers and to the runtime. The program reads a slightly later time;
// see antichain_reading.go. The few parts of the runtime that need real time ask nanotime1.

// antichainTime is the state of the clock.
var antichainTime struct {
	stands bool  // there is such a clock; does not change after package initialisation
	shows  int64 // changed atomically
	day    int64 // what is to be added for nanoseconds since 1970
	ahead  int64 // see antichain_reading.go; changed atomically

	moves  int64 // how often it was moved on to a deadline
	polls  int32 // how often the program read it, or yielded, since then
	spins  int32 // operations that brought nothing new since then, without any that did
	spun   int64 // what it showed when these became many
	slices int32 // time slices that were over since it was moved on
	passes int64 // when it went by at last, in real time; see antichainGoesBy
	silent int64 // since when all wait, some for the outside world, in real time; 0: they do not
	goes   int64 // up to when real time has gone by since
	quiet  int64 // for how long nothing has come from outside while no processor had anything to do
	polled int64 // when sysmon has last looked at the network, in real time
}

// Nanoseconds.
const (
	antichainSlice = 10e6 // a time slice
	// Deadlines that are so close to each other pass at once, and chance decides which goroutine
	// goes first, as with timers of the kernel. Reading the clock before a sleep decides nothing.
	antichainTogether = 50e3
	antichainSilence  = 10e6 // how long nothing comes from outside before the clock moves on
	antichainNapLess  = 20e3 // between two looks at goroutines that run; doubled as long as they do
	antichainNapMore  = 1e6
)

const (
	// Whoever reads the clock, yields or looks for news again and again waits for time to go by.
	// From this number on each time takes so many nanoseconds.
	antichainReadings = 1000
	antichainReading  = 10e3
	// Goroutines that compute for so many time slices are slow, and time goes by.
	antichainComputes = 100
	// Moves that take no time. The clock of a program that does not end, and does something now
	// and then, keeps real time after so many.
	antichainMoves = 10_000
)

// antichainStandStill begins with that clock.
func antichainStandStill() {
	t := &antichainTime
	sec, nsec, mono := time_now()
	t.shows, t.day = mono, sec*1e9+int64(nsec)-mono
	t.stands = true
	antichainPaceBegins()
}

// antichainNanotime is the clock that timers see.
//
//go:nosplit
func antichainNanotime() int64 {
	if antichainTime.stands {
		return atomic.Loadint64(&antichainTime.shows)
	}
	return nanotime1()
}

// antichainPollsTime notes that a goroutine may wait for time to go by without saying so.
func antichainPollsTime() {
	if t := &antichainTime; !t.stands {
		return
	} else if t.polls < antichainReadings {
		t.polls++
	} else {
		antichainGoesBy(antichainReading)
	}
}

// antichainSliceIsOver notes that gp has run for a time slice.
func antichainSliceIsOver(gp *g) {
	t := &antichainTime
	if !t.stands || gp.racectx == 0 || antichainState(gp).steered.late {
		return
	}
	if t.slices++; t.slices > antichainComputes {
		antichainGoesBy(antichainSlice)
	}
}

// antichainGoesBy lets time go by although goroutines run.
func antichainGoesBy(ns int64) {
	t := &antichainTime
	if !antichainKeepsPace() {
		*antichainWord32(antichainOffSlow) = 1
	} else {
		now := nanotime1()
		ns, t.passes = min(ns, now-t.passes), now
	}
	atomic.Xaddint64(&t.shows, ns)
}

// antichainMoveOn moves the clock on to then, when a timer fires, and to those close to it.
func antichainMoveOn(then int64) {
	t := &antichainTime
	then = max(then, antichainLastTimer(then+antichainTogether))
	t.moves++
	t.polls, t.spins, t.slices, t.silent, t.quiet = 0, 0, 0, 0, 0
	if then > t.shows {
		atomic.Storeint64(&t.shows, then)
	}
}

// antichainNetpoll takes the place of netpoll where no processor has anything to do.
func antichainNetpoll(delay int64) (gList, int32) {
	if !antichainTime.stands || delay == 0 {
		return netpoll(delay)
	}
	until := int64(maxWhen) // when the next timer of the runtime fires, too
	if delay > 0 {
		until = nanotime() + delay
	}
	t, nap := &antichainTime, int64(antichainNapLess)
	for {
		next, others := antichainNextTimer(), antichainWaitingFor(nil)
		if others == antichainSomeRun {
			usleep(uint32(nap / 1e3))
			nap, t.quiet = min(2*nap, antichainNapMore), 0
			if list, delta := netpoll(0); !list.empty() {
				return list, delta
			}
			continue
		}
		if next < maxWhen && antichainMayMove(others, t.quiet) {
			if list, delta := netpoll(0); !list.empty() {
				return list, delta
			}
			antichainMoveOn(next)
			return gList{}, 0
		}
		next = min(next, until)
		since := nanotime1()
		list, delta := netpoll(min(antichainSilence, max(1, next-nanotime())))
		passed := nanotime1() - since
		if t.quiet += passed; !list.empty() {
			t.quiet = 0
		}
		if antichainWaitingFor(nil) != antichainSomeRun {
			atomic.Xaddint64(&t.shows, min(passed, max(0, next-nanotime())))
		}
		return list, delta // it comes back if there is nothing else: a timer may be stopped
	}
}

// antichainRealTime lets real time go by where all wait but the caller, a goroutine that waits in a
// loop, and some of them for the outside world. It returns for how long.
func antichainRealTime() int64 {
	t, now := &antichainTime, nanotime1()
	if t.silent == 0 {
		t.silent, t.goes = now, now
	}
	atomic.Xaddint64(&t.shows, now-t.goes)
	t.goes = now
	return now - t.silent
}

// antichainMayMove reports whether the clock moves on to the next deadline, when the goroutines
// wait for that and nothing has come from outside for so long.
func antichainMayMove(others int, quiet int64) bool {
	switch {
	case antichainTime.moves >= antichainMoves:
		return false
	case others == antichainWaitsInside:
		return true
	case others == antichainWaitsNetwork && quiet >= antichainSilence && !antichainKeepsPace():
		*antichainWord32(antichainOffSlow) = 1
		return true
	}
	return false
}

// antichainKeepsPace reports whether time goes by only as it really does, but where goroutines wait
// for nothing but each other and deadlines.
func antichainKeepsPace() bool {
	return *antichainWord32(antichainOffEarlySkip)&antichainEarlyPace != 0
}

// Reasons for which the goroutines of the program wait.
const (
	antichainWaitsInside  = iota // for each other, or for time
	antichainWaitsNetwork        // some for the network, or another file that can be polled
	antichainWaitsCall           // some in a system call
	antichainSomeRun             // some do not wait
)

// antichainWaitingFor returns why all goroutines wait but except, and but those that are kept back
// as that one is; except is nil if there is none.
func antichainWaitingFor(except *g) (most int) {
	written, calls := atomic.Load64(antichainWord64(antichainOffProd)), 0
	forEachGRace(func(gp *g) {
		if gp == except || gp.racectx == 0 || except != nil && antichainState(gp).kept.awaits {
			return
		}
		switch antichainWaitsFor(gp) {
		case antichainMissedRuns:
			most = max(most, antichainSomeRun)
		case antichainMissedWorld:
			if readgstatus(gp)&^_Gscan == _Gsyscall {
				calls++
			} else {
				most = max(most, antichainWaitsNetwork)
			}
		}
	})
	if sig.state.Load() == sigReceiving {
		calls-- // that of package os/signal
	}
	switch {
	case written != atomic.Load64(antichainWord64(antichainOffProd)):
		return antichainSomeRun // a goroutine may have been woken by one that was seen later
	case calls > 0:
		return max(most, antichainWaitsCall)
	}
	return most
}

// antichainPollsLate reports whether the network was not looked at for long. now is real time.
func antichainPollsLate(last, now int64) bool {
	const late = 10e6
	t := &antichainTime
	if !t.stands {
		return last+late < now
	}
	if now-t.polled < late {
		return false
	}
	t.polled = now
	return true
}
