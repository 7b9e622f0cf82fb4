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
// which a weak pointer can do. So what a weak pointer leads to is a root. Package variables are the
// last roots: the goroutines that have not been reached before are reached from them alone. Blocks
// of small objects that are being filled are no roots, since objects in them have nothing to do
// with each other. Pools are not cleared: what they have could make a goroutine wait for ever that
// does not. Finalizers and cleanups do not run during a check. Behind the last one, at the end of
// the program or before it is ended from outside, they do not run any more: without the check the
// program would have ended.

// antichainCheck is the latest check.
var antichainCheck struct {
	busy    uint32 // a goroutine makes it
	last    bool   // the program is about to end
	most    int64  // see antichainFindCutOff
	on      bool   // since its beginning, for ever if it is the last one
	cycle   bool   // the cycle for leaked goroutines that is under way has begun since then
	sources bool   // timers and the like are marked
	globals bool   // package variables are marked
	over    bool   // all is marked
	elems   int    // goroutines of work.stackRoots whose elements are marked
	phases  uint   // how often marking had come to an end
	end     int64  // when the check gives up
	short   bool   // it has
}

// Before antichain_setup.go, which asks for it: the runtime is initialised file by file.
func init() { antichainChecks = antichainFindCutOff }

// antichainFindCutOff writes a record for each goroutine that waits for what no goroutine that goes
// on leads to, and one about the check itself. The check goes on for at most so many nanoseconds
// after marking has come to an end for the first time. If the goroutine exits, it may have been
// about to do more: its own stack is one of the roots.
func antichainFindCutOff(most int64, why int) {
	gp, check := getg(), &antichainCheck
	if !antichainMayBeCutOff(gp, why == antichainExits) {
		return
	}
	antichainAwaitCheck()
	if !check.last {
		check.last = why != antichainGoesOn
		antichainCheckNow(gp, most)
	}
	atomic.Store(&check.busy, 0)
}

// antichainAwaitCheck waits for a check of another goroutine, and keeps others away.
func antichainAwaitCheck() {
	for !atomic.Cas(&antichainCheck.busy, 0, 1) {
		antichainYield()
		systemstack(func() { usleep(antichainNapMin) })
	}
}

// antichainCheckNow makes a check, and writes what it has found.
func antichainCheckNow(gp *g, most int64) {
	check := &antichainCheck
	if debug.asyncpreemptoff != 0 {
		antichainChecked(antichainCheckPreempts) // a goroutine in a loop would hold it up for ever
		return
	}
	gp.raceignore++ // the collector synchronises goroutines of the program, too
	check.most, check.phases = most, 0
	check.sources, check.globals, check.over, check.short = false, false, false, false
	check.on = gp.bubble == nil
	// A collection may only wait for a cycle that others have begun.
	for i := 0; check.on && !check.over && i < 3; i++ {
		goroutineLeakGC()
	}
	outcome := uint64(antichainCheckComplete)
	if !check.over {
		outcome = antichainCheckMissed
	} else if check.short {
		outcome = antichainCheckShort
	}
	forEachGRace(func(other *g) {
		switch left, isLeft := antichainLeftOf(other); {
		case other.racectx == 0:
		case readgstatus(other)&^_Gscan == _Gleaked: // a weak pointer may lead there
			outcome = antichainCheckProfiled
			antichainWrite(antichainKindCutOff, uint64(other.racectx), 0, antichainCutOffUndecided)
		case isLeft && check.over && !antichainState(other).lost:
			antichainWrite(antichainKindCutOff, uint64(other.racectx), 0, left)
			antichainState(other).lost = left == antichainCutOffForEver
		}
	})
	antichainChecked(outcome)
	check.on = check.on && check.last
	gp.raceignore--
}

// antichainMayBeCutOff reports whether a goroutine other than self waits, and something else goes
// on by itself, or self would do so if it did not exit. Otherwise the records of operations say as
// much as a check would, unless the initialisation of a package has started one that waits: it is
// taken to serve as long as something leads to what it waits for.
func antichainMayBeCutOff(self *g, exits bool) bool {
	waits, goes := false, exits || antichainTimerFires(1<<63-1)
	forEachGRace(func(gp *g) {
		if gp == self || gp.racectx == 0 {
			return
		}
		switch readgstatus(gp) &^ _Gscan {
		case _Gidle, _Gdead:
		case _Gleaked:
			waits = true
		case _Gwaiting:
			if gp.goid == 1 && gp.waitreason == waitReasonSelectNoCases {
				return // main lets others work
			}
			if gp.isMaybeRunnable() && !gp.waitreason.isChanWait() && !gp.waitreason.isSyncWait() {
				goes = true
			} else {
				waits = true
				goes = goes || antichainState(gp).early
			}
		default:
			goes = true
		}
	})
	return waits && goes
}

// antichainChecked writes the record about the check.
func antichainChecked(outcome uint64) {
	antichainWrite(antichainKindChecked, 0, uint64(antichainCheck.phases), outcome)
}

// antichainWrite writes a record on behalf of no goroutine.
func antichainWrite(kind, addr, aux, arg uint64) {
	index, ok := antichainReserve(1)
	if !ok {
		return
	}
	s := antichainHead(index)
	s.word = kind << antichainKindShift
	s.addr, s.aux, s.arg = addr, aux, arg
	s.pc[0], s.pc[1], s.pc[2] = 0, 0, 0
	atomic.StoreRel64(&s.seq, index+1)
}

// antichainMarked takes the place of findGoroutineLeaks in a check: what could be marked so far is
// marked, and the world is stopped. It reports whether the check is over.
func antichainMarked() bool {
	check := &antichainCheck
	if check.phases++; check.phases == 1 {
		check.end = nanotime1() + check.most
	}
	if !check.sources {
		check.sources = true
		antichainMarkSources()
		antichainFindRunnable()
		return false
	}
	if antichainFindRunnable() {
		if nanotime1() < check.end {
			return false
		}
		check.short = true
	}
	if !check.globals {
		check.globals = true
		antichainNoteLeft(antichainCutOffByGlobals)
		antichainMarkGlobals()
		antichainFindRunnable()
		return false
	}
	check.cycle, check.over = false, true
	antichainNoteLeft(antichainCutOffForEver)
	for i := work.nMaybeRunnableStackRoots; i < work.nStackRoots; i++ {
		gp := work.stackRoots[i]
		for sg := gp.waiting; sg != nil; sg = sg.waitlink { // as findGoroutineLeaks does
			if gp.waitreason.isChanWait() {
				shade(sg.c.uintptr())
			}
			shade(sg.elem.uintptr())
		}
	}
	work.markrootJobs.Add(int32(work.nStackRoots - work.nMaybeRunnableStackRoots))
	work.nMaybeRunnableStackRoots = work.nStackRoots
	return true
}

// antichainFindRunnable adds the goroutines to the roots that wait for what is marked. It reports
// whether there are any.
func antichainFindRunnable() bool {
	found := findMaybeRunnableGoroutines()
	for ; antichainCheck.elems < work.nMaybeRunnableStackRoots; antichainCheck.elems++ {
		gp := work.stackRoots[antichainCheck.elems]
		if readgstatus(gp) == _Gwaiting && gp.waitreason.isChanWait() {
			for sg := gp.waiting; sg != nil; sg = sg.waitlink {
				shade(sg.elem.uintptr())
			}
		}
	}
	return found
}

// antichainNoteLeft notes what the check would say of the goroutines that are not reached so far.
func antichainNoteLeft(what uint8) {
	if antichainCheck.short {
		what = antichainCutOffUndecided
	}
	for i := work.nMaybeRunnableStackRoots; i < work.nStackRoots; i++ {
		if gp := work.stackRoots[i]; gp.bubble == nil {
			state := antichainState(gp)
			state.left, state.leftAt = what+1, state.epoch
		}
	}
}

// antichainLeftOf returns what the check says of a goroutine, if it says something and gp has not
// gone on since.
func antichainLeftOf(gp *g) (uint64, bool) {
	state := antichainState(gp)
	stays := state.leftAt == state.epoch || state.left == antichainCutOffForEver+1
	return uint64(state.left) - 1, state.left != 0 && stays
}

// antichainMarkSources marks what only package variables of the standard library lead to, and wakes
// goroutines by itself: timers, also those of bubbles, and channels over which signals come.
func antichainMarkSources() {
	for _, pp := range allp {
		for i := range pp.timers.heap {
			shade(uintptr(unsafe.Pointer(pp.timers.heap[i].timer)))
		}
	}
	for _, gp := range work.stackRoots {
		if gp.bubble != nil {
			shade(uintptr(unsafe.Pointer(gp.bubble)))
		}
	}
	for _, c := range antichainOutside {
		if c != 0 {
			shade(c)
		}
	}
}

// antichainMarkGlobals marks what package variables lead to.
func antichainMarkGlobals() {
	systemstack(func() {
		gcw := &getg().m.p.ptr().gcw
		for _, datap := range activeModules() {
			for i := range work.nDataRoots {
				markrootBlock(datap.data, datap.edata-datap.data, datap.gcdatamask.bytedata, gcw, i)
			}
			for i := range work.nBSSRoots {
				markrootBlock(datap.bss, datap.ebss-datap.bss, datap.gcbssmask.bytedata, gcw, i)
			}
		}
	})
}

// antichainPostpones reports whether a root is a part of the package variables, which a check marks
// last.
func antichainPostpones(root uint32) bool {
	return antichainCheck.cycle && !antichainCheck.globals && work.baseData <= root && root < work.baseSpans
}

// antichainAwaitsGlobal reports whether a goroutine waits for a lock or the like that is in a
// package variable itself, while these are not marked.
func antichainAwaitsGlobal(gp *g) bool {
	if !antichainCheck.cycle || antichainCheck.globals || readgstatus(gp) != _Gwaiting || !gp.waitreason.isSyncWait() ||
		gp.waiting == nil {
		return false
	}
	at := gp.waiting.elem.uintptr()
	for _, datap := range activeModules() {
		if datap.data <= at && at < datap.edata || datap.bss <= at && at < datap.ebss ||
			datap.noptrdata <= at && at < datap.enoptrdata || datap.noptrbss <= at && at < datap.enoptrbss {
			return true
		}
	}
	return false
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
	check.cycle, check.elems = true, 0
	forEachGRace(func(gp *g) {
		antichainState(gp).left = 0
		antichainHideElements(gp)
	})
	for _, pp := range allp {
		if c := pp.mcache; c != nil {
			c.tiny, c.tinyoffset = 0, 0
		}
	}
}

// antichainHideElements hides from the collector where a goroutine that waits for channels sends
// from or receives to, until the goroutine is found to be one of the roots. If it sends a variable
// of its closure, that place leads to all the closure has, and so to the channel itself.
func antichainHideElements(gp *g) {
	if gp.waitreason.isChanWait() {
		for sg := gp.waiting; sg != nil; sg = sg.waitlink {
			sg.elem.setUntraceable()
		}
	}
}
