//go:build antichain_traced

package runtime

import "unsafe"

// The gate. Before an operation a goroutine asks here whether it can go on. Each of these can keep
// it back, in this order:
//
//   - chance lets others go first now and then, if there is no seed (antichain_perturb.go);
//   - the consumer halts the program, or holds the goroutine (antichain_halt.go);
//   - a schedule waits for the steps before that of the goroutine (antichain_schedule.go);
//   - with a seed, a lottery decides which goroutine goes next (antichain_steer.go).
//
// Only some of them apply to events of a specification (antichainBeforeEvent), to lines
// (antichainBeforeLine) and to accesses to memory (antichainMeet).
//
// A goroutine that is kept back waits in antichainWaitWhile, with a few exceptions. The lottery
// leaves it in the queues of the runtime. A goroutine that keeps step (antichain_step.go) is parked
// if it can be, since it waits behind each of its records and has to go on soon. Main has naps of
// its own while it waits for the others at the end.

// antichainGated reports whether anything but a halt can keep goroutines back before operations. It
// does not change after package initialisation.
var antichainGated bool

// antichainTurn is the place before an operation on an object.
func antichainTurn(object uintptr) {
	antichainAsks([ticketObjects]uint64{uint64(object)}, true)
}

// antichainTurnLock is the turn before the lock of an object whose state is at word: its lowest bit
// is set while it is held.
func antichainTurnLock(object, word uintptr) {
	antichainAwaits(word, antichainAwaitsLock)
	antichainTurn(object)
}

// antichainTurnSend is the turn before a send on c, that may have to wait for room.
func antichainTurnSend(c *hchan, block bool) {
	if block && c != nil && c.dataqsiz > 0 {
		antichainAwaits(uintptr(unsafe.Pointer(c)), antichainAwaitsRoom)
	}
	antichainTurn(uintptr(unsafe.Pointer(c)))
}

// antichainTurnRecv is the turn before a receive on c, that may have to wait for a message. A
// channel with a timer has one as soon as the goroutine waits for it.
func antichainTurnRecv(c *hchan, block bool) {
	if block && c != nil && c.dataqsiz > 0 && c.timer == nil {
		antichainAwaits(uintptr(unsafe.Pointer(c)), antichainAwaitsMessage)
	}
	antichainOnlyReads(uintptr(unsafe.Pointer(c)))
	antichainTurn(uintptr(unsafe.Pointer(c)))
}

// antichainTurnSelect is the turn before a select statement with n cases.
func antichainTurnSelect(cases *scase, n int) {
	var objects [ticketObjects]uint64
	if antichainSeed != 0 {
		for i := range min(n, ticketObjects) {
			c := (*scase)(add(unsafe.Pointer(cases), uintptr(i)*unsafe.Sizeof(*cases))).c
			objects[i] = uint64(uintptr(unsafe.Pointer(c)))
		}
	}
	antichainAsks(objects, true)
}

// antichainTurnAtomic is the place before an atomic operation, which is done also where the program
// asks for no order: no schedule that it is no step of keeps it back.
func antichainTurnAtomic(addr uintptr) {
	antichainAsks([ticketObjects]uint64{uint64(addr)}, false)
	if antichainPairs {
		antichainMeet(addr, 1, antichainStepAtomic, getg().stack.hi-getfp())
	}
}

// antichainAsks returns when the caller can go on to its operation on objects. alone is for
// antichainKeepTurn.
func antichainAsks(objects [ticketObjects]uint64, alone bool) {
	if antichainPerturbing {
		antichainPerturb()
	}
	antichainPoint()
	if antichainScheduled {
		antichainKeepTurn(0, alone)
	}
	if antichainSeed != 0 {
		antichainSteerTurn(objects)
	}
}

// antichainBeforeEvent is a place before an event of a site, which the caller is about to record.
//
//go:linkname antichainBeforeEvent
func antichainBeforeEvent(site uint32) {
	antichainBefore()
	if antichainScheduled {
		antichainKeepTurn(site+1, false)
	}
}

// antichainWaitWhile returns when the caller need not wait any more. Others run meanwhile. Nothing
// wakes the caller: it looks again and again. So it also notices that time has gone by, that a
// consumer has died, or that no other goroutine can go on.
func antichainWaitWhile(waits func() bool) {
	for waits() {
		antichainYield()
		systemstack(func() { usleep(antichainNapBetween) })
	}
}

// antichainNapBetween is how long a waiting goroutine sleeps between two looks, in microseconds.
const antichainNapBetween = 20
