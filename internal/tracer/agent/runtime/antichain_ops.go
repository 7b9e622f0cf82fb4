//go:build antichain_traced

package runtime

import (
	"internal/abi"
	"internal/runtime/atomic"
	"unsafe"
)

// antichainG is the hooks' state of a goroutine.
type antichainG struct {
	// address of its moment (antichain_shadow.go), 0 if its accesses to memory are not wanted
	moment uintptr
	// hash of the cases of its last select statement that took the default; see antichainPolls
	polled  uintptr
	tried   uint64 // its last failed attempt; see antichainTriesAgain
	triedIn uint64 // and its epoch
	epoch   uint64 // when it last had news to hand on; see antichainAtomicAdds
	age     uint64 // of epoch: the cycle of the garbage collector
	// the end of the records that it waits for to be judged, 0 if it does not; see
	// antichainParkStep
	step      uint64
	vain      [4]uintptr // Conds that it has signalled without a waiter; see antichainNotifyNobody
	steered   antichainSteered
	kept      antichainKept
	yieldRate uint32 // 1/probability of yielding at its last operation; 0: it had none
	// it changes part of an object, as of a map, and so comes after the goroutine that has changed
	// another part
	rewrites bool
	turned   bool   // it has had its turn before the next operation; see antichainAtomicPeek
	back     bool   // it yields to others; see antichainStandBack
	left     uint8  // 1 + what the check found, 0 if it was reached; see reachability.go
	leftAt   uint64 // its epoch then
	// entry of the function that its next go statement is for, if that starts another one; else 0
	given uintptr
	lost  bool // it was reported to wait for ever
	early bool // it was there when main had initialised all packages

	loaded  antichainLoaded // its last load, if that was noted
	channel uint64          // the number of its records up to which it may soon use a channel again
	waited  bool            // its last record is that it waits
	late    bool            // it has noted loads
}

// The functions of this file are called by the patched files of the runtime. A goroutine that is
// not the caller is parked on an object whose lock the caller holds: its stack stays in place and
// can be walked for the place it waits at.

// antichainGoStart gives newg its context; called by newproc1.
func antichainGoStart(callerpc uintptr, newg *g) uintptr {
	if antichainHasGoroutines {
		*antichainState(newg) = antichainG{} // a g is reused
	}
	ctx := antichainStartCtx(callerpc, newg)
	antichainNote(newg, ctx)
	return ctx
}

func antichainStartCtx(callerpc uintptr, newg *g) uintptr {
	if f := findfunc(newg.startpc); f.valid() &&
		(f.funcID == abi.FuncID_runFinalizers || f.funcID == abi.FuncID_runCleanups) {
		// It runs functions of the program, at times that no goroutine decides.
		antichainSteerGo(nil, newg)
		return antichainThreadStart(newg.startpc)
	}
	if isSystemGoroutine(newg, false) {
		return 0
	}
	if newg.goid == 1 {
		return antichainNewCtx() // the main goroutine
	}
	self := antichainSelf()
	if self == 0 {
		return 0 // runtime and agent goroutines start goroutines of their own kind
	}
	ctx := antichainNewCtx()
	if getg() == getg().m.g0 && getg().racectx != 0 {
		antichainSteerGo(nil, newg)
		if antichainScheduled {
			antichainKeepFired(newg)
		}
	} else {
		antichainSteerGo(getg().m.curg, newg)
	}
	if antichainOn != antichainOff {
		if gp := getg().m.curg; getg() == getg().m.g0 && getg().racectx == 0 {
			// newproc has switched stacks; its own frame is in sched.
			antichainPut(antichainKindGo, self, ctx, antichainStarted(gp, newg), 0, gp, gp.sched.bp)
		} else {
			antichainPutPC(antichainKindGo, self, ctx, newg.startpc, 0, callerpc)
		}
	}
	return ctx
}

// antichainStarted returns the entry of the function that gp starts on newg: the one that the user
// has given to a function of the library, if that is what the go statement is for.
//
//go:nosplit
func antichainStarted(gp, newg *g) uintptr {
	if !antichainHasGoroutines || antichainState(gp).given == 0 {
		return newg.startpc
	}
	entry := antichainState(gp).given
	antichainState(gp).given = 0
	return entry
}

// antichainThreadStart begins a context that the program has not created.
//
//go:nosplit
func antichainThreadStart(pc uintptr) uintptr {
	ctx := antichainNewCtx()
	if antichainOn != antichainOff {
		antichainPutPC(antichainKindThreadStart, ctx, 0, pc, 0, 0)
	}
	return ctx
}

// antichainCallback is called when C has called into Go. A thread that C created
// gets a context when it enters for the first time; dropm takes it away.
//
//go:nosplit
func antichainCallback(gp *g, fn uintptr) {
	if gp.m.isextra && gp.racectx == 0 {
		antichainSteerGo(nil, gp)
		gp.racectx = antichainThreadStart(fn)
		antichainNote(gp, gp.racectx)
	}
}

// antichainDropThread ends the context of a thread that leaves Go for good.
//
//go:nosplit
func antichainDropThread(gp *g) {
	if gp.racectx == 0 {
		return
	}
	if antichainOn != antichainOff {
		antichainPutPC(antichainKindEnd, gp.racectx, 0, 0, antichainMayBeLate(gp), 0)
	}
	gp.racectx = 0
	antichainNote(gp, 0)
}

// Channels. c is locked, or closed for good.

// antichainChan records an operation of the caller.
//
//go:nosplit
func antichainChan(kind uint64, c *hchan, index uint, op uintptr) {
	antichainBeforeChannel()
	antichainRecord(kind, uintptr(unsafe.Pointer(c)), uintptr(index), op)
}

// antichainElement is the part of the record of a send on c besides its operation: the element at
// ep, if c has capacity one, so may be a lock, and the record has room for the element.
//
//go:nosplit
func antichainElement(c *hchan, ep unsafe.Pointer) uintptr {
	if c.dataqsiz != 1 || antichainOn == antichainOff {
		return 0
	}
	value := uint64(0)
	switch c.elemsize {
	case 0:
	case 1:
		value = uint64(*(*uint8)(ep))
	case 2:
		value = uint64(*(*uint16)(ep))
	case 4:
		value = uint64(*(*uint32)(ep))
	case 8:
		value = *(*uint64)(ep)
	default:
		return 0
	}
	if value >= antichainMaxElement {
		return 0
	}
	return uintptr(value+1) << antichainOpShift
}

// antichainChanFor records an operation that the caller completes for sg.
//
//go:nosplit
func antichainChanFor(kind uint64, c *hchan, index uint, sg *sudog) {
	gp := sg.g
	if antichainOn == antichainOff || gp.racectx == 0 {
		return
	}
	antichainNewsFor(gp)
	antichainPut(kind, gp.racectx, uintptr(unsafe.Pointer(c)), uintptr(index), antichainParkedOp(sg), gp, gp.sched.bp)
	if antichainScheduled {
		antichainKeepDone(gp, kind, uint64(uintptr(unsafe.Pointer(c))), antichainOpNone)
	}
}

// antichainSendFails records that sg, which waits to send, is about to panic as the caller closes
// c.
//
//go:nosplit
func antichainSendFails(c *hchan, sg *sudog) {
	gp := sg.g
	if antichainOn == antichainOff || gp.racectx == 0 {
		return
	}
	antichainNewsFor(gp)
	antichainPut(antichainKindRecvClosed, gp.racectx, uintptr(unsafe.Pointer(c)), 0, antichainOpSend, gp, gp.sched.bp)
}

//go:nosplit
func antichainParkedOp(sg *sudog) uintptr {
	if sg.isSelect {
		return antichainOpSelect
	}
	return antichainOpNone
}

// antichainSkipOp recognises a case of a select statement by the stack depth that send and recv are
// given for the execution tracer: 2 by selectgo, 3 by chansend and chanrecv.
//
//go:nosplit
func antichainSkipOp(skip int) uintptr {
	if skip == 2 {
		return antichainOpSelect
	}
	return antichainOpNone
}

// antichainHandoff records a transfer between the caller and sg through an unbuffered
// channel. It is one action of both, with the place of either.
//
//go:nosplit
func antichainHandoff(c *hchan, sg *sudog, callerSends bool, op uintptr) {
	if antichainOn == antichainOff {
		return
	}
	self, other := antichainSelf(), sg.g.racectx
	if self == 0 && other == 0 {
		return
	}
	antichainBeforeChannel()
	var mine, theirs antichainSlot
	antichainCallers(&mine, getg(), getfp())
	antichainCallers(&theirs, sg.g, sg.g.sched.bp)
	if op == antichainOpNone {
		op = antichainParkedOp(sg)
	}
	sender, receiver, from, to := self, other, mine.pc[0], theirs.pc[0]
	if !callerSends {
		sender, receiver, from, to = other, self, theirs.pc[0], mine.pc[0]
	}
	antichainNewsFor(sg.g)
	places := [antichainPCs]uint64{from, to}
	antichainPutPCs(antichainKindHandoff, sender, uintptr(unsafe.Pointer(c)), receiver, op, &places)
	if antichainScheduled {
		object := uint64(uintptr(unsafe.Pointer(c)))
		if gp := getg(); gp == gp.m.curg {
			antichainKeepDone(gp, antichainKindHandoff, object, antichainOpNone)
		}
		antichainKeepDone(sg.g, antichainKindHandoff, object, antichainOpNone)
	}
}

// antichainMakeChan records a new channel: its address may have been another's.
//
//go:nosplit
func antichainMakeChan(c *hchan) {
	if antichainOn != antichainOff && antichainSelf() != 0 {
		antichainBeforeChannel()
		antichainUse(uintptr(unsafe.Pointer(c)))
		antichainRecord(antichainKindMakeChan, uintptr(unsafe.Pointer(c)), uintptr(c.dataqsiz), antichainOpNone)
	}
}

// Cond. The key of a notification is the goroutine it is for: a waiter learns only from the Signal
// that woke it. A notification that overtakes its waiter on the way into the list is left at the
// list.

//go:nosplit
func antichainNotify(l *notifyList, s *sudog, op uintptr) {
	antichainSync(antichainKindRelease, uintptr(unsafe.Pointer(s.g)), uintptr(unsafe.Pointer(l)), op)
}

//go:nosplit
func antichainNotifyEarly(l *notifyList, op uintptr) {
	antichainSync(antichainKindReleaseMerge, uintptr(unsafe.Pointer(l)), uintptr(unsafe.Pointer(l)), op)
}

// antichainNotifyNobody records a Signal or Broadcast without a waiter, if that is wanted. It
// records that the caller signals this Cond, so once is enough: there are programs that do little
// else. The memory of a Cond may be that of another one after a cycle of the garbage collector.
//
//go:nosplit
func antichainNotifyNobody(l *notifyList, op uintptr) {
	if !antichainOperations() {
		return
	}
	state, key := antichainState(getg()), uintptr(unsafe.Pointer(l))^uintptr(work.cycles.Load())<<antichainAddressBits
	for _, known := range state.vain {
		if known == key {
			return
		}
	}
	copy(state.vain[1:], state.vain[:])
	state.vain[0] = key
	antichainSync(antichainKindMark, uintptr(unsafe.Pointer(l)), uintptr(unsafe.Pointer(l)), op|antichainOpVain)
}

//go:nosplit
func antichainNotified(l *notifyList) {
	antichainSync(antichainKindAcquire, uintptr(unsafe.Pointer(getg())), uintptr(unsafe.Pointer(l)), antichainOpWait)
}

//go:nosplit
func antichainNotifiedEarly(l *notifyList) {
	antichainSync(antichainKindAcquire, uintptr(unsafe.Pointer(l)), uintptr(unsafe.Pointer(l)), antichainOpWait)
}

// WaitGroups. The state is the counter and, in the low half, the number of waiters. It is read and
// changed under the lock of atomic operations, which gives the records the order of the operations.
// Add of a positive number orders nothing, and Add(0) does nothing.

func antichainAddCounter(wg unsafe.Pointer, state *uint64, delta int) uint64 {
	ctx := antichainAtomicBegin(uintptr(unsafe.Pointer(state)))
	if ctx != 0 && delta != 0 {
		kind, op := uint64(antichainKindReleaseMerge), uintptr(antichainOpDone)
		if delta > 0 {
			kind, op = antichainKindMark, antichainOpAdd
		}
		antichainPut(kind, ctx, uintptr(wg), uintptr(wg), op|uintptr(delta)<<antichainOpShift, getg(), getfp())
	}
	after := atomic.Xadd64(state, int64(delta)<<32)
	if ctx != 0 {
		antichainAtomicUnlock(uintptr(unsafe.Pointer(state)))
		if antichainMemory {
			antichainTouchSync(uintptr(wg), antichainOpAdd)
		}
	}
	return after
}

// antichainWaitCounter records that the caller need not wait, or that it is about to wait.
func antichainWaitCounter(wg unsafe.Pointer, state *uint64) uint64 {
	ctx := antichainAtomicBegin(uintptr(unsafe.Pointer(state)))
	now := atomic.Load64(state)
	if ctx == 0 {
		return now
	}
	if now>>32 == 0 {
		antichainPut(antichainKindAcquire, ctx, uintptr(wg), uintptr(wg), antichainOpWait, getg(), getfp())
	} else {
		antichainBlock(wg, antichainOpWait)
	}
	antichainAtomicUnlock(uintptr(unsafe.Pointer(state)))
	return now
}

// antichainStream records that the caller moves bytes of a connection: see ring.OpStream.
func antichainStream(kind uint64, key, id, what uintptr) {
	if antichainOn == antichainOff {
		return
	}
	if ctx := antichainSelf(); ctx != 0 {
		antichainUse(key) // the number of a connection is no address
		antichainPut(kind, ctx, key, id, what, getg(), getfp())
	}
}
