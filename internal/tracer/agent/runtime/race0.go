//go:build antichain_traced

// The race detector's interface, implemented by records. The memory accesses that it reports are of
// interest only with antichainMemory.

package runtime

import (
	"internal/abi"
	"internal/runtime/sys"
	_ "runtime/race" // the linker requires it
	"unsafe"
)

const raceenabled = true

func raceReadObjectPC(t *_type, addr unsafe.Pointer, callerpc, pc uintptr) {
	antichainTouchObject(t, addr, 0, callerpc)
}

func raceWriteObjectPC(t *_type, addr unsafe.Pointer, callerpc, pc uintptr) {
	antichainTouchObject(t, addr, antichainWrites, callerpc)
}

// antichainTouchObject notes an access to a value. If it has parts others may touch any of them;
// else its first byte is enough.
func antichainTouchObject(t *_type, addr unsafe.Pointer, what uint64, callerpc uintptr) {
	if !antichainMemory {
		return
	}
	size := uintptr(0)
	if kind := t.Kind(); kind == abi.Array || kind == abi.Struct {
		if size = t.Size_; size == 0 {
			return // all such values are at one address
		}
	}
	antichainTouchPC(uintptr(addr), size, what, callerpc)
}

// raceinit returns the contexts of g0, which has none of its own, and of the first P.
//
//go:nosplit
func raceinit() (uintptr, uintptr) { return 0, 1 }

//go:nosplit
func racefini() {}

//go:nosplit
func raceproccreate() uintptr { return 1 }

//go:nosplit
func raceprocdestroy(ctx uintptr) {}

//go:nosplit
func racemapshadow(addr unsafe.Pointer, size uintptr) {}

// racewritepc receives changes by the runtime of whole objects, at the address of their head: of
// maps, whose other parts stay unchanged.
//
//go:nosplit
func racewritepc(addr unsafe.Pointer, callerpc, pc uintptr) {
	if antichainMemory {
		antichainState(getg()).rewrites = true
		antichainTouchPC(uintptr(addr), 0, antichainWrites, callerpc)
		antichainState(getg()).rewrites = false
	}
}

//go:nosplit
func racereadpc(addr unsafe.Pointer, callerpc, pc uintptr) {
	if antichainMemory {
		antichainTouchPC(uintptr(addr), 0, 0, callerpc)
	}
}

//go:nosplit
func racereadrangepc(addr unsafe.Pointer, sz, callerpc, pc uintptr) {
	if antichainMemory && sz > 0 {
		antichainTouchPC(uintptr(addr), sz, 0, callerpc)
	}
}

//go:nosplit
func racewriterangepc(addr unsafe.Pointer, sz, callerpc, pc uintptr) {
	if antichainMemory && sz > 0 {
		antichainTouchPC(uintptr(addr), sz, antichainWrites, callerpc)
	}
}

//go:nosplit
func racemalloc(p unsafe.Pointer, sz uintptr) {
	if antichainMemory {
		antichainForget(uintptr(p), sz)
	}
}

//go:nosplit
func racefree(p unsafe.Pointer, sz uintptr) {}

//go:nosplit
func raceacquire(addr unsafe.Pointer) {
	antichainSync(antichainKindAcquire, uintptr(addr), uintptr(addr), antichainOpNone)
}

//go:nosplit
func racerelease(addr unsafe.Pointer) {
	antichainSync(antichainKindRelease, uintptr(addr), uintptr(addr), antichainOpNone)
}

//go:nosplit
func racereleaseacquire(addr unsafe.Pointer) {
	antichainSync(antichainKindReleaseAcquire, uintptr(addr), uintptr(addr), antichainOpNone)
}

//go:nosplit
func racereleasemerge(addr unsafe.Pointer) {
	antichainSync(antichainKindReleaseMerge, uintptr(addr), uintptr(addr), antichainOpNone)
}

//go:nosplit
func raceacquireg(gp *g, addr unsafe.Pointer) {
	antichainRecordG(antichainKindAcquire, gp, addr)
}

//go:nosplit
func racereleaseg(gp *g, addr unsafe.Pointer) {
	antichainRecordG(antichainKindRelease, gp, addr)
}

//go:nosplit
func racereleaseacquireg(gp *g, addr unsafe.Pointer) {
	antichainRecordG(antichainKindReleaseAcquire, gp, addr)
}

// racereleasemergeg also counts between race.Disable and race.Enable, where WaitGroup.Wait parks:
// the runtime calls it for a goroutine that blocks in a bubble, and the next actions in the bubble
// depend on that.
//
//go:nosplit
func racereleasemergeg(gp *g, addr unsafe.Pointer) {
	antichainRecordFor(antichainKindReleaseMerge, gp, addr)
}

// antichainRecordG is antichainRecordFor, but not between race.Disable and race.Enable.
//
//go:nosplit
func antichainRecordG(kind uint64, gp *g, addr unsafe.Pointer) {
	if gp.raceignore == 0 {
		antichainRecordFor(kind, gp, addr)
	}
}

// antichainRecordFor writes a record on behalf of gp, which is parked or the caller.
//
//go:nosplit
func antichainRecordFor(kind uint64, gp *g, addr unsafe.Pointer) {
	if antichainOn != antichainOff && gp.racectx != 0 {
		antichainUse(uintptr(addr))
		antichainNewsFor(gp)
		antichainPutPC(kind, gp.racectx, uintptr(addr), uintptr(addr), antichainOpNone, 0)
	}
}

//go:nosplit
func raceacquirectx(racectx uintptr, addr unsafe.Pointer) {
	if antichainOn != antichainOff && racectx != 0 {
		antichainPutPC(antichainKindAcquire, racectx, uintptr(addr), uintptr(addr), antichainOpNone, 0)
	}
}

//go:nosplit
func racefingo() { antichainRecord(antichainKindFinGo, 0, 0, 0) }

// racegostart is called for a new goroutine when newproc1 is not patched; then runtime and agent
// goroutines cannot be distinguished from others.
//
//go:nosplit
func racegostart(pc uintptr) uintptr {
	ctx := antichainNewCtx()
	if antichainOn != antichainOff {
		if self := antichainSelf(); self != 0 {
			antichainPutPC(antichainKindGo, self, ctx, 0, 0, pc)
		}
	}
	return ctx
}

//go:nosplit
func racegoend() { antichainRecord(antichainKindEnd, 0, 0, antichainMayBeLate(getg())) }

//go:nosplit
func racectxstart(pc, spawnctx uintptr) uintptr {
	ctx := antichainNewCtx()
	if antichainOn != antichainOff {
		antichainPutPC(antichainKindCtxStart, spawnctx, ctx, 0, 0, pc)
	}
	return ctx
}

//go:nosplit
func racectxend(racectx uintptr) {}

// The interface for programs, in files with the build tag race. Calls with internal/race are for
// the standard library.

//go:nosplit
func RaceRead(addr unsafe.Pointer) { racereadpc(addr, sys.GetCallerPC(), 0) }

//go:nosplit
func RaceWrite(addr unsafe.Pointer) {
	if antichainMemory {
		antichainTouchPC(uintptr(addr), 0, antichainWrites, sys.GetCallerPC())
	}
}

//go:nosplit
func RaceReadRange(addr unsafe.Pointer, len int) {
	racereadrangepc(addr, uintptr(max(len, 0)), sys.GetCallerPC(), 0)
}

//go:nosplit
func RaceWriteRange(addr unsafe.Pointer, len int) {
	racewriterangepc(addr, uintptr(max(len, 0)), sys.GetCallerPC(), 0)
}

//go:nosplit
func RaceAcquire(addr unsafe.Pointer) { raceacquire(addr) }

//go:nosplit
func RaceRelease(addr unsafe.Pointer) { racerelease(addr) }

//go:nosplit
func RaceReleaseMerge(addr unsafe.Pointer) { racereleasemerge(addr) }

// RaceDisable asks to ignore the goroutine's synchronisation, until RaceEnable, in the order
// between accesses. It still counts: built-in properties other than race need these operations, and
// with more order no false race is reported.
//
//go:nosplit
func RaceDisable() {}

//go:nosplit
func RaceEnable() {}

// RaceErrors returns the number of reported races: none, since another process finds them.
func RaceErrors() int { return 0 }

// Pushed to internal/race.

//go:linkname race_Read internal/race.Read
//go:nosplit
func race_Read(addr unsafe.Pointer) { racereadpc(addr, 0, 0) }

//go:linkname race_Write internal/race.Write
//go:nosplit
func race_Write(addr unsafe.Pointer) { racewritepc(addr, 0, 0) }

//go:linkname race_ReadRange internal/race.ReadRange
//go:nosplit
func race_ReadRange(addr unsafe.Pointer, len int) { racereadrangepc(addr, uintptr(len), 0, 0) }

//go:linkname race_WriteRange internal/race.WriteRange
//go:nosplit
func race_WriteRange(addr unsafe.Pointer, len int) { racewriterangepc(addr, uintptr(len), 0, 0) }

//go:linkname race_ReadPC internal/race.ReadPC
func race_ReadPC(addr unsafe.Pointer, callerpc, pc uintptr) { racereadpc(addr, callerpc, pc) }

//go:linkname race_WritePC internal/race.WritePC
func race_WritePC(addr unsafe.Pointer, callerpc, pc uintptr) { racewritepc(addr, callerpc, pc) }

//go:linkname race_ReadObjectPC internal/race.ReadObjectPC
func race_ReadObjectPC(t *abi.Type, addr unsafe.Pointer, callerpc, pc uintptr) {
	raceReadObjectPC(t, addr, callerpc, pc)
}

//go:linkname race_WriteObjectPC internal/race.WriteObjectPC
func race_WriteObjectPC(t *abi.Type, addr unsafe.Pointer, callerpc, pc uintptr) {
	raceWriteObjectPC(t, addr, callerpc, pc)
}

//go:linkname race_Errors internal/race.Errors
//go:nosplit
func race_Errors() int { return 0 }

//go:linkname race_Acquire internal/race.Acquire
//go:nosplit
func race_Acquire(addr unsafe.Pointer) { raceacquire(addr) }

//go:linkname race_Release internal/race.Release
//go:nosplit
func race_Release(addr unsafe.Pointer) { racerelease(addr) }

//go:linkname race_ReleaseMerge internal/race.ReleaseMerge
//go:nosplit
func race_ReleaseMerge(addr unsafe.Pointer) { racereleasemerge(addr) }

//go:linkname race_Disable internal/race.Disable
//go:nosplit
func race_Disable() { getg().raceignore++ }

//go:linkname race_Enable internal/race.Enable
//go:nosplit
func race_Enable() { getg().raceignore-- }

// Pushed to the declarations that the patches add to internal/race: the same with
// the object that the program knows and the operation on it.

//go:linkname race_AcquireOp internal/race.AcquireOp
//go:nosplit
func race_AcquireOp(addr, object unsafe.Pointer, op uintptr) {
	if op == antichainOpGet || op == antichainOpOnce {
		antichainHandOn(antichainKindAcquire, uintptr(addr), uintptr(object), op)
	} else {
		antichainSync(antichainKindAcquire, uintptr(addr), uintptr(object), op)
	}
}

//go:linkname race_ReleaseOp internal/race.ReleaseOp
//go:nosplit
func race_ReleaseOp(addr, object unsafe.Pointer, op uintptr) {
	if op == antichainOpOnce {
		antichainHandOn(antichainKindRelease, uintptr(addr), uintptr(object), op)
	} else {
		antichainSync(antichainKindRelease, uintptr(addr), uintptr(object), op)
	}
}

//go:linkname race_ReleaseMergeOp internal/race.ReleaseMergeOp
//go:nosplit
func race_ReleaseMergeOp(addr, object unsafe.Pointer, op uintptr) {
	if op == antichainOpPut {
		antichainHandOn(antichainKindReleaseMerge, uintptr(addr), uintptr(object), op)
	} else {
		antichainSync(antichainKindReleaseMerge, uintptr(addr), uintptr(object), op)
	}
}

//go:linkname race_AddCounter internal/race.AddCounter
func race_AddCounter(wg, state unsafe.Pointer, delta int) uint64 {
	return antichainAddCounter(wg, (*uint64)(state), delta)
}

//go:linkname race_WaitCounter internal/race.WaitCounter
func race_WaitCounter(wg, state unsafe.Pointer) uint64 {
	return antichainWaitCounter(wg, (*uint64)(state))
}

//go:linkname race_BlockOp internal/race.BlockOp
func race_BlockOp(object unsafe.Pointer, op uintptr) {
	antichainBlock(object, op)
}

//go:linkname race_TriedOp internal/race.TriedOp
func race_TriedOp(object unsafe.Pointer, op, since uintptr) {
	antichainTriedLock(uintptr(object), op, since)
}

//go:linkname race_Since internal/race.Since
//go:nosplit
func race_Since() uintptr { return antichainSince() }

//go:linkname race_Turn internal/race.Turn
//go:nosplit
func race_Turn(object unsafe.Pointer) {
	antichainBefore()
	if antichainGated {
		antichainTurn(uintptr(object))
	}
}

//go:linkname race_TurnLock internal/race.TurnLock
//go:nosplit
func race_TurnLock(object, word unsafe.Pointer) {
	antichainBefore()
	if antichainGated {
		antichainTurnLock(uintptr(object), uintptr(word))
	}
}

//go:linkname race_Steered internal/race.Steered
//go:nosplit
func race_Steered() bool { return antichainSeed != 0 }

//go:linkname race_ReadsInput internal/race.ReadsInput
//go:nosplit
func race_ReadsInput() { antichainNoteInput() }

//go:linkname race_MisuseOp internal/race.MisuseOp
func race_MisuseOp(object unsafe.Pointer, what uintptr) { antichainMisuse(object, what) }

//go:linkname race_Outside internal/race.Outside
func race_Outside(object unsafe.Pointer, left uintptr) {
	antichainNoteOutside(uintptr(object), left == 0)
	antichainOperation(antichainKindOutside, uintptr(object), uintptr(object), left)
}

//go:linkname race_Starts internal/race.Starts
//go:nosplit
func race_Starts(f func()) {
	if antichainHasGoroutines && f != nil {
		antichainState(getg()).given = **(**uintptr)(unsafe.Pointer(&f))
	}
}

// The name of a test may be longer than a record has room for: it goes on in the next one.

//go:linkname race_BeginTest internal/race.BeginTest
func race_BeginTest(name string) {
	if !antichainOperations() || antichainSelf() == 0 {
		return
	}
	name = name[:min(len(name), antichainMaxTestName)]
	for continued := uint64(0); name != ""; continued = antichainTestContinued {
		n := antichainPartOf(name)
		antichainEmit(antichainKindTest, 0, 0, continued, unsafe.Slice(unsafe.StringData(name), n))
		name = name[n:]
	}
}

// antichainPartOf returns how much of a name a record holds. It does not cut through a rune.
func antichainPartOf(name string) int {
	if len(name) <= antichainMaxTest {
		return len(name)
	}
	n := antichainMaxTest
	for n > antichainMaxTest-3 && name[n]>>6 == 0b10 {
		n--
	}
	return n
}

// antichainOutside has channels over which signals come, which others keep alive; 0 is none.
var antichainOutside [64]uintptr

// antichainNoteOutside notes whether signals come over a channel. A lock of package os/signal is
// held.
func antichainNoteOutside(channel uintptr, comes bool) {
	place := -1
	for i, c := range antichainOutside {
		if c == channel {
			place = i
			break
		}
		if c == 0 && place < 0 {
			place = i
		}
	}
	switch {
	case place < 0: // there are many more than there are signals
	case comes:
		antichainOutside[place] = channel
	case antichainOutside[place] == channel:
		antichainOutside[place] = 0
	}
}

// Keys are no addresses; see the patches of I/O.

//go:linkname race_ReadStream internal/race.ReadStream
func race_ReadStream(key, id, what uintptr) { antichainStream(antichainKindAcquire, key, id, what) }

//go:linkname race_WriteStream internal/race.WriteStream
func race_WriteStream(key, id, what uintptr) {
	antichainStream(antichainKindReleaseMerge, key, id, what)
}

//go:linkname race_AcquireKey internal/race.AcquireKey
//go:nosplit
func race_AcquireKey(key uintptr) { antichainSync(antichainKindAcquire, key, key, antichainOpNone) }

//go:linkname race_ReleaseMergeKey internal/race.ReleaseMergeKey
//go:nosplit
func race_ReleaseMergeKey(key uintptr) {
	antichainSync(antichainKindReleaseMerge, key, key, antichainOpNone)
}
