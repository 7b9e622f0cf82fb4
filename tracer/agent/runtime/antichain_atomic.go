//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// Atomics. A record must have the place in the trace that its operation has among
// the operations on the same variable, so both happen under a lock chosen by address.
//
// Programs that synchronise by atomic operations do little else, and most of these order nothing that
// the ones before have not ordered: the reader would have to learn what it knows. Such an operation is
// idle, and not recorded. As in FastTrack (Flanagan and Freund, PLDI 2009, section 3) that shows from
// epochs. A goroutine is in a new epoch when there is something new to hand on: it has written
// a record of another kind, or may have learnt something. If it has done something to a variable, and
// nobody else has since, then in the same epoch it has nothing new to hand on there, nor to learn.

var antichainAtomicLocks [256]struct {
	held uint32
	_    [15]uint32 // a cache line each
}

// antichainAtomicBegin locks addr and returns what antichainAtomicEnd needs, 0 if
// nothing is to be recorded: also for a variable on the goroutine's own stack, which can be nobody
// else's, while its address will be that of other variables, of other goroutines too. In between the
// goroutine is not preempted.
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
	if antichainSeed != 0 || antichainPerturbing || antichainScheduled {
		antichainTurn()
		if antichainPairs {
			antichainMeet(addr, 1, antichainStepAtomic, getfp())
		}
	}
	gp.m.locks++
	l := &antichainAtomicLocks[addr>>3%uintptr(len(antichainAtomicLocks))].held
	for spin := 0; !atomic.Cas(l, 0, 1); spin++ {
		if spin < 50 {
			procyield(20)
		} else {
			osyield() // the owner's thread may not be running
		}
	}
	return ctx
}

// antichainAtomicEnd records the operation on the size bytes at addr and unlocks them.
//
//go:linkname antichainAtomicEnd
//go:nosplit
func antichainAtomicEnd(ctx uintptr, kind uint64, addr, value, size uintptr) {
	if ctx == 0 {
		return
	}
	if antichainAtomicIsIdle(ctx, kind, addr) {
		if antichainWantsIdle() {
			antichainPut(kind, ctx, addr, value, antichainAtomicIdle, getg(), getfp())
		}
	} else {
		antichainPut(kind, ctx, addr, value, 0, getg(), getfp())
	}
	if antichainMemory {
		what := uint64(antichainWrites)
		if kind == antichainKindAtomicLoad {
			what = 0
		}
		antichainTouchAtomic(addr, size, what)
	}
	antichainAtomicUnlock(addr)
}

//go:nosplit
func antichainAtomicUnlock(addr uintptr) {
	atomic.Store(&antichainAtomicLocks[addr>>3%uintptr(len(antichainAtomicLocks))].held, 0)
	getg().m.locks--
	antichainPoint()
}

// antichainVariable is who has used a variable last.
type antichainVariable struct {
	addr   uintptr // 0: it is not known
	ctx    uintptr
	epoch  uint64 // of ctx, then
	stored bool   // by ctx, in this epoch
	alone  bool   // nobody has loaded it since ctx stored last, but for ctx
}

// antichainVariables are those used last, each under the lock of its address. What two variables share
// is for the one used last.
var antichainVariables [1 << 12]antichainVariable

// antichainTracings is how often tracing has begun. A reader knows nothing of the time before.
var antichainTracings uint64

// antichainAtomicIsIdle reports whether an operation of the caller on the variable at addr, which it has
// locked, adds nothing to the order.
//
//go:nosplit
func antichainAtomicIsIdle(ctx uintptr, kind uint64, addr uintptr) bool {
	if !antichainHasGoroutines {
		return false
	}
	v := &antichainVariables[addr/4%uintptr(len(antichainVariables))] // neighbours of 4 bytes have the same lock
	gp := getg()
	if gp != gp.m.curg {
		v.addr = 0 // a context that goroutines share
		return false
	}
	state := antichainState(gp)
	// Between the use of a variable and that of another one in its memory there is the end of a cycle of
	// the garbage collector.
	if age := antichainTracings<<32 | uint64(mheap_.sweepgen); state.age != age {
		state.age = age
		state.epoch++
	}
	stores := kind != antichainKindAtomicLoad
	mine := v.addr == addr && v.ctx == ctx
	if mine && v.epoch == state.epoch && (v.stored || !stores) {
		return true
	}
	alone := mine && v.alone
	if !mine || stores && !alone {
		state.epoch++ // a store comes after the loads of others
	}
	*v = antichainVariable{addr, ctx, state.epoch, stores, alone || stores}
	return false
}

// antichainWantsIdle reports whether idle operations are wanted, too. Accesses to memory are counted by
// records (antichainMoments), and so need them all.
//
//go:nosplit
func antichainWantsIdle() bool {
	return atomic.Load(antichainWord32(antichainOffFlags))&(antichainFlagAtomics|antichainFlagMemory) != 0
}

// antichainNews begins a new epoch of the goroutine that the caller runs on behalf of if a record
// with that word is one of other kinds.
//
//go:nosplit
func antichainNews(word uint64) {
	switch word >> antichainKindShift {
	case antichainKindAtomicLoad, antichainKindAtomicStore, antichainKindAtomicRMW:
		return
	}
	if m := getg().m; m != nil && m.curg != nil {
		antichainNewsFor(m.curg)
	}
}

// antichainNewsFor begins a new epoch of gp, which is the caller or parked.
//
//go:nosplit
func antichainNewsFor(gp *g) {
	if antichainHasGoroutines {
		antichainState(gp).epoch++
	}
}
