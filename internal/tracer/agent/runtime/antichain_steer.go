//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"internal/stringslite"
	"unsafe"
)

import "internal/runtime/maps"

// Steered schedules. With a seed in the header, goroutines run one at a time, and before each
// operation that the hooks see a lottery decides which one goes next. Its rule is the strategy of
// the header; see package internal/tracer/strategy, which has the lottery.
//
// A goroutine goes next only if its operation can be done: one that is about to take a lock that is
// held, to send to a full channel or to receive from an empty one stays where it is. So the order
// of the queues of the runtime decides nothing. If no other goroutine can go on, they are let into
// these queues, one after the other, where they are found if there is a deadlock. On a channel
// without a buffer, and in a select statement, to come there is a step of its own.
//
// Random choices come from the seed, the goroutine's place in the tree of go statements and the
// number of its operation. So a seed repeats its schedule as far as the program does not depend on
// anything else, such as time and the network. Hash values come from the seed too: the number of
// atomic operations of a hash trie (sync.Map, unique) depends on them, already while packages are
// initialised.
//
// Two things are added. A goroutine that polls for a condition could keep away the one that would
// bring it about: one that repeats what brings nothing new lets the others go first. And with some
// seeds a goroutine is slow now and then: see antichain_early.go.

// antichainSeed is 0 if the schedule is not steered. It does not change after package
// initialisation.
var antichainSeed uint64

// antichainSteering is the part that the header decides for the whole run.
var antichainSteering struct {
	lottery lottery
	// a goroutine is slow before its n-th operation once in slow*(n+1) times; 0: never
	slow uint64
	// how many operations that bring nothing new a goroutine does before it lets the others go
	// first: one that polls, and not one that repeats a check
	patience uint32

	orphans uint64 // goroutines that no go statement has started; changed atomically
	procs   int    // the program's view of GOMAXPROCS
}

// antichainSteered is the state of a goroutine for steering.
type antichainSteered struct {
	ticket
	name      uint32 // see antichainCountGo
	children  uint64 // go statements so far
	turns     uint64 // so far
	randoms   uint64 // numbers so far
	awaits    uintptr
	awaitsFor uint8 // antichainAwaits..., what its next operation awaits at that address
	// the address of an object that its next operation does not change; see antichainOnlyReads
	looksAt   uintptr
	late      bool   // it lets time pass
	goesOn    bool   // it runs next: its time slice was over, but its turn has not come
	idle      bool   // its last operation has brought nothing new
	idles     uint32 // how many of these there were one after the other
	preempted uint32 // how often since its last turn
	sleeps    int64  // for how long it sleeps, or slept last
	vain      antichainVain
}

// Kinds of what an operation awaits.
const (
	antichainAwaitsNothing = iota
	antichainAwaitsLock    // that the lock with this word is free
	antichainAwaitsRoom    // room in the buffer of this channel
	antichainAwaitsMessage // a message there
)

// Time slices, of 10 ms, in which a goroutine may have no turn, and nanoseconds for which it may be
// in a system call.
const (
	antichainSlices = 8
	antichainInCall = 10e6
)

// antichainSteer begins to steer. The runtime is being initialised, and no code of the program has
// run.
func antichainSteer(seed uint64) {
	s := &antichainSteering
	s.procs = GOMAXPROCS(1)
	s.lottery = newLottery(*antichainWord32(antichainOffRule), *antichainWord32(antichainOffDepth), seed,
		*antichainWord64(antichainOffSteps))
	antichainStartCounts()
	how := mixed(seed)
	s.patience = 64 << (how >> 16 % 5 * 2)
	if kind := how >> 8 % 8; kind < 4 && *antichainWord32(antichainOffEarlyMost) != 0 {
		s.slow = 1 << kind
	}
	antichainSeed = seed
	antichainStandStill()
	antichainSteerGo(nil, getg())
	if firstmoduledata.next == nil { // else there are maps of types by now
		antichainRekeying = true
		maps.AlgInit()
		antichainRekeying = false
	}
}

// antichainRekeying is set while the keys of hash functions are redrawn. There is no map yet.
var antichainRekeying bool

// antichainHashKey returns a part of the key of hash functions while that is redrawn; false
// otherwise.
func antichainHashKey() (x uint64, ok bool) {
	if !antichainRekeying {
		return 0, false
	}
	return antichainRand()
}

// antichainSteerGo begins to steer newg, or to draw where it yields. parent starts it; nil if the
// program does not.
//
//go:nosplit
func antichainSteerGo(parent, newg *g) {
	if antichainScheduled {
		antichainKeepGo(parent, newg)
	}
	if antichainSeed == 0 && !antichainPerturbing {
		return
	}
	var from, n uint64
	var p *antichainSteered
	if parent != nil {
		s := antichainState(parent)
		p = &s.steered
		p.children++
		from, n = p.path, p.children
		antichainPerturbGo(s)
	} else {
		n = antichainNextOrphan()
	}
	path := mixed(mixed(from^antichainSeed^antichainYields) + n)
	antichainState(newg).steered = antichainSteered{ticket: antichainSteering.lottery.enters(path)}
	if antichainSeed != 0 {
		antichainCountGo(p, &antichainState(newg).steered, newg, n)
		atomic.Xadd64(antichainWord64(antichainOffGoroutines), 1)
	}
}

// antichainAwaits notes what the caller's next operation awaits. Its own stack moves, and no other
// goroutine knows what is there.
func antichainAwaits(at uintptr, what uint8) {
	if gp := getg(); antichainSeed != 0 && at-gp.stack.lo >= gp.stack.hi-gp.stack.lo {
		s := &antichainState(gp).steered
		s.awaits, s.awaitsFor = at, what
	}
}

// can reports whether the next operation of a goroutine can be done.
func (s *antichainSteered) can() bool {
	switch c := (*hchan)(unsafe.Pointer(s.awaits)); s.awaitsFor {
	case antichainAwaitsLock:
		return *(*uint32)(unsafe.Pointer(s.awaits))&1 == 0
	case antichainAwaitsRoom:
		return c.closed != 0 || c.qcount < c.dataqsiz
	case antichainAwaitsMessage:
		return c.closed != 0 || c.qcount > 0
	}
	return true
}

// antichainSteerTurn is a turn in a steered schedule.
func antichainSteerTurn(objects [ticketObjects]uint64) {
	gp := getg()
	s := &antichainState(gp).steered
	if gp.racectx == 0 || !antichainFree(gp) {
		s.awaitsFor = antichainAwaitsNothing
		return
	}
	s.preempted = 0
	s.turns++
	antichainSteering.lottery.stands(&s.ticket, objects)
	site := antichainCountTurn(gp, s, &objects)
	antichainNoteIdle(s)
	x, woken := mixed(s.path+s.turns), false
	if d := antichainSteering.slow; d != 0 && x>>32%(d*(s.turns+1)) == 0 {
		woken = antichainBeSlow(gp, mixed(x))
	}
	switch {
	case woken || antichainOthers():
		antichainSteering.lottery.contends(&s.ticket)
		mcall(gosched_m)
	case !antichainOnlySpins():
		antichainGoes(s)
	case antichainIsDue():
		mcall(gosched_m)
	}
	antichainNoteTurn(s, site, &objects)
	s.awaitsFor = antichainAwaitsNothing
}

// antichainOthers reports whether any other goroutine of the program could run. The runtime's
// goroutines do not count: they depend on time.
func antichainOthers() (others bool) {
	if runqempty(getg().m.p.ptr()) && sched.runq.empty() {
		return false
	}
	systemstack(func() {
		lock(&sched.lock)
		antichainGather(getg().m.p.ptr())
		for gp := sched.runq.head.ptr(); gp != nil && !others; gp = gp.schedlink.ptr() {
			others = gp.racectx != 0
		}
		unlock(&sched.lock)
	})
	return others
}

// antichainGather puts all goroutines that can run in one queue. The scheduler is locked.
func antichainGather(pp *p) {
	for gp, _ := runqget(pp); gp != nil; gp, _ = runqget(pp) {
		globrunqput(gp)
	}
}

// antichainYieldsAt is called by runtime.Gosched, whose caller is at pc. The runtime itself yields
// until its collector is done, and waits for no time to go by.
func antichainYieldsAt(pc uintptr) {
	if !antichainTime.stands || stringslite.HasPrefix(funcname(findfunc(pc)), "runtime.") {
		return
	}
	antichainGosched()
}

// antichainGosched is called where the program yields, and where a sleep takes no time: the caller
// waits for others.
func antichainGosched() {
	gp := getg()
	if gp.racectx == 0 {
		return
	}
	antichainPollsTime()
	if antichainSeed != 0 {
		antichainGiveWay(gp)
	}
}

// antichainGiveWay lets others go before gp.
func antichainGiveWay(gp *g) { antichainSteering.lottery.yields(&antichainState(gp).steered.ticket) }

// antichainPreempted is called when the time slice of gp is over. It continues until its turn, even
// if a goroutine with a higher priority can run by now. But if that repeats while it has no turn,
// it waits for others. A few times are no evidence, on a busy machine.
func antichainPreempted(gp *g) {
	antichainSliceIsOver(gp)
	if antichainSeed == 0 || gp.racectx == 0 {
		return
	}
	s := &antichainState(gp).steered
	if s.late {
		return
	}
	if s.preempted++; s.preempted%antichainSlices == 0 {
		antichainGiveWay(gp)
	} else {
		s.goesOn = true
	}
}

// antichainHolds reports whether a goroutine that has been in a system call for so many nanoseconds
// keeps the processor. Otherwise another would run at the same time, which is right only if the
// system call waits, perhaps for just that goroutine.
func antichainHolds(ns int64) bool { return antichainSeed != 0 && ns < antichainInCall }

// antichainPick takes the goroutine that runs next out of the queues. It returns nil if none can
// run, or the schedule is not steered. There is one processor, pp.
func antichainPick(pp *p) *g {
	if antichainSeed == 0 {
		return nil
	}
	lock(&sched.lock)
	antichainGather(pp)
	antichainLook()
	best := antichainTakeBest()
	for best != nil && !antichainTakes(best) {
		sched.runq.pushBack(best)
		best = antichainTakeBest()
	}
	unlock(&sched.lock)
	return best
}

// antichainLook has the lottery look at the goroutines that can go next, if it wants to and one of
// them does.
func antichainLook() {
	l := &antichainSteering.lottery
	if !l.looks() {
		return
	}
	for gp := sched.runq.head.ptr(); gp != nil; gp = gp.schedlink.ptr() {
		switch rank := antichainRank(gp); {
		case rank > antichainRankCan:
			return
		case rank == antichainRankCan:
			l.sees(&antichainState(gp).steered.ticket)
		}
	}
	l.intends()
}

// antichainTakeBest takes the goroutine of the highest rank and priority out of the queue, nil if
// that is empty.
func antichainTakeBest() (best *g) {
	for range sched.runq.size {
		gp := sched.runq.pop()
		if best == nil {
			best = gp
			continue
		}
		if antichainComesBefore(gp, best) {
			gp, best = best, gp
		}
		sched.runq.pushBack(gp)
	}
	return best
}

func antichainComesBefore(gp, other *g) bool {
	mine, others := antichainRank(gp), antichainRank(other)
	if mine != others || mine == antichainRankRuntime {
		return mine > others
	}
	l := &antichainSteering.lottery
	return l.of(&antichainState(gp).steered.ticket) > l.of(&antichainState(other).steered.ticket)
}

// Ranks of goroutines.
const (
	antichainRankLate    = iota // it lets time pass
	antichainRankCannot         // its next operation cannot be done
	antichainRankCan            // these are the choices
	antichainRankGoesOn         // see antichainPreempted
	antichainRankRuntime        // it is of the runtime
)

func antichainRank(gp *g) int {
	if gp.racectx == 0 {
		return antichainRankRuntime
	}
	switch s := &antichainState(gp).steered; {
	case s.goesOn:
		return antichainRankGoesOn
	case s.late && !antichainSteering.lottery.isUnfair():
		return antichainRankLate
	case !s.late && !s.can():
		return antichainRankCannot
	}
	return antichainRankCan
}

// antichainTakes reports whether gp, the best, goes next. If not, it has fallen behind others.
// Goroutines that depend on time make no step: those of the runtime, those that continue after a
// time slice, and those that let time pass, unless that is drawn.
func antichainTakes(gp *g) bool {
	s := &antichainState(gp).steered
	switch {
	case gp.racectx == 0 || s.late && !antichainSteering.lottery.isUnfair():
		return true
	case s.goesOn:
		s.goesOn = false
		return true
	case !antichainSteering.lottery.takes(&s.ticket):
		return false
	}
	antichainStepMade()
	for other := sched.runq.head.ptr(); other != nil; other = other.schedlink.ptr() {
		if antichainRank(other) == antichainRankCan {
			antichainSteering.lottery.passes(&s.ticket, &antichainState(other).steered.ticket)
		}
	}
	return true
}

// antichainGoes makes a step of the only goroutine that could make one.
func antichainGoes(s *antichainSteered) {
	for !antichainSteering.lottery.takes(&s.ticket) {
	}
	antichainStepMade()
}

// antichainStepMade shows how many steps there were.
func antichainStepMade() {
	*antichainWord64(antichainOffMade) = antichainSteering.lottery.steps
}

// antichainRandn stands in for cheaprandn where a select statement puts its n-th case at a random
// place among those before. If a schedule wants a certain case, that is put first and stays there.
func antichainRandn(n uint32) uint32 {
	wanted := antichainWantedCase()
	switch {
	case wanted == n:
		return 0
	case wanted != 0 && wanted < n:
		return 1 + antichainBelow(n-1)
	}
	return antichainBelow(n)
}

// antichainBelow returns a random number below n.
func antichainBelow(n uint32) uint32 {
	if x, ok := antichainRand(); ok {
		return uint32(x % uint64(n))
	}
	return cheaprandn(n)
}

// antichainRand returns a random number for the caller; false if its schedule is not steered.
//
//go:nosplit
func antichainRand() (x uint64, ok bool) {
	gp := getg()
	if antichainSeed == 0 || gp.racectx == 0 {
		return 0, false
	}
	s := &antichainState(gp).steered
	s.randoms++
	return mixed(s.path ^ mixed(s.randoms)), true
}

// antichainProcs stands in for GOMAXPROCS while there is one processor, whatever the program sets.
func antichainProcs(n int) int {
	old := antichainSteering.procs
	if n > 0 {
		antichainSteering.procs = n
	}
	return old
}
