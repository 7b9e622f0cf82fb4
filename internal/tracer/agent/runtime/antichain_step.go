//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// Keeping step. A checker can halt the program right at a violation only if the program has not run
// on meanwhile. So with FlagStep a goroutine waits behind each record of the specification until
// the consumer has judged it, which it shows by giving the slots back. A round trip takes a
// thousand times as long as a record: where there are too many of them the goroutine does not wait,
// and the program halts a little later.
//
// A goroutine that waits is parked, and its processor runs others. It asks the consumer for its
// slots (OffAsked), which otherwise sleeps. The consumer wakes a thread of the agent when it has
// given some of those back. That thread is like that of sysmon: it has no processor, and makes
// goroutines runnable as sysmon does with those that wait for the network.

// A goroutine waits only as long as all of them together have waited for less than one part in
// antichainShare of the time, but in the beginning, or after a rest, for antichainCredit
// nanoseconds. A wait counts for antichainDear at most: a longer one is the fault of a busy
// machine, or of a checker that will hold the program up anyway.
const (
	antichainShare  = 8
	antichainCredit = 250e6
	antichainDear   = 1e6
)

// antichainPaid is the time up to which the waits are paid for, at that rate.
var antichainPaid int64

// antichainSolvent reports whether a goroutine may wait.
//
//go:nosplit
func antichainSolvent() bool {
	return atomic.Loadint64(&antichainPaid) < nanotime1()+antichainCredit*antichainShare
}

// antichainPay notes that a goroutine has waited since then.
//
//go:nosplit
func antichainPay(since int64) {
	now := nanotime1()
	for {
		paid := atomic.Loadint64(&antichainPaid)
		if atomic.Casint64(&antichainPaid, paid, max(paid, now)+antichainShare*min(now-since, antichainDear)) {
			return
		}
	}
}

// antichainKeepStep waits until the slots below end are given back. It comes after
// antichainPublish, and checks again whether the program is to be halted.
//
//go:nosplit
func antichainKeepStep(end uint64) {
	if atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagStep == 0 ||
		!antichainFree(getg()) || !antichainSolvent() {
		return
	}
	since := nanotime1()
	var pulse antichainPulse
	antichainWaitWhile(func() bool {
		for antichainBehind(end) {
			antichainAsk(end)
			if !antichainParkStep(end) {
				pulse.watch()
				return true
			}
		}
		return false
	})
	antichainPay(since)
	antichainPoint()
}

// antichainBehind reports whether slots below end are still to be judged by a consumer that wants
// to.
//
//go:nosplit
func antichainBehind(end uint64) bool {
	return antichainOn == antichainWriting &&
		atomic.Load64(antichainWord64(antichainOffCons)) < end &&
		atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagStep != 0
}

// Futexes of the header, which are shared with the consumer.
const (
	antichainSysFutex  = 202*antichainAMD64 + 98*antichainARM64
	antichainFutexWait = 0
	antichainFutexWake = 1
)

// antichainAsk asks the consumer for the slots below end.
//
//go:nosplit
func antichainAsk(end uint64) {
	asked := antichainWord64(antichainOffAsked)
	for was := atomic.Load64(asked); was < end; was = atomic.Load64(asked) {
		if !atomic.Cas64(asked, was, end) {
			continue
		}
		if atomic.Load(antichainWord32(antichainOffAsleep)) != 0 {
			antichainSyscall(antichainSysFutex, uintptr(unsafe.Pointer(asked)), antichainFutexWake, 1, 0)
		}
		return
	}
}

// antichainSteps are the goroutines that wait.
var antichainSteps struct {
	wakes bool // there is a thread that wakes them; does not change after package initialisation

	lock    mutex
	waiting gList  // each until antichainG.step
	count   uint32 // how many there are, with those that are about to run
}

// antichainParkStep parks the caller until the slots below end are given back, or step is no longer
// kept. It reports false if goroutines are not parked: a steered schedule would depend on time.
func antichainParkStep(end uint64) bool {
	s := &antichainSteps
	if !s.wakes {
		return false
	}
	lock(&s.lock)
	if !antichainBehind(end) {
		unlock(&s.lock)
		return true
	}
	gp := getg()
	atomic.Store64(&antichainState(gp).step, end)
	s.waiting.push(gp)
	atomic.Xadd(&s.count, 1)
	goparkunlock(&s.lock, waitReasonZero, traceBlockGeneric, 1)
	return true
}

// antichainParked reports whether gp waits for its records to be judged, or yields: the program
// knows nothing of that, and gp will run again.
//
//go:nosplit
func antichainParked(gp *g) bool {
	if !antichainHasGoroutines {
		return false
	}
	s := antichainState(gp)
	return s.back || atomic.Load64(&s.step) != 0
}

// antichainAnyParked reports whether some goroutine is parked so. If all others wait for each
// other, that is no deadlock yet.
//
//go:nosplit
func antichainAnyParked() bool { return atomic.Load(&antichainSteps.count) != 0 }

// antichainStartSteps starts the thread that wakes goroutines, if any are going to wait.
func antichainStartSteps() {
	if !antichainHasHalting || antichainSeed != 0 || atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagStep == 0 {
		return
	}
	antichainSteps.wakes = true
	systemstack(func() { newm(antichainWakeSteps, nil, -1) })
}

// How long that thread sleeps, if it is not woken: while goroutines wait the consumer may die or,
// when it is closed, request nothing more.
const (
	antichainWatchful = 2e6
	antichainAtRest   = 100e6
)

// antichainWakeSteps is the thread. It does not keep a deadlocked program alive.
//
//go:nowritebarrierrec
func antichainWakeSteps() {
	antichainIdle()
	var pulse antichainPulse
	for {
		over := antichainOn != antichainWriting
		given := atomic.Load64(antichainWord64(antichainOffCons))
		waiting := antichainWakeJudged()
		switch {
		case over && !waiting: // nor will any goroutine
			var never note
			notesleep(&never)
		case !waiting:
			pulse = antichainPulse{}
		default:
			pulse.watch()
		}
		most := int64(antichainAtRest)
		if waiting {
			most = antichainWatchful
		}
		antichainSleepWhile((*uint32)(unsafe.Pointer(antichainWord64(antichainOffCons))), uint32(given), most)
	}
}

// antichainWakeJudged makes goroutines runnable that need not wait any more, and reports whether
// there are others.
func antichainWakeJudged() bool {
	s := &antichainSteps
	var judged, rest gList
	n := int32(0)
	lock(&s.lock)
	for !s.waiting.empty() {
		gp := s.waiting.pop()
		step := &antichainState(gp).step
		if antichainBehind(*step) {
			rest.push(gp)
			continue
		}
		atomic.Store64(step, 0)
		judged.push(gp)
		n++
	}
	s.waiting = rest
	unlock(&s.lock)
	injectglist(&judged)
	return atomic.Xadd(&s.count, -n) != 0
}
