//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"internal/stringslite"
)

// The end of the program. It ends all goroutines, also those that were about to show a bug. So the
// main goroutine waits for others before it ends the program: for a moment, since goroutines on
// other processors might run on during the exit; or, if the consumer asks for that, as long as
// another goroutine can run, but not longer than requested. Only main waits: if another goroutine
// ends the program, that should be the last action in it.

// antichainBriefly is the time that main waits at most for running goroutines, unless it waits for
// all, in nanoseconds.
const antichainBriefly = 300e3

// antichainLeaving is called when the program is about to end, since main has returned or a
// goroutine calls os.Exit. A goroutine that has been woken and no longer gets to run could have
// woken others: whether those wait forever would be unknown.
func antichainLeaving(returned uintptr) {
	gp := getg()
	if gp.goid != 1 && antichainLingers() && antichainFree(gp) {
		antichainEndsLinger() // and main the program
	}
	if antichainScheduled {
		antichainKeepLeaving()
	}
	if gp.goid == 1 && antichainFree(gp) {
		if most := antichainLingerMost(); most > 0 {
			antichainLinger(gp, most)
		} else if antichainPerturbing {
			antichainLingerBrief(gp)
		}
	}
	if antichainChecks != nil && antichainOperations() {
		why := antichainEnds
		if returned == 0 {
			why = antichainExits
		}
		antichainChecks(antichainMaxMarking, why)
	}
	antichainOperation(antichainKindLeft, 0, 0, returned)
}

// antichainChecks finds the goroutines that are cut off: see reachability.go. It is nil if the
// release of Go lacks what that needs.
var antichainChecks func(most int64, why int)

// Reasons for a check.
const (
	antichainGoesOn = iota // the consumer asks, and the program goes on
	antichainEnds          // the program is about to end
	antichainExits         // the same, since the caller exits, which may have been about to do more
)

// antichainMaxMarking is for how long a check goes on after marking has come to an end for the
// first time, in nanoseconds. A chain of goroutines that wait for each other takes a phase for each
// of them. Whether the goroutines that are left then are cut off is not known.
const antichainMaxMarking = 2e9

// antichainLingerBrief waits for goroutines that run on other processors, or are being moved there.
// Main keeps its processor: another goroutine on it might compute for long.
func antichainLingerBrief(gp *g) {
	for end, quiet := nanotime1()+antichainBriefly, 0; quiet < 2 && nanotime1() < end; quiet++ {
		if antichainOthersRun(gp.m.p.ptr()) {
			quiet = -1
		}
		osyield()
	}
}

// antichainOthersRun reports whether there are other processors than pp, and one of them runs
// something, be it the garbage collector, or is about to as something waits here. The result is
// outdated at once. A call of it is a preemption point for the caller, which waits in a loop.
//
//go:noinline
func antichainOthersRun(pp *p) bool {
	others := gomaxprocs - 1
	return others > 0 && (antichainWaiting(pp) > 0 || sched.npidle.Load()+sched.nmspinning.Load() < others)
}

// The state of main: not about to end the program, waiting for others, waiting for a panicking
// goroutine to print its reason, or done with that.
const (
	antichainMainStays = iota
	antichainMainLingers
	antichainMainListens
	antichainMainLeaves
)

// antichainMain is the state of main, if it waits for all others in the end.
var antichainMain uint32

// antichainLingers reports whether main waits for others, or has: the exit of the program is
// decided.
//
//go:nosplit
func antichainLingers() bool { return atomic.Load(&antichainMain) != antichainMainStays }

// antichainLingerMost returns the time that main waits at most for all others, in nanoseconds; 0 if
// it does not wait.
func antichainLingerMost() int64 {
	if !antichainHasLingering || !antichainOperations() {
		return 0
	}
	return int64(*antichainWord64(antichainOffLinger))
}

// Naps of main while it waits, in microseconds. They get longer: a goroutine that has been slow so
// far will stay slow.
const (
	antichainNapMin = 50
	antichainNapMax = 1000
)

// antichainLinger waits until no goroutine can run within so many nanoseconds, or one would have
// ended the program.
func antichainLinger(gp *g, most int64) {
	atomic.Store(&antichainMain, antichainMainLingers)
	now, until := nanotime1(), nanotime()+most // by the clock that the program sees
	end, moved, nap := now+most, now, uint32(antichainNapMin)
	steered := &antichainState(gp).steered
	steered.late = true // steering decides by time how often it runs
	for quiet := 0; quiet < 2 && now < end && atomic.Load(&antichainMain) == antichainMainLingers; now = nanotime1() {
		others := antichainWatchOthers(gp, until)
		if others == antichainOthersGone {
			break
		}
		quiet++
		if others == antichainOthersMove {
			moved = now
		}
		if others == antichainOthersMove || others == antichainOthersInCalls && now-moved < antichainInCall {
			quiet = 0
		}
		if antichainTime.stands {
			antichainLetTime(gp, until)
		}
		antichainYield()
		if quiet == 0 && antichainWaiting(gp.m.p.ptr()) == 0 {
			systemstack(func() { usleep(nap) })
			nap = min(2*nap, antichainNapMax)
		}
	}
	if !atomic.Cas(&antichainMain, antichainMainLingers, antichainMainLeaves) {
		antichainWaitWhile(func() bool { return atomic.Load(&antichainMain) == antichainMainListens })
	}
	steered.late = false
}

// The states of other goroutines of the program.
const (
	antichainOthersGone = iota // there are none
	antichainOthersWait        // they wait for each other, or for events from outside
	// the same, except for some in system calls, or a processor that may be about to wake one
	antichainOthersInCalls
	antichainOthersMove // some can run, or a timer will wake them
)

// antichainLetTime moves the clock of the run on, if all goroutines but gp, the caller, wait,
// to what happens next by then.
func antichainLetTime(gp *g, until int64) {
	next, others := antichainNextTimer(), antichainWaitingFor(gp)
	switch {
	case next >= until || others == antichainSomeRun:
		antichainTime.silent = 0
	case others == antichainWaitsInside || antichainMayMove(others, antichainRealTime()):
		antichainMoveOn(next)
	}
}

// antichainWatchOthers returns the state of goroutines other than self. It considers timers that
// fire before end.
func antichainWatchOthers(self *g, end int64) int {
	written := atomic.Load64(antichainWord64(antichainOffProd))
	do := antichainOthersGone
	forEachGRace(func(gp *g) {
		if gp != self && gp.racectx != 0 {
			do = max(do, antichainDoes(gp, end))
		}
	})
	if do != antichainOthersMove && antichainTimerFires(end) {
		return antichainOthersMove
	}
	if do != antichainOthersGone && written != atomic.Load64(antichainWord64(antichainOffProd)) {
		// a waiting goroutine may have been woken by one that was seen later
		return antichainOthersMove
	}
	if do < antichainOthersInCalls && antichainOthersBusy(self.m.p.ptr()) {
		// one may have taken a timer, and be about to wake a goroutine or to start a function
		return antichainOthersInCalls
	}
	return do
}

// antichainOthersBusy is antichainOthersRun that also counts processors which look for something to
// do: they may find it in timers of others.
func antichainOthersBusy(pp *p) bool {
	others := gomaxprocs - 1
	return others > 0 && (antichainWaiting(pp) > 0 || sched.npidle.Load() < others)
}

// antichainDoes returns the state of gp, which is not the caller. A sleeping goroutine can run if
// it is to wake before end, even if its timer is not set yet.
func antichainDoes(gp *g, end int64) int {
	switch waits := antichainWaitsFor(gp); {
	case waits == antichainGone:
		return antichainOthersGone
	case waits == antichainMissedRuns, waits == antichainMissedTime && gp.sleepWhen < end:
		return antichainOthersMove
	case waits == antichainMissedWorld && readgstatus(gp)&^_Gscan == _Gsyscall:
		return antichainOthersInCalls
	}
	return antichainOthersWait
}

// antichainTimerFires reports whether a timer of the program fires before end.
func antichainTimerFires(end int64) (fires bool) {
	mp := acquirem() // keeps the processors
	for _, pp := range allp {
		lock(&pp.timers.mu)
		for i := range pp.timers.heap {
			if antichainFiresBefore(pp.timers.heap[i].timer, end) {
				fires = true
				break
			}
		}
		unlock(&pp.timers.mu)
	}
	releasem(mp)
	return fires
}

// antichainFiresBefore reports whether a timer fires before end and is the program's. The timers of
// its processor are locked.
func antichainFiresBefore(t *timer, end int64) bool {
	lock(&t.mu)
	ours := true
	switch who := t.arg.(type) {
	case *g:
		ours = who.racectx != 0
	case *scavengerState:
		ours = false
	}
	fires := ours && t.state&timerZombie == 0 && t.when < end
	unlock(&t.mu)
	return fires
}

// antichainEndsLinger makes main end the program, and the caller wait for that.
func antichainEndsLinger() {
	atomic.Cas(&antichainMain, antichainMainLingers, antichainMainLeaves)
	gopark(nil, nil, waitReasonPanicWait, traceBlockForever, 1)
}

// antichainPanics is called when the caller is about to end the program by an unrecovered panic.
// While main waits for others it only ends the waiting: without the waiting the program would have
// ended before. It returns otherwise.
func antichainPanics(msgs *_panic) {
	gp := getg()
	if !antichainFree(gp) {
		return
	}
	if antichainLingers() {
		runningPanicDefers.Add(-1)
		antichainDies(func() { printpanics(msgs) })
	}
	if antichainChecks == nil || !antichainOperations() {
		return
	}
	// The time of a test binary is over, or a test panics, which main waits for. Other panics must
	// not be held up: main could return first.
	switch function := funcname(findfunc(gp.startpc)); {
	case stringslite.HasPrefix(function, "testing.(*M).startAlarm"):
		antichainChecks(antichainMaxMarking, antichainEnds)
	case stringslite.HasPrefix(function, "testing."):
		antichainChecks(antichainMaxMarking, antichainExits)
	}
}

// antichainFails is antichainPanics for fatal errors.
func antichainFails(text string) {
	if antichainLingers() && antichainFree(getg()) {
		antichainDies(func() { print("fatal error: ", text, "\n") })
	}
}

// antichainDies records that the caller panics, prints why and where, and makes main end the
// program. A second panicking goroutine does not get so far: the program would have ended by the
// first.
func antichainDies(say func()) {
	gp := getg()
	if !atomic.Cas(&antichainMain, antichainMainLingers, antichainMainListens) {
		antichainEndsLinger()
	}
	antichainMisuse(nil, antichainMisusePanic)
	atomic.Store(antichainWord32(antichainOffLeft), antichainLeftPanicking)
	systemstack(func() {
		printlock()
		say()
		print("\n")
		goroutineheader(gp)
		traceback(^uintptr(0), ^uintptr(0), 0, gp)
		printunlock()
	})
	atomic.Store(&antichainMain, antichainMainLeaves)
	antichainEndsLinger()
}
