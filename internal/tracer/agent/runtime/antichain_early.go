//go:build antichain_traced

package runtime

import "unsafe"

// Deadlines that pass early. The clock of a steered run stands still while goroutines run, as if
// code took no time. With some seeds a goroutine is slow: all others run first, and then the clock
// moves on to a deadline although that goroutine can go on. There are few of these early firings in
// a run, and the header says which: a failure may rest on one, and then it shows in no run without
// it.

// antichainEarlyFiring is what the header says of one.
type antichainEarlyFiring struct {
	kind     uint64 // antichainEarlySleep...
	duration int64
	at       [antichainEarlyPCs]uint64 // where a goroutine could go on
	set      [antichainEarlyPCs]uint64 // where one slept or set the timer
}

// The layout is the one of package ring, or this does not compile.
var (
	_ [antichainEarlySize]struct{}     = [unsafe.Sizeof(antichainEarlyFiring{})]struct{}{}
	_ [antichainEarlyDuration]struct{} = [unsafe.Offsetof(antichainEarlyFiring{}.duration)]struct{}{}
	_ [antichainEarlyAt]struct{}       = [unsafe.Offsetof(antichainEarlyFiring{}.at)]struct{}{}
	_ [antichainEarlySet]struct{}      = [unsafe.Offsetof(antichainEarlyFiring{}.set)]struct{}{}
)

// antichainSet are the timers that were set last. One may take the place of another.
var antichainSet [1024]antichainSetTimer

// antichainSetTimer is when and where a timer was set.
type antichainSetTimer struct {
	timer uintptr
	at    int64 // by the clock
	pcs   [antichainEarlyPCs]uint64
}

// antichainMostJumps bounds how many deadlines pass while a goroutine is slow.
const antichainMostJumps = 100

// antichainMostEarly is how early a deadline passes at most, in nanoseconds. A goroutine that can
// run gets a processor in that time, however busy the machine is.
const antichainMostEarly = 10e9

// antichainBeSlow makes gp, the caller, wait until all others have run and then, if early firings
// are left, until the next deadline has passed, a few of them, or some deadline. x is random. It
// reports whether one has passed: now and then the lottery draws which goroutine goes on then.
func antichainBeSlow(gp *g, x uint64) bool {
	jumps, until := 1, int64(maxWhen)
	switch x >> 8 % 4 {
	case 0:
		jumps = 2 << (x >> 16 % 3)
	case 1:
		jumps, until = antichainMostJumps, 0
	}
	antichainGiveWay(gp)
	s, early := &antichainState(gp).steered, uint32(0)
	s.late = true
	for range jumps {
		mcall(gosched_m)
		if until == 0 {
			until = antichainSomeDeadline(x)
		}
		next := antichainNextTimer()
		tooFar := next > until || next > nanotime()+antichainMostEarly
		if next == maxWhen || tooFar || antichainSteering.lottery.isUnfair() {
			break // the last case: others may go on
		}
		if early == 0 {
			early = antichainNextEarly()
		}
		if early == 0 {
			break
		}
		antichainNoteEarly(gp, early-1)
		antichainMoveOn(next)
	}
	if early != 0 && x>>24%4 != 0 {
		mcall(gosched_m) // those that it was early for run first
	}
	s.late = false
	return early != 0
}

// antichainNextEarly returns the number of the next early firing, from 1, and 0 if it is left out
// or there were enough.
func antichainNextEarly() uint32 {
	early := antichainWord32(antichainOffEarly)
	if *early >= *antichainWord32(antichainOffEarlyMost) {
		return 0
	}
	*early++
	if *antichainWord32(antichainOffEarlySkip)>>(*early-1)&1 != 0 {
		return 0
	}
	return *early
}

// antichainEachTimer calls f for the timers of the program that fire soon. A timer of a channel is
// in a heap only if a goroutine waits there.
func antichainEachTimer(f func(t *timer)) {
	end := nanotime() + antichainFarOff
	mp := acquirem() // keeps the processors
	for _, pp := range allp {
		lock(&pp.timers.mu)
		for _, x := range pp.timers.heap {
			t := x.timer
			_, sleeps := t.arg.(*g)
			if antichainFiresBefore(t, maxWhen) && (sleeps || t.isChan || antichainFiresBefore(t, end)) {
				f(t)
			}
		}
		unlock(&pp.timers.mu)
	}
	releasem(mp)
}

// antichainNextTimer returns when the next timer of the program fires, maxWhen if none does soon.
func antichainNextTimer() (next int64) {
	next = maxWhen
	antichainEachTimer(func(t *timer) { next = min(next, t.when) })
	return next
}

// antichainLastTimer returns when the last timer of the program fires that does so by then; 0 if
// none does.
func antichainLastTimer(then int64) (last int64) {
	antichainEachTimer(func(t *timer) {
		if t.when <= then {
			last = max(last, t.when)
		}
	})
	return last
}

// antichainSomeDeadline returns when some timer of the program fires.
func antichainSomeDeadline(x uint64) (when int64) {
	n := uint64(0)
	antichainEachTimer(func(t *timer) {
		if n++; mixed(x+n)%n == 0 {
			when = t.when
		}
	})
	return when
}

// antichainNoteEarly notes that the next timer fires early, the n-th one that does, though gp can
// go on.
func antichainNoteEarly(gp *g, n uint32) {
	note := (*antichainEarlyFiring)(add(antichainHeader, antichainOffFirings+uintptr(n)*antichainEarlySize))
	next := antichainNextTimer()
	*note = antichainEarlyFiring{}
	antichainWalkOut(note.at[:], gp, getfp())
	antichainEachTimer(func(t *timer) {
		if note.kind != 0 || t.when != next {
			return
		}
		if sleeper, _ := t.arg.(*g); sleeper != nil {
			note.kind, note.duration = antichainEarlySleep, antichainState(sleeper).steered.sleeps
			antichainWalkOut(note.set[:], sleeper, sleeper.sched.bp)
			return
		}
		note.kind = antichainEarlyTimer
		if set := antichainSetting(t); set.timer == uintptr(unsafe.Pointer(t)) {
			note.set, note.duration = set.pcs, t.when-set.at
			if t.period > 0 {
				note.duration = t.period
			}
		}
	})
}

// antichainSetting returns the place of a timer among those that were set.
func antichainSetting(t *timer) *antichainSetTimer {
	return &antichainSet[mixed(uint64(uintptr(unsafe.Pointer(t))))%uint64(len(antichainSet))]
}

// antichainNoteSet notes that the caller sets a timer.
func antichainNoteSet(t *timer) {
	if antichainSeed == 0 {
		return
	}
	set := antichainSetting(t)
	set.timer, set.at = uintptr(unsafe.Pointer(t)), nanotime()
	set.pcs = [antichainEarlyPCs]uint64{}
	antichainWalkOut(set.pcs[:], getg(), getfp())
}

// antichainNoteDeadline notes that the caller sets a deadline of a file or connection.
func antichainNoteDeadline(pd *pollDesc) {
	antichainNoteSet(&pd.rt)
	antichainNoteSet(&pd.wt)
}

// antichainSleep notes that the caller is about to sleep. It yields if that takes no time.
func antichainSleep(ns int64) {
	if ns <= 0 {
		antichainGosched()
	}
	if antichainSeed != 0 {
		antichainState(getg()).steered.sleeps = ns
	}
}
