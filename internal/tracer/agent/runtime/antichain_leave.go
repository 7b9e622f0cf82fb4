//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// The end of the program. It takes all goroutines with it, also those that were about to show a bug. So the main goroutine waits
// for others before it ends the program: for a moment, as what runs on other processors might go on for as long as it takes to leave;
// or, if the consumer asks for that, as long as somebody can go on by himself, but not for longer than it says. Only main waits:
// that another goroutine ends the program ought to be the last thing that happens in it.

// antichainBriefly is for how long main waits at most for others that run, unless it waits for all, in nanoseconds.
const antichainBriefly = 300e3

// antichainLeaving is told that the program is about to end, as main has returned or somebody calls os.Exit. Of a goroutine that has
// been woken and does not get so far any more nobody knows what it would have done, and so not whether those that still wait do so for
// ever.
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
	antichainOperation(antichainKindLeft, 0, 0, returned)
}

// antichainLingerBrief waits for what runs on other processors, or is taken there now. Main keeps its processor: who got that might
// compute for long.
func antichainLingerBrief(gp *g) {
	for end, quiet := nanotime()+antichainBriefly, 0; quiet < 2 && nanotime() < end; quiet++ {
		if antichainOthersRun(gp.m.p.ptr()) {
			quiet = -1
		}
		osyield()
	}
}

// antichainOthersRun reports whether there are other processors than pp, and one of them runs something, be it the garbage
// collector, or is going to as something waits here. It is out of date at once. A call of it is a place where the caller can be
// preempted, which waits in a loop.
//
//go:noinline
func antichainOthersRun(pp *p) bool {
	others := gomaxprocs - 1
	return others > 0 && (antichainWaiting(pp) > 0 || sched.npidle.Load()+sched.nmspinning.Load() < others)
}

// Where main is: not about to end the program, waiting for others, waiting for one of them to say why he panics, or done with that.
const (
	antichainMainStays = iota
	antichainMainLingers
	antichainMainListens
	antichainMainLeaves
)

// antichainMain is where main is, if it waits for all others in the end.
var antichainMain uint32

// antichainLingers reports whether main waits for others, or has: how the program exits is decided.
//
//go:nosplit
func antichainLingers() bool { return atomic.Load(&antichainMain) != antichainMainStays }

// antichainLingerMost is for how long main waits at most for all others, in nanoseconds; 0: it does not.
func antichainLingerMost() int64 {
	if !antichainHasLingering || !antichainOperations() {
		return 0
	}
	return int64(*antichainWord64(antichainOffLinger))
}

// Naps of main while it waits, in microseconds. They get longer: who has not gone on for long takes his time.
const (
	antichainNapMin = 50
	antichainNapMax = 1000
)

// antichainLinger waits until nobody goes on by himself any more within so many nanoseconds, or somebody would have ended the program.
func antichainLinger(gp *g, most int64) {
	atomic.Store(&antichainMain, antichainMainLingers)
	now := nanotime()
	end, moved, nap := now+most, now, uint32(antichainNapMin)
	steered := &antichainState(gp).steered
	steered.late = true // time decides how often it runs
	for quiet := 0; quiet < 2 && now < end && atomic.Load(&antichainMain) == antichainMainLingers; now = nanotime() {
		others := antichainWatchOthers(gp, end)
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
		if antichainSeed != 0 {
			antichainDemote(gp)
		}
		antichainYield()
		if quiet == 0 && antichainWaiting(gp.m.p.ptr()) == 0 {
			systemstack(func() { usleep(nap) })
			nap = min(2*nap, antichainNapMax)
		}
	}
	if !atomic.Cas(&antichainMain, antichainMainLingers, antichainMainLeaves) {
		for atomic.Load(&antichainMain) == antichainMainListens {
			antichainYield()
			systemstack(func() { usleep(antichainNapMin) })
		}
	}
	steered.late = false
}

// What other goroutines of the program do.
const (
	antichainOthersGone    = iota // there are none
	antichainOthersWait           // they wait for each other, or for what is outside
	antichainOthersInCalls        // so they do, but for some that are in system calls, or a processor that may be about to let one go on
	antichainOthersMove           // some can go on, or a timer will let them
)

// antichainWatchOthers says what goroutines other than self do. Timers count that fire before end.
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
		return antichainOthersMove // who was seen to wait may have been woken by who was seen later
	}
	if do < antichainOthersInCalls && antichainOthersBusy(self.m.p.ptr()) {
		return antichainOthersInCalls // one may have taken a timer, and be about to wake somebody or to start a function
	}
	return do
}

// antichainOthersBusy is antichainOthersRun that also counts processors which look for something to do: they may find it in timers of
// others.
func antichainOthersBusy(pp *p) bool {
	others := gomaxprocs - 1
	return others > 0 && (antichainWaiting(pp) > 0 || sched.npidle.Load() < others)
}

// antichainDoes says what gp does, which is not the caller. Who sleeps goes on by himself if he is to wake before end, also when the timer
// for that is not set yet.
func antichainDoes(gp *g, end int64) int {
	switch readgstatus(gp) &^ _Gscan {
	case _Gidle, _Gdead:
		return antichainOthersGone
	case _Gsyscall:
		return antichainOthersInCalls
	case _Gwaiting:
		if antichainParked(gp) {
			return antichainOthersMove
		}
		switch gp.waitreason {
		case waitReasonSleep:
			if gp.sleepWhen < end {
				return antichainOthersMove
			}
		case waitReasonGCAssistMarking, waitReasonGCAssistWait, waitReasonGCSweepWait:
			return antichainOthersMove
		}
		return antichainOthersWait
	case _Grunnable, _Grunning, _Gcopystack, _Gpreempted:
		return antichainOthersMove
	}
	return antichainOthersGone // kept for a thread of C
}

// antichainTimerFires reports whether a timer of the program fires before end.
func antichainTimerFires(end int64) (fires bool) {
	mp := acquirem() // so that the processors stay
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

// antichainFiresBefore reports whether a timer fires before end and is the program's. The timers of its processor are locked.
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

// antichainEndsLinger has main end the program, and the caller wait for that.
func antichainEndsLinger() {
	atomic.Cas(&antichainMain, antichainMainLingers, antichainMainLeaves)
	gopark(nil, nil, waitReasonPanicWait, traceBlockForever, 1)
}

// antichainPanics is called when the caller would end the program by a panic that nobody recovers. While main waits for others it
// only ends the waiting: without that the program would have ended before, and not by this. It returns otherwise.
func antichainPanics(msgs *_panic) {
	if antichainLingers() && antichainFree(getg()) {
		runningPanicDefers.Add(-1)
		antichainDies(func() { printpanics(msgs) })
	}
}

// antichainFails is antichainPanics for what nobody can recover.
func antichainFails(text string) {
	if antichainLingers() && antichainFree(getg()) {
		antichainDies(func() { print("fatal error: ", text, "\n") })
	}
}

// antichainDies records that the caller panics, says why and where, and has main end the program. Who comes after another one does
// not get so far: the program would have ended by the first.
func antichainDies(say func()) {
	gp := getg()
	if !atomic.Cas(&antichainMain, antichainMainLingers, antichainMainListens) {
		antichainEndsLinger()
	}
	antichainMisuse(nil, antichainMisusePanic)
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
