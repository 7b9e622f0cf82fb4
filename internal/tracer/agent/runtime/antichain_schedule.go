//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// Keeping a schedule. After the slots of the ring there may be an order of a few operations
// (ring.Schedule), the steps. A goroutine waits before an operation that is a step until the steps
// before it are done. All others continue, so the program runs as usual apart from the steps, which
// takes fewer attempts than running one goroutine at a time.
//
// A step is an operation at a place in the code of the user: the return address of the innermost
// call from there. A goroutine comes to a place whenever it has a turn there (antichainTurn), and
// has been there once it has written a record, or another goroutine has on its behalf. Turns
// without a record do not count: those of nested operations, and of atomic ones that order nothing
// new.
//
// A step identifies its goroutine in one of two ways. By its number among those that another one of
// the schedule starts at a place, or anywhere; or by its role: the first goroutine that comes to a
// step and was started by go statements at the places of the role's class plays the role from then
// on. Numbers do not fix which worker gets which job, nor do they survive another number of
// workers.

// antichainScheduled is set if there is a schedule. It does not change after package
// initialisation.
var antichainScheduled bool

// antichainToKeep locates the parts of the schedule.
var antichainToKeep struct {
	base          unsafe.Pointer
	steps, starts uint32
	// steps that are done one after the other: all but two accesses that meet
	ordered           uint32
	halt              uint32 // after so many steps the program stops; 0: it does not
	roles, alone      bool
	patience, quiet   int64
	stepsAt, startsAt unsafe.Pointer
	places, user      unsafe.Pointer // of antichainCode
	userRanges        uint32
	played            [antichainMaxRoles]uint64 // the contexts that play roles, 0: none so far
	// since when the longest waiting goroutine waits; 0: none does
	oldest   int64
	mainEnds uint32 // 1: main is about to end the program
	// records at the last look, and since when they are so many
	records      uint64
	recordsSince int64

	objects    [antichainMaxObjects]uint64 // addresses of those of the steps, 0: not known so far
	unhindered uint32                      // 1 plus a step whose goroutine did not have to wait
}

// antichainKept is the state of a goroutine for keeping a schedule.
type antichainKept struct {
	class uint32 // a start plus 1, 0: main; all ones: none of the schedule
	role  uint32 // its role plus 1; 0: none
	next  uint32 // its next step; all ones: none, or with roles any that it can play
	// to the place of that step, since its previous step; with roles only those that might have
	// been the step
	visits uint32
	// objects of these visits, and how many there are
	visited  [antichainMostVisited]uint64
	nVisited uint32
	comes    bool   // it has come to that place, and has written nothing since
	doing    uint32 // the step that it is at, plus 1; 0: none
	vain     uint32 // how often it has waited in vain for another goroutine to meet
	awaits   bool   // it is kept back, for steps before its own or at a line
	// how often it has slept since so many steps were done, and until when it slept last
	naps, napsSince uint32
	slept           int64
}

const antichainNoStep = ^uint32(0)

// antichainStepLast is for how long the program waits at its end for the remaining steps, in
// nanoseconds.
const antichainStepLast = 100e6

type antichainStep struct {
	nth, flags    uint32
	place, places uint32
	class, role   uint32
	site, object  uint32
	op, others    uint32
}

type antichainStartOf struct{ class, place, places, nth, seen, ended uint32 }

type antichainCode struct{ lo, hi uint64 }

// The layout is the one of package ring, or this does not compile.
var (
	_ [antichainStepSize]struct{}    = [unsafe.Sizeof(antichainStep{})]struct{}{}
	_ [antichainStepNth]struct{}     = [unsafe.Offsetof(antichainStep{}.nth)]struct{}{}
	_ [antichainStepFlags]struct{}   = [unsafe.Offsetof(antichainStep{}.flags)]struct{}{}
	_ [antichainStepPlace]struct{}   = [unsafe.Offsetof(antichainStep{}.place)]struct{}{}
	_ [antichainStepPlaces]struct{}  = [unsafe.Offsetof(antichainStep{}.places)]struct{}{}
	_ [antichainStepClass]struct{}   = [unsafe.Offsetof(antichainStep{}.class)]struct{}{}
	_ [antichainStepRole]struct{}    = [unsafe.Offsetof(antichainStep{}.role)]struct{}{}
	_ [antichainStepSite]struct{}    = [unsafe.Offsetof(antichainStep{}.site)]struct{}{}
	_ [antichainStepObject]struct{}  = [unsafe.Offsetof(antichainStep{}.object)]struct{}{}
	_ [antichainStepOp]struct{}      = [unsafe.Offsetof(antichainStep{}.op)]struct{}{}
	_ [antichainStepOthers]struct{}  = [unsafe.Offsetof(antichainStep{}.others)]struct{}{}
	_ [antichainStartSize]struct{}   = [unsafe.Sizeof(antichainStartOf{})]struct{}{}
	_ [antichainStartPlace]struct{}  = [unsafe.Offsetof(antichainStartOf{}.place)]struct{}{}
	_ [antichainStartPlaces]struct{} = [unsafe.Offsetof(antichainStartOf{}.places)]struct{}{}
	_ [antichainStartNth]struct{}    = [unsafe.Offsetof(antichainStartOf{}.nth)]struct{}{}
	_ [antichainStartSeen]struct{}   = [unsafe.Offsetof(antichainStartOf{}.seen)]struct{}{}
	_ [antichainStartEnded]struct{}  = [unsafe.Offsetof(antichainStartOf{}.ended)]struct{}{}
	_ [antichainCodeSize]struct{}    = [unsafe.Sizeof(antichainCode{})]struct{}{}
)

// antichainKeep begins to keep a schedule, if there is one. The runtime is being initialised.
func antichainKeep() {
	s := &antichainToKeep
	if *antichainWord64(antichainOffSchedule) == 0 {
		return
	}
	s.base = add(antichainSlots, uintptr(antichainMask+1)*antichainSlotSize)
	word := func(off uintptr) uint32 { return *(*uint32)(add(s.base, off)) }
	s.steps, s.starts, s.userRanges = word(antichainScheduleSteps), word(antichainScheduleStarts), word(antichainScheduleUser)
	s.roles, s.halt = word(antichainScheduleRoles) != 0, word(antichainScheduleHalt)
	s.alone = word(antichainScheduleAlone) != 0
	s.patience, s.quiet = *(*int64)(add(s.base, antichainSchedulePatient)), *(*int64)(add(s.base, antichainScheduleQuiet))
	s.stepsAt = add(s.base, antichainScheduleData)
	s.startsAt = add(s.stepsAt, uintptr(s.steps)*antichainStepSize)
	s.places = add(s.startsAt, uintptr(s.starts)*antichainStartSize)
	s.user = add(s.places, uintptr(word(antichainSchedulePlaces))*antichainCodeSize)
	antichainLines.numbers = add(s.user, uintptr(s.userRanges)*antichainCodeSize)
	antichainLines.n, antichainLines.all = word(antichainScheduleLines), 1<<word(antichainScheduleLines)-1
	antichainLines.holds = *(*int64)(add(s.base, antichainScheduleHolds))
	atomic.Store64(antichainStepMoved(), uint64(nanotime1()))
	antichainScheduled = true
	if s.steps > 0 {
		antichainStandStill()
	}
	s.ordered = s.steps
	if s.steps >= 2 && antichainStepAt(s.steps-1).flags&antichainStepMeets != 0 {
		antichainPairs = true
		s.ordered -= 2
	}
	antichainKeepGo(nil, getg())
}

// antichainStepsDone returns the number of steps done.
//
//go:nosplit
func antichainStepsDone() *uint32 {
	return (*uint32)(add(antichainToKeep.base, antichainScheduleDone))
}

// antichainStepMoved returns when the last one was.
//
//go:nosplit
func antichainStepMoved() *uint64 {
	return (*uint64)(add(antichainToKeep.base, antichainScheduleMoved))
}

// antichainScheduleOver returns a word that is not 0 when the schedule is no longer kept: 1 + the
// step that did not come.
//
//go:nosplit
func antichainScheduleOver() *uint32 {
	return (*uint32)(add(antichainToKeep.base, antichainScheduleEnd))
}

//go:nosplit
func antichainStepAt(i uint32) *antichainStep {
	return (*antichainStep)(add(antichainToKeep.stepsAt, uintptr(i)*antichainStepSize))
}

// antichainIsAt reports whether an offset in the text is at one of n places.
//
//go:nosplit
func antichainIsAt(off uint64, place, n uint32) bool {
	for i := place; i < place+n; i++ {
		if c := (*antichainCode)(add(antichainToKeep.places, uintptr(i)*antichainCodeSize)); c.lo <= off && off < c.hi {
			return true
		}
	}
	return false
}

// antichainIsUser reports whether an offset in the text lies in code of the user.
//
//go:nosplit
func antichainIsUser(off uint64) bool {
	lo, hi := uint32(0), antichainToKeep.userRanges
	for lo < hi {
		mid := (lo + hi) / 2
		c := (*antichainCode)(add(antichainToKeep.user, uintptr(mid)*antichainCodeSize))
		switch {
		case off < c.lo:
			hi = mid
		case off >= c.hi:
			lo = mid + 1
		default:
			return true
		}
	}
	return false
}

// antichainUserPlace is the innermost place of the user's code on the stack of gp from frame fp
// outward: an offset in the text, 0 if there is none nearby.
//
//go:nosplit
func antichainUserPlace(gp *g, fp uintptr) uint64 {
	const deepest = 40
	lo, hi := gp.stack.lo, gp.stack.hi-2*8
	for depth := 0; depth < deepest && lo <= fp && fp <= hi && fp&7 == 0; depth++ {
		off := uint64(*(*uintptr)(unsafe.Pointer(fp + 8)) - firstmoduledata.text)
		if antichainIsUser(off) {
			return off
		}
		next := *(*uintptr)(unsafe.Pointer(fp))
		if next <= fp {
			break
		}
		fp = next
	}
	return 0
}

// antichainKeepGo begins to keep the schedule in newg. parent starts it; nil if the program does
// not.
//
//go:nosplit
func antichainKeepGo(parent, newg *g) {
	s := &antichainState(newg).kept
	*s = antichainKept{}
	s.isOf(antichainNoStep)
	if parent == nil {
		if newg.goid <= 1 {
			s.isOf(0)
		}
		return
	}
	p := &antichainState(parent).kept
	if p.class == antichainNoStep || antichainToKeep.starts == 0 {
		return
	}
	fp := getfp()
	if self := getg(); self == self.m.g0 {
		fp = parent.sched.bp // newproc has switched stacks
	}
	s.isOf(antichainStarts(p.class, antichainUserPlace(parent, fp)))
}

// isOf makes a goroutine one of a class.
//
//go:nosplit
func (s *antichainKept) isOf(class uint32) { s.class, s.next = class, antichainNextStep(class, 0) }

// antichainStarts returns the class of a goroutine that one of a class starts at a place, and
// counts it.
//
//go:nosplit
func antichainStarts(parent uint32, at uint64) (class uint32) {
	class = antichainNoStep
	for i := uint32(0); i < antichainToKeep.starts; i++ {
		start := antichainStartAt(i)
		if start.class == parent && (start.places == 0 || antichainIsAt(at, start.place, start.places)) && start.isNext() {
			class = i + 1
		}
	}
	return class
}

//go:nosplit
func antichainStartAt(i uint32) *antichainStartOf {
	return (*antichainStartOf)(add(antichainToKeep.startsAt, uintptr(i)*antichainStartSize))
}

// isNext counts one more goroutine that is started there, and reports whether it is one of those
// meant.
//
//go:nosplit
func (s *antichainStartOf) isNext() bool {
	n := atomic.Xadd(&s.seen, 1)
	return s.nth == 0 || n == s.nth
}

// antichainKeepTurn is a place before an operation of the caller, or before an event of the site
// whose number plus 1 is given. The caller waits there if it is about to do a step whose turn has
// not come. Where alone allows it, a caller without a further step waits for all steps of a
// schedule that comes alone.
func antichainKeepTurn(site uint32, alone bool) {
	gp := getg()
	if antichainToKeep.ordered == 0 || gp.m == nil || gp.racectx == 0 || gp != gp.m.curg || gp.raceignore != 0 || atomic.Load(antichainScheduleOver()) != 0 {
		return
	}
	s := &antichainState(gp).kept
	if s.doing != 0 {
		antichainStepIsDone(s) // by another goroutine, or without a record
	}
	s.comes = false
	antichainCountNaps(gp, s)
	at := antichainWhere{site: site}
	if site == 0 {
		at.off = antichainUserPlace(gp, getfp())
	}
	since := int64(0)
	antichainKeepWhile(gp, func() bool {
		i := antichainStepHere(gp, s, at)
		if i == antichainNoStep && alone && s.comesBehind() {
			i = antichainToKeep.ordered
		}
		if i == antichainNoStep || !antichainIsEarly(since != 0, i) && s.begins(gp, i) || !antichainFree(gp) {
			return false
		}
		if since == 0 {
			since = nanotime1()
		}
		if antichainToKeep.roles && antichainMayGo(since) {
			s.visits++
			return false
		}
		return true
	})
	if since != 0 {
		atomic.Casint64(&antichainToKeep.oldest, since, 0)
	}
}

// antichainIsEarly reports whether steps before i are still to be done. A goroutine that has waited
// for them gives the schedule up if none was done for too long.
func antichainIsEarly(waited bool, i uint32) bool {
	if waited && atomic.Load(antichainStepsDone()) < i {
		antichainGiveUpLate()
	}
	return atomic.Load(antichainStepsDone()) < i && atomic.Load(antichainScheduleOver()) == 0
}

// begins notes that a goroutine with state s is about to do step i, unless the schedule is over or
// another one has just come to play the role of the step.
func (s *antichainKept) begins(gp *g, i uint32) bool {
	if i == antichainToKeep.ordered || atomic.Load(antichainScheduleOver()) != 0 {
		return true
	}
	if antichainToKeep.roles && s.role == 0 {
		role := antichainStepAt(i).role
		if !atomic.Cas64(&antichainToKeep.played[role], 0, uint64(gp.racectx)) {
			return false
		}
		s.role = role + 1
	}
	s.doing = i + 1
	return true
}

// antichainKeepWhile keeps the caller, gp, back. If no other goroutine can go on, time goes by.
func antichainKeepWhile(gp *g, waits func() bool) {
	awaits := &antichainState(gp).kept.awaits
	antichainWaitWhile(func() bool {
		if *awaits {
			antichainMoveClock()
		}
		was := *awaits
		*awaits = waits()
		if *awaits && !was && antichainSeed != 0 {
			antichainGiveWay(gp)
		}
		return *awaits
	})
}

// antichainWhere is the position of a goroutine: an event of the site whose number plus 1 is given,
// or an operation at an offset in the text.
type antichainWhere struct {
	off  uint64
	site uint32
}

// is reports whether a step is there.
//
//go:nosplit
func (w antichainWhere) is(step *antichainStep) bool {
	if w.site != 0 || step.site != 0 {
		return w.site == step.site
	}
	return antichainIsAt(w.off, step.place, step.places)
}

// antichainStepHere returns the step that gp, with state s, is about to do: its next one, if that
// is at its position and gp has been there often enough. With roles, steps at other positions are
// passed over, since others may play these; and how often gp was there does not count.
func antichainStepHere(gp *g, s *antichainKept, at antichainWhere) uint32 {
	roles := antichainToKeep.roles
	for i := s.first(); i < antichainToKeep.ordered; i++ {
		step := antichainStepAt(i)
		if step.class != s.class || roles && !s.canPlay(gp, step.role) {
			continue
		}
		if at.is(step) {
			if s.comes = !roles && s.visits+1 < step.nth; s.comes {
				break
			}
			return i
		}
		if !roles {
			break
		}
	}
	return antichainNoStep
}

// canPlay reports whether gp, with state s, plays a role, or could.
func (s *antichainKept) canPlay(gp *g, role uint32) bool {
	if s.role != 0 {
		return s.role == role+1
	}
	by := atomic.Load64(&antichainToKeep.played[role])
	return by == 0 || by == uint64(gp.racectx)
}

// first returns the first step that may be the goroutine's next one.
func (s *antichainKept) first() uint32 {
	if antichainToKeep.roles {
		return atomic.Load(antichainStepsDone())
	}
	return s.next
}

// comesBehind reports whether the schedule comes alone, and all of it before a goroutine, which has
// no further step. Main has to start the goroutines of the steps before, and may be initialising
// packages.
func (s *antichainKept) comesBehind() bool {
	return antichainToKeep.alone && s.next == antichainNoStep && (s.class != 0 || antichainAllStarted())
}

func antichainAllStarted() bool {
	for i := range antichainToKeep.starts {
		start := antichainStartAt(i)
		if atomic.Load(&start.seen) < max(start.nth, 1) {
			return false
		}
	}
	return true
}

// antichainNextStep returns the first step, from i on, of a class of goroutines; antichainNoStep if
// there is none.
//
//go:nosplit
func antichainNextStep(class, i uint32) uint32 {
	for ; i < antichainToKeep.ordered; i++ {
		if antichainStepAt(i).class == class {
			return i
		}
	}
	return antichainNoStep
}

// antichainStepIsDone notes that a goroutine has done its present step. It counts if it was the
// step's turn.
//
//go:nosplit
func antichainStepIsDone(s *antichainKept) {
	if atomic.Load(antichainStepsDone()) == s.doing-1 && !s.isExact() {
		antichainNoteUnsure()
	}
	s.next = antichainNextStep(s.class, s.doing)
	s.visits, s.nVisited = 0, 0
	if atomic.Cas(antichainStepsDone(), s.doing-1, s.doing) {
		atomic.Store64(antichainStepMoved(), uint64(nanotime1()))
		if s.doing == antichainToKeep.halt {
			// the consumer sees it, and completes it
			atomic.Or(antichainWord32(antichainOffHalt), antichainHaltNow)
		}
	}
	s.doing = 0
}

// antichainMayGo reports whether there were no records for a while, and the caller has waited
// longest.
func antichainMayGo(since int64) bool {
	s := &antichainToKeep
	for {
		oldest := atomic.Loadint64(&s.oldest)
		if oldest != 0 && oldest <= since {
			break
		}
		atomic.Casint64(&s.oldest, oldest, since)
	}
	if atomic.Loadint64(&s.oldest) != since {
		return false
	}
	now, records := nanotime1(), atomic.Load64(antichainWord64(antichainOffProd))
	if s.records != records || s.recordsSince == 0 {
		s.records, s.recordsSince = records, now
		return false
	}
	if now-s.recordsSince < s.quiet {
		return false
	}
	s.recordsSince = now
	return true
}

// antichainKeepLeaving is called when the program is about to end: goroutines with remaining steps,
// except for the caller, get a little time, once the first step is done.
func antichainKeepLeaving() {
	gp := getg()
	if !antichainFree(gp) {
		return
	}
	if s := &antichainState(gp).kept; s.doing != 0 {
		antichainStepIsDone(s)
	}
	end := nanotime1() + antichainStepLast
	antichainKeepWhile(gp, func() bool {
		done := atomic.Load(antichainStepsDone())
		return done != 0 && antichainIsEarly(false, antichainToKeep.steps) && nanotime1() < end
	})
	antichainNoteMissed(gp.goid == 1)
}
