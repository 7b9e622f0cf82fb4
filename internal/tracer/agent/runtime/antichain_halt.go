//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"internal/stringslite"
	"unsafe"
)

// Halting. The consumer sets a bit of a word of the header, which every hook checks after its
// record and channel operations check when they begin. A goroutine that finds it set gives up its
// processor. Then the operator, an agent goroutine that the consumer talks to, makes this last: it
// disables the scheduling of user goroutines (a facility that the runtime has for its garbage
// collector), gives those that still run a little time to reach a record, and stops the world once,
// which stops the rest wherever they are. With the world started again the program stands still,
// and the collector and the operator work.
//
// The operator must not wait for a resource that a halted goroutine may own. So it halts only when
// it owns the semaphores of the runtime itself, and gives them back without handing them to a
// goroutine that could not run.

// antichainGrace is the time that a goroutine has to reach its next record, in nanoseconds.
const antichainGrace = 10e6

// antichainSched is the requested state of schedEnableUser, protected by sched.lock. halted is also
// read where timers run, and by the operator, which alone changes it.
var antichainSched struct {
	halted     bool
	collecting bool // the garbage collector wants no user goroutine to run
}

// antichainEnable filters a request of the garbage collector.
func antichainEnable(enable bool) bool {
	assertLockHeld(&sched.lock)
	antichainSched.collecting = !enable
	return enable && !antichainSched.halted
}

// antichainFrozen reports whether timers wait: a timer that fires is an action.
//
//go:nosplit
func antichainFrozen() bool { return antichainSched.halted }

// antichainHalting reports whether the program is halted, or about to be. A deadlock is reported
// only after it resumes.
//
//go:nosplit
func antichainHalting() bool {
	return antichainOn == antichainWriting && atomic.Load(antichainWord32(antichainOffHalt))&antichainHaltNow != 0
}

// antichainPoint is a place without a record where a goroutine stops.
//
//go:nosplit
func antichainPoint() {
	if antichainOn == antichainWriting && atomic.Load(antichainWord32(antichainOffHalt)) != 0 {
		antichainStop(antichainWritten())
	}
}

// antichainWritten is the end of the records so far. A goroutine that could not wait behind its
// last one waits for all of them at its next place.
//
//go:nosplit
func antichainWritten() uint64 {
	return atomic.Load64(antichainWord64(antichainOffProd)) &^ antichainClosedBit
}

// antichainBefore is a place before an operation or a record, where a goroutine waits that is held,
// or keeps step. It is no place to halt at: a goroutine that is halted at a record stands behind
// it.
//
//go:linkname antichainBefore
//go:nosplit
func antichainBefore() {
	const stays = antichainHaltHeld | antichainHaltOthers | antichainHaltStep
	if antichainOn == antichainWriting && atomic.Load(antichainWord32(antichainOffHalt))&stays != 0 {
		antichainStop(antichainWritten())
	}
}

// antichainStop stops the calling goroutine here if it holds no resource of the runtime. Otherwise
// it continues to its next record or, if all are halted, to the next place where the runtime could
// preempt it. A goroutine that keeps step waits for the records below end.
//
//go:nosplit
func antichainStop(end uint64) {
	self := getg()
	mp := self.m
	if mp == nil || self == mp.gsignal {
		return
	}
	gp := mp.curg
	if gp == nil || gp.racectx == 0 {
		return
	}
	if antichainFree(self) {
		antichainPark(end)
		return
	}
	if atomic.Load(antichainWord32(antichainOffHalt))&antichainHaltNow != 0 {
		gp.preempt = true
		gp.stackguard0 = stackPreempt
	}
}

// antichainFree reports whether the calling goroutine is on its own stack and holds no resource of
// the runtime, and so may give up its processor.
//
//go:nosplit
func antichainFree(self *g) bool {
	return self.m != nil && self == self.m.curg && self.raceignore == 0 && canPreemptM(self.m)
}

// antichainParkMax bounds how long a goroutine stays here without the operator, in nanoseconds: it
// resolves a deadlock in which the operator waits for this very goroutine, which should not happen.
const antichainParkMax = 3e9

// antichainPark runs other goroutines until the program resumes and the goroutine is no longer
// held. While the program is halted the operator keeps it off the processors.
func antichainPark(end uint64) {
	var pulse antichainPulse // the consumer may die without releasing anything
	since := nanotime1()
	antichainWaitWhile(func() bool {
		pulse.watch()
		halt := atomic.Load(antichainWord32(antichainOffHalt))
		switch {
		case antichainOn != antichainWriting:
			return false
		case halt&antichainHaltNow == 0:
			since = nanotime1()
		case nanotime1()-since < antichainParkMax:
			return true
		}
		return antichainStays(halt, end)
	})
}

// antichainStays reports whether the calling goroutine waits though the program is not halted: it
// is held, or slots below end are not judged yet.
//
//go:nosplit
func antichainStays(halt uint32, end uint64) bool {
	if halt&antichainHaltStep != 0 && atomic.Load64(antichainWord64(antichainOffCons)) < end {
		antichainAsk(end)
		return true
	}
	if halt&(antichainHaltHeld|antichainHaltOthers) == 0 {
		return false
	}
	listed := false
	for i := uintptr(0); i < antichainMaxHeld && !listed; i++ {
		listed = atomic.Load64(antichainWord64(antichainOffHeld+8*i)) == uint64(getg().racectx)
	}
	return listed == (halt&antichainHaltOthers == 0)
}

// antichainYield lets other goroutines run.
//
//go:nosplit
func antichainYield() {
	if getg().preemptStop {
		mcall(preemptPark) // the collector, for which the operator may wait, must see the stack
		return
	}
	mcall(gosched_m)
}

// The rest is for the operator.

var antichainOperator func()

// antichainOperate starts the operator. As a goroutine of the runtime it is exempt from tracing and
// halting, not counted by NumGoroutine, and never waited for.
//
//go:linkname antichainOperate
func antichainOperate(f func()) {
	antichainOperator = f
	go antichainOperatorMain()
}

func antichainOperatorMain() { antichainOperator() }

// antichainHalt halts the program, unless this version of Go cannot be halted.
//
//go:linkname antichainHalt
func antichainHalt() bool {
	if !antichainHasHalting {
		return false
	}
	atomic.Or(antichainWord32(antichainOffHalt), antichainHaltNow)
	semacquire(&work.startSema)
	semacquire(&gcsema)
	semacquire(&worldsema)
	systemstack(func() { antichainSchedule(false) })
	systemstack(func() {
		for since := nanotime1(); antichainRunning() && nanotime1()-since < antichainGrace; {
			usleep(20)
		}
	})
	antichainStopped(func() {})
	semrelease(&worldsema)
	semrelease(&gcsema)
	semrelease(&work.startSema)
	return true
}

// antichainResume resumes the program.
//
//go:linkname antichainResume
func antichainResume() {
	atomic.And(antichainWord32(antichainOffHalt), ^uint32(antichainHaltNow))
	if antichainSched.halted {
		systemstack(func() { antichainSchedule(true) })
	}
}

// antichainSchedule enables or disables the scheduling of user goroutines.
func antichainSchedule(enable bool) {
	lock(&sched.lock)
	antichainSched.halted = !enable
	collecting := antichainSched.collecting
	unlock(&sched.lock)
	schedEnableUser(!collecting)
}

// antichainRunning reports whether user code runs on some processor. It may stop at any time, and
// none begins while scheduling is disabled.
func antichainRunning() bool {
	for _, pp := range allp { // worldsema keeps it unchanged
		mp := pp.m.ptr()
		if mp == nil {
			continue
		}
		if gp := mp.curg; gp != nil && gp.racectx != 0 && readgstatus(gp)&^_Gscan == _Grunning {
			return true
		}
	}
	return false
}

// antichainStopped calls f on the system stack while the world is stopped. The caller
// owns worldsema.
func antichainStopped(f func()) {
	mp := getg().m
	mp.preemptoff = "antichain"
	systemstack(func() {
		w := stopTheWorldWithSema(stwUnknown)
		f()
		startTheWorldWithSema(0, w)
	})
	mp.preemptoff = ""
}

// antichainTask is a goroutine of the halted program.
type antichainTask struct {
	ctx    uint64
	state  uint8
	reason string
	n      int // valid entries in pcs
	pcs    [32]uintptr
}

// antichainTasks fills tasks with the goroutines from the given index on. It returns how
// many there are, and the index to go on from, 0 if that was the last one.
//
//go:linkname antichainTasks
func antichainTasks(from int, tasks []antichainTask) (n, next int) {
	semacquire(&worldsema)
	antichainStopped(func() {
		ptr, count := atomicAllG()
		i := uintptr(from)
		for ; i < count && n < len(tasks); i++ {
			if gp := atomicAllGIndex(ptr, i); antichainDescribe(gp, &tasks[n]) {
				n++
			}
		}
		if i < count {
			next = int(i)
		}
	})
	semrelease(&worldsema)
	return n, next
}

// antichainLeaked is _Gleaked, which Go 1.25 lacks: a goroutine that waits, and whose wait the
// garbage collector has found to be endless.
const antichainLeaked = 10

// antichainDescribe fills t, unless gp is no goroutine of the program.
func antichainDescribe(gp *g, t *antichainTask) bool {
	if gp.racectx == 0 {
		return false
	}
	t.reason = ""
	switch readgstatus(gp) &^ _Gscan {
	case _Grunnable, _Gpreempted, _Grunning:
		if t.state = antichainTaskStopped; antichainBetween(gp) {
			t.state = antichainTaskBetween
		}
	case _Gwaiting, antichainLeaked:
		if antichainParked(gp) {
			t.state = antichainTaskStopped
		} else {
			t.state, t.reason = antichainTaskWaiting, gp.waitreason.String()
		}
	case _Gsyscall:
		t.state = antichainTaskOutside
	default:
		return false
	}
	t.ctx = uint64(gp.racectx)
	t.n = gcallers(gp, 0, t.pcs[:])
	return true
}

// antichainBetween reports whether a goroutine that could run was stopped in the code of the
// program: at an asynchronous safe point or at the beginning of a function that is not the
// goroutine's first. Others are stopped in the runtime: at a record, after a wait, or before their
// first instruction.
func antichainBetween(gp *g) bool {
	pc := gp.sched.pc
	inRuntime := pc-antichainTextLo < antichainTextHi-antichainTextLo
	return gp.asyncSafePoint || !inRuntime && pc != gp.startpc
}

// antichainMidMap reports whether a goroutine of the halted program is changing a map. Reading that
// map would end the program.
//
//go:linkname antichainMidMap
func antichainMidMap() bool {
	found := false
	semacquire(&worldsema)
	antichainStopped(func() {
		forEachGRace(func(gp *g) {
			if status := readgstatus(gp) &^ _Gscan; gp.racectx == 0 || status == _Gdead || status == _Gidle {
				return
			}
			var u unwinder
			for u.init(gp, unwindSilentErrors); u.valid() && !found; u.next() {
				found = antichainChangesMap(funcname(u.frame.fn))
			}
		})
	})
	semrelease(&worldsema)
	return found
}

// antichainChangesMap reports whether a function is one of those through which compiled
// code and package reflect change maps.
func antichainChangesMap(name string) bool {
	for _, prefix := range [...]string{"runtime.mapassign", "runtime.mapdelete", "runtime.mapclear"} {
		if stringslite.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// antichainDetach ends the trace at the request of the consumer.
//
//go:linkname antichainDetach
func antichainDetach() { antichainOn = antichainOff }

// antichainLost ends the trace because the consumer has died.
//
//go:linkname antichainLost
func antichainLost() { antichainGiveUp() }

// antichainSetOrphan sets antichainOrphan.
//
//go:linkname antichainSetOrphan
func antichainSetOrphan(value uint32) { atomic.Store(&antichainOrphan, value) }

// antichainBeat is the heartbeat of the consumer.
//
//go:linkname antichainBeat
func antichainBeat() uint64 { return atomic.Load64(antichainWord64(antichainOffBeat)) }

// antichainAwait waits until fd, if it is not negative, can be read from or written to, at most
// timeout milliseconds if that is not negative. It reports whether it can.
//
// Unless the program is halted, the thread does not count as one that keeps the program alive: a
// deadlocked program must be reported as such, despite the operator.
//
//go:linkname antichainAwait
func antichainAwait(fd int32, write bool, timeout int64) bool {
	poll := struct {
		fd              int32
		events, revents int16
	}{fd: fd, events: 1 /* POLLIN */}
	if write {
		poll.events = 4 // POLLOUT
	}
	ts := timespec{tv_sec: timeout / 1e3, tv_nsec: timeout % 1e3 * 1e6}
	tsp := uintptr(unsafe.Pointer(&ts))
	if timeout < 0 {
		tsp = 0
	}
	count := !antichainSched.halted
	entersyscallblock() // from here on only nosplit code, or on the system stack
	if count {
		systemstack(antichainIdle)
	}
	n, _ := antichainSyscall(antichainSysPpoll, uintptr(unsafe.Pointer(&poll)), 1, tsp, 0)
	if count {
		systemstack(antichainBusy)
	}
	exitsyscall()
	return int(n) > 0 // an error reads as a negative number
}

func antichainIdle() {
	lock(&sched.lock)
	sched.nmsys++
	checkdead()
	unlock(&sched.lock)
}

func antichainBusy() {
	lock(&sched.lock)
	sched.nmsys--
	unlock(&sched.lock)
}
