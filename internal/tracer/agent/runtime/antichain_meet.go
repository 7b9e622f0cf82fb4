//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// Two accesses at once. The last two steps of a schedule can be memory accesses, which are kept in
// a way of their own: a goroutine that is about to make one of them waits a while for another one
// that is about to make the other, to the same memory. If one comes, no order separates the two,
// and both steps are done. Steps before them, of critical sections, come first. This is
// race-directed testing (Sen, "Race Directed Random Testing of Concurrent Programs", PLDI 2008) for
// a single pair of places.
//
// Accesses that the shadow memory has already seen since the last record of the goroutine do not
// come here.

// antichainPairs is set if the schedule ends with two accesses. It does not change after package
// initialisation.
var antichainPairs bool

// antichainMeeting is a waiting access.
type antichainMeeting struct {
	ctx       uint64 // 0: the entry is free
	addr, end uintptr
	writes    bool
	steps     uint32 // bit mask of the steps that this access could be
	met       bool   // another goroutine has come
}

// antichainMeetings are the waiting accesses.
var antichainMeetings struct {
	lock mutex
	by   [16]antichainMeeting
}

// antichainMeet is a place before an access of the caller, of the kind given by flags of steps:
// antichainStepWrites, antichainStepAtomic or none. depth is the distance from the end of the stack
// to the frame of a function that the user's code has called. It is no address, since the stack may
// grow, and move, during the call.
func antichainMeet(addr, size uintptr, did uint32, depth uintptr) {
	gp := getg()
	if !antichainFree(gp) || gp.racectx == 0 || atomic.Load(antichainScheduleOver()) != 0 || antichainHasMet() {
		return
	}
	me := antichainMeeting{ctx: uint64(gp.racectx), addr: addr, end: addr + max(size, 1)}
	at := antichainWhere{off: antichainUserPlace(gp, gp.stack.hi-depth)}
	nth := uint32(0)
	first := antichainToKeep.ordered
	for i := uint32(0); i < 2; i++ {
		step := antichainStepAt(first + i)
		flags := step.flags & (antichainStepWrites | antichainStepAtomic)
		if did&antichainStepAtomic != 0 {
			flags &^= antichainStepWrites // it is not known yet whether it writes
		}
		if flags == did && at.is(step) {
			me.steps |= 1 << i
			me.writes = step.flags&antichainStepWrites != 0
			nth = step.nth
		}
	}
	if me.steps == 0 {
		return
	}
	s := &antichainState(gp).kept
	if antichainNextStep(s.class, atomic.Load(antichainStepsDone())) != antichainNoStep {
		return // it has another step to do before
	}
	s.visits++
	if s.visits >= nth {
		waited := false
		antichainKeepWhile(gp, func() bool {
			early := antichainIsEarly(waited, first)
			waited = true
			return early
		})
	}
	entry := antichainCome(&me, s.visits >= nth)
	if entry == nil {
		return
	}
	atomic.Cas(antichainStepsDone(), first, first+1)
	// A goroutine that has waited in vain waits less the next time, which ends every loop.
	patience := antichainToKeep.patience / int64(s.vain+1) / int64(s.vain+1)
	end := nanotime1() + patience
	antichainKeepWhile(gp, func() bool { return nanotime1() < end && !antichainHasMet() })
	if !antichainGo(entry) {
		s.vain++
	}
}

// antichainHasMet reports whether two goroutines have met.
func antichainHasMet() bool { return atomic.Load(antichainStepsDone()) == antichainToKeep.steps }

// antichainCome makes me meet a waiting access that fits. If there is none, and waits is set, it
// returns an entry for me.
func antichainCome(me *antichainMeeting, waits bool) (entry *antichainMeeting) {
	all := &antichainMeetings
	lock(&all.lock)
	for i := range all.by {
		other := &all.by[i]
		switch {
		case other.ctx == 0:
			entry = other
		case other.ctx != me.ctx && !other.met && me.fits(other):
			other.met = true
			atomic.Store(antichainStepsDone(), antichainToKeep.steps)
			atomic.Store64(antichainStepMoved(), uint64(nanotime1()))
			unlock(&all.lock)
			return nil
		}
	}
	if !waits {
		entry = nil
	}
	if entry != nil {
		*entry = *me
	}
	unlock(&all.lock)
	return entry
}

// antichainGo frees the entry of an access that continues, and reports whether it has met another.
func antichainGo(entry *antichainMeeting) bool {
	lock(&antichainMeetings.lock)
	met := entry.met
	*entry = antichainMeeting{}
	unlock(&antichainMeetings.lock)
	return met
}

// fits reports whether two accesses are the two of the schedule, to the same memory.
func (m *antichainMeeting) fits(other *antichainMeeting) bool {
	pair := m.steps&1 != 0 && other.steps&2 != 0 || m.steps&2 != 0 && other.steps&1 != 0
	return pair && (m.writes || other.writes) && m.addr < other.end && other.addr < m.end
}

// antichainKeepAccess makes the caller meet others, if the schedule says so, before it makes an
// access. fp is the frame of a function that the user's code has called.
//
//go:nosplit
func antichainKeepAccess(addr, size uintptr, what uint64, fp uintptr) {
	gp := getg()
	if !antichainPairs || addr-gp.stack.lo < gp.stack.hi-gp.stack.lo {
		return // variables on the stack move with it
	}
	did := uint32(0)
	if what&antichainWrites != 0 {
		did = antichainStepWrites
	}
	antichainMeet(addr, size, did, gp.stack.hi-fp)
}
