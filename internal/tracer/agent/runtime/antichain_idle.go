//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// Idle operations. Programs that synchronise by atomic operations do little else, and most of these
// add nothing to the order of earlier ones: the reader would learn nothing. Such an operation is
// idle, and not recorded. As in FastTrack (Flanagan and Freund, PLDI 2009, section 3) epochs show
// that. A goroutine is in a new epoch when it has news to hand on: it has written a record of
// another kind, or may have learnt something.
//
// A load learns from stores, and hands on to later stores. If the goroutine has loaded the variable
// before in the same epoch, and no goroutine has stored since, then it learns and hands on nothing
// new. A store learns from loads, too: it is idle if the goroutine has stored before in the same
// epoch, and no other goroutine has used the variable since.
//
// A load in a new epoch may not be recorded either (antichain_late.go).
//
// A Pool hands on from Put to Get. A Put is idle if the goroutine has put before in the same epoch,
// and a Get if it also has got, and no other goroutine has put since.
//
// A Once hands on from the goroutine that has run its function to all that return from Do. That is
// idle if the goroutine has returned from Do before, in any epoch, and the function has not been
// run since, of this Once or of a new one in its memory.
//
// Where accesses to memory are noted, these are handed on as well, and no epoch begins with one. So
// a store or a Put is never idle then. A load is as before: that it comes before the stores that it
// has not seen implies nothing for the accesses before it, which can come after these stores.

// antichainVariable is the last use of a variable. Variables that share a place overwrite each
// other.
type antichainVariable struct {
	addr   uintptr // 0: unknown
	ctx    uintptr
	epoch  uint64 // of ctx at that time
	stores uint64 // stores so far to variables in this place of the table, including earlier ones
	stored bool   // by ctx, in this epoch
	alone  bool   // no other goroutine has loaded it since ctx last stored

	age   uint64 // see antichainG
	noted [antichainMostLate]antichainNoted
}

// antichainUsed is a goroutine's last load, Get or Put of a variable.
type antichainUsed struct {
	addr, ctx uintptr
	epoch     uint64 // of ctx at that time
	stores    uint64 // of the variable, when ctx last learnt from it; see antichainVariable
}

// Variables in one place of a table have the same lock, which guards it.
var (
	antichainVariables [1 << antichainVariableBits]antichainVariable
	antichainUses      [1 << antichainUseBits]antichainUsed
)

// The bits of an index into these tables, and how many of them, the low ones, are of the address:
// at least those that choose the lock. All others are mixed.
const (
	antichainVariableBits = 14
	antichainVariableLow  = 9 // neighbours of 4 bytes have the same lock, and places of their own
	antichainUseBits      = 16
	antichainUseLow       = 8
)

// Added to the context of an antichainUsed.
const (
	antichainPuts  = 1 << 63 // it is of a Put
	antichainOnces = 1 << 62 // it is of a Once, and has no epoch
)

// antichainSpread spreads differences in the low bits of x over all bits (Knuth, The Art of
// Computer Programming, section 6.4).
//
//go:nosplit
func antichainSpread(x uintptr) uintptr { return x * 0x9e3779b97f4a7c15 }

//go:nosplit
func antichainVariableOf(addr uintptr) *antichainVariable {
	high := antichainSpread(addr>>(antichainVariableLow+2)) >> (64 - antichainVariableBits + antichainVariableLow)
	return &antichainVariables[high<<antichainVariableLow|addr>>2%(1<<antichainVariableLow)]
}

//go:nosplit
func antichainUsedOf(addr, ctx uintptr) *antichainUsed {
	high := antichainSpread(antichainSpread(ctx)^addr>>2) >> (64 - antichainUseBits + antichainUseLow)
	return &antichainUses[high<<antichainUseLow|addr>>3%(1<<antichainUseLow)]
}

// antichainTracings counts the starts of tracing. A reader knows nothing of the time before.
var antichainTracings uint64

// antichainEpoch returns the state of gp, in a new epoch if the memory of variables may have been
// reused: between the use of a variable and that of another one in its memory there is the end of a
// cycle of the garbage collector.
//
//go:nosplit
func antichainEpoch(gp *g) *antichainG {
	state := antichainState(gp)
	if age := antichainTracings<<32 | uint64(mheap_.sweepgen); state.age != age {
		state.age = age
		state.epoch++
	}
	return state
}

// antichainHandsOnAccesses reports whether accesses to memory are noted.
//
//go:nosplit
func antichainHandsOnAccesses() bool { return antichainMemory && antichainMoments != nil }

// antichainAtomicAdds returns what an operation of the caller on the variable at addr, which it has
// locked, adds to the order: antichainAtomicIdle if that is nothing, antichainAtomicLate if that is
// nothing so far, and 0 otherwise. fp is the frame from which on the stack has the place of the
// operation.
//
//go:nosplit
func antichainAtomicAdds(ctx uintptr, kind uint64, addr, value, fp uintptr) uintptr {
	if !antichainHasGoroutines {
		return 0
	}
	v, gp, stores := antichainVariableOf(addr), getg(), kind != antichainKindAtomicLoad
	if gp != gp.m.curg { // a context that goroutines share
		v.writeNotes(ctx)
		v.addr = 0
		if stores {
			v.stores++
		}
		return 0
	}
	state := antichainEpoch(gp)
	mine := v.addr == addr && v.ctx == ctx
	if mine && v.epoch == state.epoch && (!stores || v.stored && !antichainHandsOnAccesses()) {
		return antichainAtomicIdle
	}
	alone := mine && v.alone
	if stores {
		if !alone {
			state.epoch++ // it comes after the loads of others
		}
		v.recordLoad(gp, ctx, addr)
		v.comesTo(addr, ctx, state.age, true)
		v.ctx, v.epoch, v.stored, v.alone = ctx, state.epoch, true, true
		v.stores++
		return 0
	}
	u := antichainUsedOf(addr, ctx)
	knows := u.addr == addr && u.ctx == ctx && u.stores == v.stores
	if knows && u.epoch == state.epoch {
		return antichainAtomicIdle
	}
	late := (knows || mine) && v.notes(gp, ctx, addr, value, fp)
	if !knows && !mine {
		state.epoch++
	}
	*u = antichainUsed{addr, ctx, state.epoch, v.stores}
	switch {
	case late:
		return antichainAtomicLate
	case v.addr != addr && v.hasNotes():
		return 0 // they are worth more than what v would say of this load
	}
	v.comesTo(addr, ctx, state.age, false)
	v.ctx, v.epoch, v.stored, v.alone = ctx, state.epoch, false, alone
	return 0
}

// antichainLoadIsIdle reports whether a load by the goroutine gp, which has not happened yet, adds
// nothing to the order. It changes no table.
//
//go:nosplit
func antichainLoadIsIdle(gp *g, ctx, addr uintptr) bool {
	if !antichainHasGoroutines {
		return false
	}
	epoch, v := antichainEpoch(gp).epoch, antichainVariableOf(addr)
	if v.addr == addr && v.ctx == ctx && v.epoch == epoch {
		return true
	}
	u := antichainUsedOf(addr, ctx)
	return u.addr == addr && u.ctx == ctx && u.epoch == epoch && u.stores == v.stores
}

// antichainHandOn records, with synchronisation on addr, that the caller puts an object into a
// Pool, has got it from there, has run the function of a Once or has returned from Do.
//
//go:nosplit
func antichainHandOn(kind uint64, addr, object, op uintptr) {
	gp := getg()
	ctx := antichainSelf()
	if antichainOn == antichainOff || ctx == 0 {
		return
	}
	if !antichainHasGoroutines || gp != gp.m.curg {
		antichainSync(kind, addr, object, op)
		return
	}
	gp.m.locks++
	antichainAtomicLock(addr)
	idle := false
	if op == antichainOpOnce {
		idle = antichainOnceIsIdle(ctx, addr, kind)
	} else {
		idle = antichainPoolIsIdle(antichainEpoch(gp), ctx, addr, op)
	}
	if !idle {
		antichainSync(kind, addr, object, op)
	} else if antichainWantsIdle() {
		antichainSync(kind, addr, object, op|antichainOpIdle)
	} else if op == antichainOpOnce {
		antichainTouchAtomic(object, antichainWordSize, antichainWrites, false)
	}
	antichainAtomicUnlock(addr)
}

// antichainOnceIsIdle reports whether OpOnce adds nothing to the order.
//
//go:nosplit
func antichainOnceIsIdle(ctx, addr uintptr, kind uint64) bool {
	v := antichainVariableOf(addr)
	if kind == antichainKindRelease {
		v.stores++
		return false
	}
	known, now := antichainUsedOf(addr, ctx|antichainOnces), antichainUsed{addr: addr, ctx: ctx | antichainOnces, stores: v.stores}
	if *known == now {
		return true
	}
	*known = now
	return false
}

// antichainPoolIsIdle reports whether OpPut or OpGet adds nothing to the order.
//
//go:nosplit
func antichainPoolIsIdle(state *antichainG, ctx, addr, op uintptr) bool {
	v, got := antichainVariableOf(addr), antichainUsedOf(addr, ctx)
	knows := got.addr == addr && got.ctx == ctx && got.stores == v.stores
	if op == antichainOpGet {
		if knows && got.epoch == state.epoch {
			return true
		}
		*got = antichainUsed{addr, ctx, state.epoch + 1, v.stores} // the record begins that epoch
		return false
	}
	put := antichainUsedOf(addr, ctx|antichainPuts)
	if put.addr == addr && put.ctx == ctx|antichainPuts && put.epoch == state.epoch && !antichainHandsOnAccesses() {
		return true
	}
	v.stores++
	*put = antichainUsed{addr: addr, ctx: ctx | antichainPuts, epoch: state.epoch}
	if knows {
		got.stores = v.stores
	}
	return false
}

// antichainWantsIdle reports whether idle operations are wanted, too.
//
//go:nosplit
func antichainWantsIdle() bool {
	return atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagAtomics != 0
}

// antichainNews begins a new epoch of the goroutine that the caller runs on behalf of if a record
// is of a kind that is never idle.
//
//go:nosplit
func antichainNews(s *antichainSlot) {
	switch s.word >> antichainKindShift {
	case antichainKindAtomicLoad, antichainKindAtomicStore, antichainKindAtomicRMW, antichainKindLateLoad:
		return
	case antichainKindReleaseMerge:
		if s.arg&antichainOpMask == antichainOpPut {
			return
		}
	case antichainKindAcquire:
		if s.arg == antichainOpGet|antichainOpIdle || s.arg == antichainOpOnce|antichainOpIdle {
			return
		}
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
	if antichainLateLoads {
		antichainHasRecorded(gp, false)
	}
}
