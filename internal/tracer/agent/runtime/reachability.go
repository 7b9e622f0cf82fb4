//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// Reachability. A goroutine that waits is cut off if nothing leads to what it waits for: neither a
// package variable, nor the stack of a goroutine that goes on by itself or is not cut off, nor a
// timer, a finalizer, a cleanup or a weak pointer. Nothing can wake it then, whatever else the
// program does, and that stays so.
//
// The garbage collector finds cut-off goroutines in the cycle that the runtime has for leaked ones
// (goroutineLeakGC; Saioc, Lange and Møller, "Dynamic Partial Deadlock Detection and Recovery via
// Garbage Collection", ASPLOS 2025): the stacks of waiting goroutines are no roots until something
// marks what they wait for. A check is such a cycle with these differences. Its result is a record
// and not the status of the goroutine, as the runtime does not survive that a leaked one is woken:
// which a weak pointer can do. So what a weak pointer leads to is a root. Blocks of small objects
// that are being filled are no roots, since objects in them have nothing to do with each other.
// Pools are not cleared: what they have could make a goroutine wait for ever that does not.
// Finalizers and cleanups do not run any more: without the check the program would have ended.

// antichainCheck is the only check, at the end of the program.
var antichainCheck struct {
	begun  uint32
	on     bool  // since its beginning: the program is about to end
	cycle  bool  // the cycle for leaked goroutines that is under way has begun since then
	over   bool  // all is marked
	phases int   // how often marking had come to an end
	paused int64 // how long the world stood still for it, in nanoseconds
	short  bool  // it found no answer within the bounds
}

// Bounds of a check. A chain of goroutines that wait for each other takes a phase for each of
// them. When a bound is reached, no goroutine counts as cut off.
const (
	antichainMaxPhases = 256
	antichainMaxPaused = 100e6
)

func init() { antichainChecks = antichainFindCutOff }

// antichainFindCutOff writes a record for each goroutine that is cut off. The caller is about to
// end the program.
func antichainFindCutOff() {
	gp, check := getg(), &antichainCheck
	if gp.bubble != nil || debug.asyncpreemptoff != 0 || !antichainMayBeCutOff(gp) || !atomic.Cas(&check.begun, 0, 1) {
		return
	}
	gp.raceignore++ // the collector synchronises goroutines of the program, too
	check.on = true
	for i := 0; !check.over && i < 3; i++ { // it may only wait for a cycle that others have begun
		goroutineLeakGC()
	}
	if check.over {
		forEachGRace(func(other *g) {
			if antichainState(other).cutOff && other.racectx != 0 {
				antichainCutOff(other.racectx)
			}
		})
	}
	gp.raceignore--
}

// antichainMayBeCutOff reports whether a goroutine other than self waits, and something else goes
// on by itself. Otherwise the records of operations say as much as a check would.
func antichainMayBeCutOff(self *g) bool {
	waits, goes := false, antichainTimerFires(1<<63-1)
	forEachGRace(func(gp *g) {
		if gp == self || gp.racectx == 0 {
			return
		}
		switch readgstatus(gp) &^ _Gscan {
		case _Gidle, _Gdead:
		case _Gwaiting:
			if gp.goid == 1 && gp.waitreason == waitReasonSelectNoCases {
				return // main lets others work
			}
			if gp.isMaybeRunnable() && !gp.waitreason.isChanWait() && !gp.waitreason.isSyncWait() {
				goes = true
			} else {
				waits = true
			}
		default:
			goes = true
		}
	})
	return waits && goes
}

// antichainCutOff writes a record about a goroutine, on behalf of none.
func antichainCutOff(ctx uintptr) {
	index, ok := antichainReserve(1)
	if !ok {
		return
	}
	s := antichainHead(index)
	s.word = antichainKindCutOff << antichainKindShift
	s.addr, s.aux, s.arg = uint64(ctx), 0, 0
	s.pc[0], s.pc[1], s.pc[2] = 0, 0, 0
	atomic.StoreRel64(&s.seq, index+1)
}

// antichainMarked takes the place of findGoroutineLeaks in a check: what could be marked so far is
// marked, and the world is stopped. It reports whether the check is over.
func antichainMarked() bool {
	check, begun := &antichainCheck, nanotime()
	check.phases++
	if findMaybeRunnableGoroutines() {
		check.paused += nanotime() - begun
		if check.phases < antichainMaxPhases && check.paused < antichainMaxPaused {
			return false
		}
		check.short = true
	}
	check.cycle, check.over = false, true
	for i := work.nMaybeRunnableStackRoots; i < work.nStackRoots; i++ {
		gp := work.stackRoots[i]
		antichainState(gp).cutOff = !check.short && gp.bubble == nil
		for sg := gp.waiting; sg != nil; sg = sg.waitlink { // as findGoroutineLeaks does
			if gp.waitreason.isChanWait() {
				shade(sg.c.uintptr())
			} else if gp.waitreason.isSyncWait() {
				shade(sg.elem.uintptr())
			}
		}
	}
	work.markrootJobs.Add(int32(work.nStackRoots - work.nMaybeRunnableStackRoots))
	work.nMaybeRunnableStackRoots = work.nStackRoots
	return true
}

// antichainMarkWeak marks what a weak pointer leads to: the object of a special in a span.
func antichainMarkWeak(s *mspan, offset uintptr, gcw *gcWork) {
	if antichainCheck.cycle {
		base := s.base() + offset/s.elemsize*s.elemsize
		greyobject(base, 0, 0, s, gcw, s.objIndex(base))
	}
}

// antichainShadeWeak marks an object that gets a weak pointer: antichainMarkWeak may have looked at
// its span before.
func antichainShadeWeak(p unsafe.Pointer) {
	if antichainCheck.cycle {
		shade(uintptr(p))
	}
}

// antichainCycle is called when a cycle for leaked goroutines begins, while the world is stopped.
// In a check no processor goes on with its block of small objects.
func antichainCycle() {
	check := &antichainCheck
	if !check.on || check.over {
		return
	}
	check.cycle = true
	for _, pp := range allp {
		if c := pp.mcache; c != nil {
			c.tiny, c.tinyoffset = 0, 0
		}
	}
}
