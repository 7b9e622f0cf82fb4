//go:build antichain_traced

package runtime

import (
	"internal/abi"
	"unsafe"
)

// Timers. A Stop or a Reset depends on the operations and firings before it. All of them are
// recorded under the lock that orders them, so the records have the order of the operations.

// antichainArm records that the caller arms t; arg is the timer's argument to its function. Timers
// of package time either have a channel or are AfterFunc's, whose arg is the function to start.
func antichainArm(t *timer, isChan bool, arg any, period int64) {
	if antichainOn == antichainOff {
		return
	}
	op := uintptr(antichainOpTimer)
	if period != 0 {
		op |= antichainOpAgain
	}
	antichainSync(antichainKindRelease, uintptr(unsafe.Pointer(t)), antichainTimerObject(t, arg), op)
	antichainNoteSet(t)
	if pc := antichainFuncPC(arg); !isChan && pc != 0 {
		antichainRecord(antichainKindTimerArm, uintptr(unsafe.Pointer(t)), pc, antichainOpTimer)
		antichainKeepArm(t)
	}
}

// antichainFuncPC is the entry of the function in arg, 0 if it holds none.
//
//go:nosplit
func antichainFuncPC(arg any) uintptr {
	e := efaceOf(&arg)
	if e._type == nil || e._type.Kind() != abi.Func || e.data == nil {
		return 0
	}
	return *(*uintptr)(e.data) // a func value is a pointer to its code pointer
}

// antichainIsChan reports whether arg is a channel, to which a timer of package time sends.
// t.isChan is not enough: it is false under GODEBUG=asynctimerchan=1, which modules from before Go
// 1.23 get.
//
//go:nosplit
func antichainIsChan(arg any) bool {
	e := efaceOf(&arg)
	return e._type != nil && e._type.Kind() == abi.Chan
}

// antichainIsProgramTimer reports whether t is a timer of package time. Others are those of the
// network poller, and those of goroutines that sleep.
//
//go:nosplit
func antichainIsProgramTimer(t *timer) bool {
	return antichainIsChan(t.arg) || antichainFuncPC(t.arg) != 0
}

// antichainArmAgain is antichainArm where t may be any timer that is set. If again it has been set
// before.
func antichainArmAgain(t *timer, again bool, period int64) {
	if again && antichainOn != antichainOff && antichainIsProgramTimer(t) {
		antichainArm(t, t.isChan, t.arg, period)
	}
}

// antichainDisarm records that the caller has stopped t, or that this was not pending. t may be any
// timer.
func antichainDisarm(t *timer, pending bool) {
	if antichainOn == antichainOff || !antichainIsProgramTimer(t) {
		return
	}
	if antichainScheduled && pending {
		antichainKeepDisarm(t)
	}
	antichainOutcome(t, pending, antichainOpStop)
}

// antichainRearmed records whether t, which the caller has armed, was pending. t may be any timer
// that is set. If again it has been set before.
func antichainRearmed(t *timer, again, pending bool) {
	if again && antichainOn != antichainOff && antichainIsProgramTimer(t) {
		antichainOutcome(t, pending, antichainOpTimer)
	}
}

func antichainOutcome(t *timer, pending bool, op uintptr) {
	kind := uint64(antichainKindTry)
	if pending {
		kind = antichainKindMark
	}
	antichainRecord(kind, uintptr(unsafe.Pointer(t)), antichainTimerObject(t, t.arg), op)
}

// antichainTimerObject is the program's view of a timer: its channel if it has one.
//
//go:nosplit
func antichainTimerObject(t *timer, arg any) uintptr {
	if antichainIsChan(arg) {
		return uintptr(efaceOf(&arg).data)
	}
	return uintptr(unsafe.Pointer(t))
}

// antichainFire begins the run of t's function and returns the context it runs in. The context is
// the P's, but each run starts it anew: firing on the same P does not order two timers.
//
// In a bubble of testing/synctest time moves only when all its goroutines are blocked, so a timer
// fires after all their actions: it acquires the releases that antichainClock has collected, and so
// does a sleeping goroutine.
//
//go:nosplit
func antichainFire(ctx uintptr, t *timer, bubble *synctestBubble) uintptr {
	if ctx == 0 {
		ctx = antichainNewCtx()
	}
	if antichainOn == antichainOff {
		return ctx
	}
	if antichainScheduled {
		antichainKeepFire(t)
	}
	if bubble != nil || antichainIsProgramTimer(t) {
		antichainPutPC(antichainKindCtxStart, 0, ctx, 0, 0, 0)
		antichainPutPC(antichainKindAcquire, ctx, uintptr(unsafe.Pointer(t)), antichainTimerObject(t, t.arg), antichainOpTimer, 0)
	}
	if bubble != nil {
		raceacquirectx(ctx, unsafe.Pointer(&bubble.now))
		if sleeper, ok := t.arg.(*g); ok {
			raceacquireg(sleeper, unsafe.Pointer(&bubble.now))
		}
	}
	return ctx
}

// antichainClock is called by the root of a bubble when all its goroutines are blocked. Each of
// them has released to the bubble.
//
//go:nosplit
func antichainClock(bubble *synctestBubble) {
	raceacquireg(bubble.root, bubble.raceaddr())
	racereleaseg(bubble.root, unsafe.Pointer(&bubble.now))
}
