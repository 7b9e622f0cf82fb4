//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// Late loads. A goroutine that loads a variable again, and finds what it has found before, or its
// own store, learns nothing, whatever it has done in between. Only a later store of another
// goroutine must come after the load. So where that is wanted the load is noted beside the variable
// instead of being recorded, as the number of records that the goroutine had written by then.
// Another goroutine that stores first writes that for it (antichainKindLateLoad). Most notes are
// never written: later loads take their place.
//
// The program may decide by a load what to do. So one right before a store of the same goroutine to
// the variable, or right before an operation on a channel, is recorded after all, by the goroutine
// itself. Where a goroutine has used a channel it may soon do so again: there loads are not noted.
//
// Notes of one cycle of the garbage collector are written at the first use of the variable in the
// next one: the memory of the variable may be that of another one by then. The reader knows if it
// has been freed.

// antichainLateLoads reports whether loads are noted. It is set before antichainOn is.
var antichainLateLoads bool

// antichainMostLate is how many goroutines can have notes at a variable. The loads of others are
// recorded.
const antichainMostLate = 4

// antichainSoon is how many records behind an operation on a channel loads are recorded.
const antichainSoon = 8

// antichainNoted is a load that is noted beside a variable.
type antichainNoted struct {
	ctx   uintptr // 0: there is none
	count uint64  // records of ctx before it
}

// antichainLoaded is the last load of a goroutine, if it has written no record since and the load
// was noted.
type antichainLoaded struct {
	addr  uintptr // 0: there is none
	value uintptr
	pc    [antichainPCs]uint64
}

// antichainStartLate makes ready for late loads, if the consumer wants them.
func antichainStartLate() {
	antichainLateLoads = false
	wanted := atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagLateLoads != 0
	if antichainMemory || !antichainHasGoroutines || !wanted {
		return
	}
	antichainMoments = antichainMap(antichainMaxCtx * 8)
	antichainLateLoads = antichainMoments != nil
}

// notes reports whether a load of gp, the caller, from which that learns nothing, is noted beside
// the variable, and notes it. It is not if gp has just waited: the reader learns from its next
// record that it goes on.
//
//go:nosplit
func (v *antichainVariable) notes(gp *g, ctx, addr, value, fp uintptr) bool {
	state := antichainState(gp)
	if !antichainLateLoads || v.addr != addr || v.age != state.age || state.waited || ctx >= antichainMaxCtx ||
		antichainScheduled && state.kept.doing != 0 {
		return false
	}
	note, count := v.noteOf(ctx), *antichainMoment(ctx)
	if note == nil {
		note = v.noteOf(0)
	}
	if note == nil || count < state.channel {
		return false
	}
	note.ctx, note.count = ctx, count
	state.late = true
	l := &state.loaded
	l.addr, l.value = addr, value
	for n := antichainWalk(l.pc[:], gp, fp); n < antichainPCs; n++ {
		l.pc[n] = 0
	}
	return true
}

// noteOf returns the note of a context, nil if there is none.
//
//go:nosplit
func (v *antichainVariable) noteOf(ctx uintptr) *antichainNoted {
	for i := range v.noted {
		if v.noted[i].ctx == ctx {
			return &v.noted[i]
		}
	}
	return nil
}

//go:nosplit
func (v *antichainVariable) hasNotes() bool {
	for i := range v.noted {
		if v.noted[i].ctx != 0 {
			return true
		}
	}
	return false
}

// comesTo makes v that of the variable at addr, on which the context self is about to record an
// operation. Notes that this makes due are written.
//
//go:nosplit
func (v *antichainVariable) comesTo(addr, self uintptr, age uint64, stores bool) {
	if antichainLateLoads {
		if v.addr == addr {
			v.forgetNote(self)
		}
		if stores || v.addr != addr || v.age != age {
			v.writeNotes(self)
		}
	}
	v.addr, v.age = addr, age
}

// forgetNote drops the note of a context, as an operation of that is about to be recorded.
//
//go:nosplit
func (v *antichainVariable) forgetNote(ctx uintptr) {
	if note := v.noteOf(ctx); note != nil {
		note.ctx = 0
	}
}

// writeNotes writes the notes on behalf of the context self, which is about to record an operation,
// and drops them.
//
//go:nosplit
func (v *antichainVariable) writeNotes(self uintptr) {
	for i := range v.noted {
		note := &v.noted[i]
		if note.ctx == 0 {
			continue
		}
		if v.age>>32 == antichainTracings { // or the reader knows nothing of it
			antichainPutPC(antichainKindLateLoad, self, v.addr, uintptr(note.count), note.ctx, 0)
		}
		note.ctx = 0
	}
}

// recordLoad makes the caller record its last load if it has noted that, and nothing else
// has happened to the variable since. The caller holds the lock of the variable.
//
//go:nosplit
func (v *antichainVariable) recordLoad(gp *g, ctx, addr uintptr) {
	l := &antichainState(gp).loaded
	if l.addr != addr || v.addr != addr {
		return
	}
	note := v.noteOf(ctx)
	if note == nil {
		return // another goroutine has stored
	}
	note.ctx = 0
	antichainPutPCs(antichainKindAtomicLoad, ctx, addr, l.value, 0, &l.pc)
}

// antichainBeforeChannel is called before the caller records an operation on a channel.
//
//go:nosplit
func antichainBeforeChannel() {
	if !antichainLateLoads {
		return
	}
	gp := getg()
	if gp != gp.m.curg || antichainOn != antichainWriting {
		return
	}
	state, ctx := antichainState(gp), antichainSelf()
	if ctx == 0 || ctx >= antichainMaxCtx {
		return
	}
	state.channel = *antichainMoment(ctx) + antichainSoon
	addr := state.loaded.addr
	if addr == 0 {
		return
	}
	gp.m.locks++
	antichainAtomicLock(addr)
	antichainVariableOf(addr).recordLoad(gp, ctx, addr)
	atomic.StoreRel(&antichainAtomicLockOf(addr).held, 0)
	gp.m.locks--
}

// antichainMayBeLate returns what the record of the end of gp says of its late loads.
//
//go:nosplit
func antichainMayBeLate(gp *g) uintptr {
	if antichainLateLoads && antichainState(gp).late {
		return antichainEndLate
	}
	return 0
}

// antichainHasRecorded notes that gp, which is the caller or parked, writes a record. waits says
// that gp is about to wait then.
//
//go:nosplit
func antichainHasRecorded(gp *g, waits bool) {
	state := antichainState(gp)
	state.loaded.addr = 0
	state.waited = waits
}
