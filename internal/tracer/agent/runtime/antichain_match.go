//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// Which operation is a step. A line may have several operations, and a function that all call has
// those of all. So an operation at the place of a step is the step only if it is of the same kind,
// and on the same object. The number of an object in the schedule stands for the one of the first
// step with that number. An operation that does not fit is a visit, and a later one may be the
// step. Then it is not sure that the steps are the operations that were meant.

// antichainKeepRecord notes a record of the caller, which it has written.
//
//go:nosplit
func antichainKeepRecord(r *antichainSlot) {
	m := getg().m
	if m == nil || m.curg == nil || r.word&antichainCtxMask != uint64(m.curg.racectx) || m.curg.racectx == 0 {
		return
	}
	kind, object, op := r.word>>antichainKindShift, r.addr, uint64(antichainOpNone)
	switch kind {
	case antichainKindAcquire, antichainKindRelease, antichainKindReleaseAcquire,
		antichainKindReleaseMerge, antichainKindMark, antichainKindBlock:
		object, op = r.aux, r.arg&antichainOpMask
	}
	switch op { // a schedule has one kind of step for these
	case antichainOpStream, antichainOpStreamEnd:
		object, op = r.addr, antichainOpNone
	case antichainOpOnceLock:
		op = antichainOpLock
		antichainCameUnasked(&antichainState(m.curg).kept)
	case antichainOpOnceUnlock:
		op = antichainOpUnlock
	case antichainOpCondWait:
		op = antichainOpWait
	}
	antichainKeepDone(m.curg, kind, object, op)
}

// antichainKeepDone notes a record of gp, which is the caller or waits: of an operation on an
// object, 0 if it is on several.
//
//go:nosplit
func antichainKeepDone(gp *g, kind, object, op uint64) {
	s := &antichainState(gp).kept
	if kind == antichainKindEnd {
		antichainKeepEnd(s)
	}
	if s.doing == 0 && !s.comes {
		return
	}
	var step *antichainStep
	var flags uint32
	if s.doing != 0 {
		step = antichainStepAt(s.doing - 1)
		flags = step.flags
	}
	switch kind {
	case antichainKindTry, antichainKindLateLoad:
		return
	case antichainKindBlock:
		if flags&antichainStepWaits == 0 {
			return
		}
	case antichainKindSelect:
		if flags&antichainStepDecides == 0 {
			return
		}
	}
	isTurn := s.doing != 0 && atomic.Load(antichainStepsDone()) == s.doing-1
	switch {
	case step == nil:
		s.comes = false
		s.visits++
		s.addVisited(object)
	case step.op != 0 && op == antichainOpNone: // inside the library
	case !step.fits(object, op):
		if isTurn {
			antichainNoteUnsure()
		}
		antichainIsAnother(s, step)
	case flags&antichainStepBlocks != 0 && kind != antichainKindBlock:
		atomic.Store(&antichainToKeep.unhindered, s.doing)
		antichainIsAnother(s, step)
	default:
		if isTurn {
			step.bind(object)
		}
		antichainStepIsDone(s)
	}
}

// fits reports whether an operation can be the step.
//
//go:nosplit
func (step *antichainStep) fits(object, op uint64) bool {
	if step.op != 0 && op != uint64(step.op) {
		return false
	}
	if step.object == 0 || object == 0 {
		return true
	}
	for i := range antichainToKeep.objects {
		known := atomic.Load64(&antichainToKeep.objects[i])
		if isIt := uint32(i) == step.object-1; known != 0 && isIt != (known == object) {
			return false
		}
	}
	return true
}

// bind notes the object of the step, which is about to be done.
//
//go:nosplit
func (step *antichainStep) bind(object uint64) {
	if step.object != 0 && object != 0 {
		atomic.Store64(&antichainToKeep.objects[step.object-1], object)
	}
}

// antichainIsAnother notes that the operation that a goroutine has done is not the step.
//
//go:nosplit
func antichainIsAnother(s *antichainKept, step *antichainStep) {
	i := s.doing - 1
	s.doing = 0
	s.visits++
	if s.role == 0 {
		return
	}
	for j := range i {
		if antichainStepAt(j).role == step.role {
			return
		}
	}
	// the role is another goroutine's
	s.role = 0
	atomic.Store64(&antichainToKeep.played[step.role], 0)
}

// isExact reports whether a goroutine is at the operation that its present step is by its number.
//
//go:nosplit
func (s *antichainKept) isExact() bool {
	nth := antichainStepAt(s.doing - 1).nth
	if antichainToKeep.roles {
		return nth == 1 && s.visits == 0
	}
	return s.visits+1 == nth
}

// antichainWantedCase returns the case that the step of the caller, a select statement, is to take,
// from 1; 0 if it may take any.
func antichainWantedCase() uint32 {
	if !antichainScheduled {
		return 0
	}
	doing := antichainState(getg()).kept.doing
	if doing == 0 || atomic.Load(antichainScheduleOver()) != 0 {
		return 0
	}
	return antichainStepAt(doing-1).flags >> antichainStepCaseShift
}

// antichainMostVisited bounds the objects of visits. More are as good as any number.
const antichainMostVisited = 8

// addVisited notes the object of a visit.
//
//go:nosplit
func (s *antichainKept) addVisited(object uint64) {
	for i := range s.visited[:min(s.nVisited, antichainMostVisited)] {
		if s.visited[i] == object {
			return
		}
	}
	if s.nVisited < antichainMostVisited {
		s.visited[s.nVisited] = object
	}
	s.nVisited++
}

// antichainFellShort notes that a goroutine comes no more to its next step. It was at the place
// before, but not as often as in the run that is to be repeated. If it was there on more objects,
// or on the object of the step, one of these operations may have been the one that was meant.
//
//go:nosplit
func antichainFellShort(s *antichainKept) {
	if s.visits == 0 || antichainToKeep.roles || s.next == antichainNoStep {
		return
	}
	if s.nVisited > antichainStepAt(s.next).others {
		antichainNoteUnsure()
	}
}

// antichainCameUnasked notes that a goroutine has locked where it has no turn, as in a Once. If its
// next step is a lock, this may have been the one that was meant.
//
//go:nosplit
func antichainCameUnasked(s *antichainKept) {
	if antichainToKeep.roles || s.doing != 0 || s.next == antichainNoStep {
		return
	}
	if antichainStepAt(s.next).op == antichainOpLock {
		antichainNoteUnsure()
	}
}

// antichainNoteUnsure notes that operations may have been taken for steps that are others, if the
// schedule is kept so far.
//
//go:nosplit
func antichainNoteUnsure() {
	if atomic.Load(antichainScheduleOver()) != 0 {
		return
	}
	atomic.Store((*uint32)(add(antichainToKeep.base, antichainScheduleUnsure)), 1)
}
