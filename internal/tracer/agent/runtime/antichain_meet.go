//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// Two accesses at once. The last two steps of a schedule can be memory accesses, which are kept in a way of their own: whoever is
// about to make one of them waits a while for somebody who is about to make the other one, to the same memory. If somebody comes, no order
// separates the two, and both steps are done. Steps before them, of critical sections, come first. This is race-directed testing (Sen, "Race Directed Random Testing of Concurrent Programs",
// PLDI 2008) for a single pair of places.
//
// Accesses that the shadow memory has seen already since the last record of the goroutine do not come here.

// antichainPairs is set if the schedule ends with two accesses. It does not change after package initialisation.
var antichainPairs bool

// antichainMeeting is one who waits.
type antichainMeeting struct {
	ctx       uint64 // 0: the entry is free
	addr, end uintptr
	writes    bool
	steps     uint32 // bit by bit, those that this access could be
	met       bool   // somebody has come
}

// antichainMeetings are those who wait; the others do not.
var antichainMeetings struct {
	lock uint32
	by   [16]antichainMeeting
}

// antichainMeet is a place before an access of the caller, of the kind that flags of steps say: antichainStepWrites,
// antichainStepAtomic or none. depth is how far below the end of the stack the frame is of a function that the code of the user has
// called. It is no address, since the stack may grow, and move, when this is called.
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
			flags &^= antichainStepWrites // whether it writes is not known yet
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
		return // it has something to do before
	}
	s.visits++
	if s.visits >= nth {
		antichainAwaitStep(first)
	}
	entry := antichainCome(&me, s.visits >= nth)
	if entry == nil {
		return
	}
	atomic.Cas(antichainStepsDone(), first, first+1)
	// Who has waited in vain waits less the next time, so that a loop ends, whatever it does.
	patience := antichainToKeep.patience / int64(s.vain+1) / int64(s.vain+1)
	for since := nanotime(); nanotime()-since < patience && !antichainHasMet(); {
		antichainLetOthers()
	}
	if !antichainGo(entry) {
		s.vain++
	}
}

// antichainHasMet reports whether two goroutines have met.
func antichainHasMet() bool { return atomic.Load(antichainStepsDone()) == antichainToKeep.steps }

// antichainCome has me meet one who waits for it. If there is nobody, and it is to wait, it returns its entry.
func antichainCome(me *antichainMeeting, waits bool) (entry *antichainMeeting) {
	all := &antichainMeetings
	antichainMeetLock()
	for i := range all.by {
		other := &all.by[i]
		switch {
		case other.ctx == 0:
			entry = other
		case other.ctx != me.ctx && !other.met && me.fits(other):
			other.met = true
			atomic.Store(antichainStepsDone(), antichainToKeep.steps)
			atomic.Store64(antichainStepMoved(), uint64(nanotime()))
			atomic.Store(&all.lock, 0)
			return nil
		}
	}
	if !waits {
		entry = nil
	}
	if entry != nil {
		*entry = *me
	}
	atomic.Store(&all.lock, 0)
	return entry
}

// antichainGo frees the entry of one who goes on, and reports whether somebody has come.
func antichainGo(entry *antichainMeeting) bool {
	antichainMeetLock()
	met := entry.met
	*entry = antichainMeeting{}
	atomic.Store(&antichainMeetings.lock, 0)
	return met
}

func antichainMeetLock() {
	for !atomic.Cas(&antichainMeetings.lock, 0, 1) {
		antichainLetOthers()
	}
}

// fits reports whether two accesses are the two of the schedule, to the same memory.
func (m *antichainMeeting) fits(other *antichainMeeting) bool {
	pair := m.steps&1 != 0 && other.steps&2 != 0 || m.steps&2 != 0 && other.steps&1 != 0
	return pair && (m.writes || other.writes) && m.addr < other.end && other.addr < m.end
}

// antichainKeepAccess has the caller meet others, if that is what the schedule says, before it makes an access. fp is the frame of a
// function that the code of the user has called.
//
//go:nosplit
func antichainKeepAccess(addr, size uintptr, what uint64, fp uintptr) {
	gp := getg()
	if !antichainPairs || addr-gp.stack.lo < gp.stack.hi-gp.stack.lo {
		return // what is on the stack moves with it
	}
	did := uint32(0)
	if what&antichainWrites != 0 {
		did = antichainStepWrites
	}
	antichainMeet(addr, size, did, gp.stack.hi-fp)
}
