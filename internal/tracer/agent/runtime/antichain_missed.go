//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// Why a step did not come. A schedule that was not kept says something about the order of its steps
// only if the program went another way: if the goroutine of the next step had ended, or could not
// go on without a step behind. Otherwise nothing is known, and more time might have brought it
// there.

// antichainGiveUpLate gives up the schedule if no step was done for too long.
func antichainGiveUpLate() {
	if nanotime1()-int64(atomic.Load64(antichainStepMoved())) <= antichainToKeep.patience {
		return
	}
	done := atomic.Load(antichainStepsDone())
	antichainNoteMissed(false)
	atomic.Cas(antichainScheduleOver(), 0, 1+done)
}

// antichainNoteInput notes that the program has read standard input, which is empty.
//
//go:nosplit
func antichainNoteInput() {
	if antichainScheduled {
		atomic.Store((*uint32)(add(antichainToKeep.base, antichainScheduleInput)), 1)
	}
}

// antichainNoteMissed notes why the next step did not come, if there is one and the schedule was
// kept so far. mainEnds says that main is about to end the program.
func antichainNoteMissed(mainEnds bool) {
	done := atomic.Load(antichainStepsDone())
	if done == antichainToKeep.steps || atomic.Load(antichainScheduleOver()) != 0 {
		return
	}
	if mainEnds {
		atomic.Store(&antichainToKeep.mainEnds, 1)
	}
	missed := uint32(antichainMissedEnded) // neither of two accesses comes after the end
	if done < antichainToKeep.ordered {
		missed = antichainMissedStep(antichainStepAt(done))
		isOtherWay := missed < antichainMissedUnstarted
		if isOtherWay && atomic.Load(&antichainToKeep.unhindered) == done+1 {
			missed = antichainMissedUnhindered
		}
	}
	atomic.Store((*uint32)(add(antichainToKeep.base, antichainScheduleMissed)), missed)
}

// antichainMissedStep returns why a step did not come.
func antichainMissedStep(step *antichainStep) (missed uint32) {
	if step.class == 0 && atomic.Load(&antichainToKeep.mainEnds) != 0 {
		return antichainMissedEnded
	}
	player := uint64(0) // which alone can do the step
	if antichainToKeep.roles {
		player = atomic.Load64(&antichainToKeep.played[step.role])
	}
	forEachGRace(func(gp *g) {
		s := &antichainState(gp).kept
		switch {
		case gp.racectx == 0 || s.class != step.class || s.role != 0 && s.role != step.role+1:
		case player != 0 && player != uint64(gp.racectx):
		default:
			antichainFellShort(s)
			missed = max(missed, antichainHindrance(gp))
		}
	})
	switch {
	case missed != 0:
		return missed
	case player != 0 || step.class != 0 && atomic.Load(&antichainStartAt(step.class-1).ended) > 0:
		return antichainMissedEnded
	}
	return antichainMissedUnstarted
}

// antichainHindrance returns why a goroutine does not do its next step; 0 if it has ended.
func antichainHindrance(gp *g) uint32 {
	state, self := antichainWaitsFor(gp), getg()
	sleeps := state == antichainMissedTime || state == antichainMissedRuns && nanotime()-gp.sleepWhen < antichainAwake
	if sleeps && antichainState(gp).kept.naps >= antichainManyNaps {
		return antichainMissedRounds
	}
	if state != antichainMissedWaits || gp == self {
		return state
	}
	// it goes on if another one does that is not kept back itself
	forEachGRace(func(other *g) {
		isOther := other != gp && other != self && other.racectx != 0
		if isOther && !antichainState(other).kept.awaits {
			state = max(state, antichainWaitsFor(other))
		}
	})
	if state < antichainMissedTime && antichainNextTimer() < maxWhen {
		state = antichainMissedTime
	}
	if state == antichainMissedTime && antichainClockMoves() >= antichainManyNaps {
		return antichainMissedRounds
	}
	return state
}

// antichainGone is a goroutine that has ended, or is kept for a thread of C.
const antichainGone = 0

// antichainWaitsFor returns what a goroutine waits for, or antichainGone.
func antichainWaitsFor(gp *g) uint32 {
	switch readgstatus(gp) &^ _Gscan {
	case _Grunnable, _Grunning, _Gcopystack, _Gpreempted:
		return antichainMissedRuns
	case _Gsyscall:
		return antichainMissedWorld
	case _Gwaiting:
		if antichainParked(gp) {
			return antichainMissedRuns
		}
	case antichainLeaked:
		return antichainMissedWaits
	default:
		return antichainGone
	}
	switch gp.waitreason {
	case waitReasonSleep:
		return antichainMissedTime
	case waitReasonIOWait:
		return antichainMissedWorld
	case waitReasonSyncMutexLock, waitReasonSyncRWMutexRLock, waitReasonSyncRWMutexLock:
		return antichainMissedLock
	case waitReasonGCAssistMarking, waitReasonGCAssistWait, waitReasonGCSweepWait,
		waitReasonPreempted:
		return antichainMissedRuns
	}
	return antichainMissedWaits
}

// A goroutine that has slept so often since the last step waits for something in a loop. So does
// one if other goroutines have slept as often, or timers have fired.
const antichainManyNaps = 100

// A goroutine that has woken no longer ago than that, in nanoseconds, may be about to sleep again:
// on a busy machine it has to wait for a processor.
const antichainAwake = 100e6

// antichainCountNaps notes that a goroutine, which is about to do an operation, may have slept.
func antichainCountNaps(gp *g, s *antichainKept) {
	if done := atomic.Load(antichainStepsDone()); s.napsSince != done {
		s.napsSince, s.naps = done, 0
	}
	if gp.sleepWhen != s.slept {
		s.slept = gp.sleepWhen
		s.naps++
	}
}

// antichainKeepEnd notes that a goroutine ends.
//
//go:nosplit
func antichainKeepEnd(s *antichainKept) {
	antichainFellShort(s)
	if s.class != 0 && s.class != antichainNoStep {
		atomic.Xadd(&antichainStartAt(s.class-1).ended, 1)
	}
}
