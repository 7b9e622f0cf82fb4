//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// Atomics. The record of an operation must have the operation's place in the order of those on the
// same variable, so both happen under a lock chosen by address.

var antichainAtomicLocks [256]antichainAtomicLockWord

type antichainAtomicLockWord struct {
	_     [0]uint64  // antichainAtomicPeek reads the first two fields at once
	held  uint32     // the low half
	times uint32     // it was taken
	_     [14]uint32 // a cache line each
}

// antichainAtomicBegin locks addr and returns the argument for antichainAtomicEnd, 0 if the
// operation is not recorded. A variable on the goroutine's own stack is not: no other goroutine can
// use it, while its address will be reused by other variables, of other goroutines too. In between
// the goroutine is not preempted.
//
//go:linkname antichainAtomicBegin
//go:nosplit
func antichainAtomicBegin(addr uintptr) uintptr {
	if antichainOn == antichainOff {
		return 0
	}
	gp := getg()
	ctx := antichainSelf()
	if ctx == 0 || addr-gp.stack.lo < gp.stack.hi-gp.stack.lo {
		return 0
	}
	_ = *(*uint8)(unsafe.Pointer(addr)) // a bad pointer faults here, where the program can recover
	antichainUse(addr)
	if antichainGated {
		if s := antichainState(gp); s.turned {
			s.turned = false
		} else {
			antichainTurnAtomic(addr)
		}
	}
	gp.m.locks++
	antichainAtomicLock(addr)
	return ctx
}

//go:nosplit
func antichainAtomicLock(addr uintptr) {
	l := antichainAtomicLockOf(addr)
	for spin := 0; !atomic.Cas(&l.held, 0, 1); spin++ {
		if spin < 50 {
			procyield(20)
		} else {
			osyield() // the owner's thread may not be running
		}
	}
	l.times++
}

//go:nosplit
func antichainAtomicLockOf(addr uintptr) *antichainAtomicLockWord {
	return &antichainAtomicLocks[addr>>3%uintptr(len(antichainAtomicLocks))]
}

// antichainAtomicPeek is called before a load of the variable at addr, without the lock: goroutines
// that only load it do not wait for each other. If the load is going to be idle it returns the
// argument for antichainAtomicPeeked, and 0 otherwise. If the lock has not been taken from here to
// there, everything read in between is as if the caller had held it, as with sequence locks (Boehm,
// Can seqlocks get along with programming language memory models?, MSPC 2012). Processors that let
// loads overtake each other would need barriers for that.
//
// Either way the load is one turn, which makes a number of the run yield at the same operations
// again.
//
//go:linkname antichainAtomicPeek
//go:nosplit
func antichainAtomicPeek(addr uintptr) uint64 {
	antichainOnlyReads(addr)
	if antichainAMD64 == 0 || antichainOn != antichainWriting || antichainSeed != 0 || antichainScheduled || antichainHandsOnAccesses() || antichainWantsIdle() {
		return 0
	}
	gp := getg()
	ctx := antichainSelf()
	if gp != gp.m.curg || ctx == 0 || !antichainLoadIsIdle(gp, ctx, addr) {
		return 0
	}
	if antichainPerturbing {
		antichainTurnAtomic(addr)
		antichainState(gp).turned = true
	}
	taken := atomic.Load64((*uint64)(unsafe.Pointer(antichainAtomicLockOf(addr))))
	if uint32(taken) != 0 || !antichainLoadIsIdle(gp, ctx, addr) {
		return 0
	}
	return taken | 1 // not 0, however often it was taken
}

// antichainAtomicPeeked reports whether the load was indeed idle. If it was not, its result does
// not count.
//
//go:linkname antichainAtomicPeeked
//go:nosplit
func antichainAtomicPeeked(addr uintptr, taken uint64) bool {
	idle := atomic.Load64((*uint64)(unsafe.Pointer(antichainAtomicLockOf(addr)))) == taken&^1
	if idle {
		antichainState(getg()).turned = false
		antichainPoint()
	}
	return idle
}

// antichainAtomicEnd records the operation on the size bytes at addr and unlocks them.
//
//go:linkname antichainAtomicEnd
//go:nosplit
func antichainAtomicEnd(ctx uintptr, kind uint64, addr, value, size uintptr) {
	if ctx == 0 {
		return
	}
	adds := antichainAtomicAdds(ctx, kind, addr, value, getfp())
	if adds == antichainAtomicIdle {
		antichainIsIdle()
	}
	recorded := adds == 0 || antichainWantsIdle()
	if recorded {
		antichainPut(kind, ctx, addr, value, adds, getg(), getfp())
	}
	if antichainMemory {
		what := uint64(antichainWrites)
		if kind == antichainKindAtomicLoad {
			what = 0
		}
		antichainTouchAtomic(addr, size, what, recorded)
	}
	antichainAtomicUnlock(addr)
}

//go:nosplit
func antichainAtomicUnlock(addr uintptr) {
	atomic.StoreRel(&antichainAtomicLockOf(addr).held, 0)
	getg().m.locks--
	antichainPoint()
}
