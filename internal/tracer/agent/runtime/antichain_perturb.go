//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// Rare orders. The parent of a goroutine is usually far ahead when that begins, on another
// processor that had to be woken, and so some orders hardly ever happen by themselves. While
// operations are recorded a goroutine now and then yields, as in Edelstein, Farchi, Nir, Ratsaby,
// Ur, Multithreaded Java Program Test Generation (IBM Systems Journal 41(1), 2002): to those that
// can run now, or, by sleeping for a moment, also to those that others start and wake meanwhile.
// The scheduler may make it do so at any time.
//
// A goroutine yields mostly at its first operations, and later less and less, which makes a loop of
// operations hardly more expensive: n of them some log n times. Its first rate is random too: some
// bugs need one goroutine to be slow and another one not. A goroutine that starts another one
// begins anew, since only now it is open whether the new one overtakes it; but the n-th time as if
// it had come n operations far.
//
// The random choices come from a number of the run, the goroutine's place in the tree of go
// statements and the number of its operation. So another number makes other goroutines yield, and
// the same one makes them yield at the same operations. The rest of the schedule is left to chance:
// processors, time, which goroutines can run by then.
//
// Where many can run, all of them go first. If the yielding goroutine holds a lock that is tried
// repeatedly, each of them tries in vain; if each that gets it yielded, n would make n*n attempts.
// So a goroutine yields to a crowd the more rarely the larger it is.

// In some runs goroutines begin late: each sleeps before its first operation, and those that have
// started others do not yield. So what a parent does next comes first, as it mostly does where
// nothing is recorded: what it records takes it as long as another processor takes to begin.

// antichainPerturbing reports whether goroutines yield in a schedule that is not steered. It does
// not change after package initialisation.
var antichainPerturbing bool

// antichainYields is the number of the run, 0 if goroutines do not yield. It does not change
// either.
var antichainYields uint64

// antichainLate reports whether goroutines begin late in this run. It does not change either.
var antichainLate bool

// antichainLateShare is the share of runs, one in so many, in which goroutines begin late.
const antichainLateShare = 3

// antichainFirstRates is the number of first rates: yielding with one chance in 2, in 3, and so on.
const antichainFirstRates = 3

// antichainCrowd is the number of runnable goroutines from which on yielding is rarer: twice as
// many, half as often.
const antichainCrowd = 16

// How long goroutines sleep to yield, in nanoseconds. One sleeps antichainBackMin, doubled up to
// antichainBackLengths-1 times. In total they sleep for at most antichainBackFirst plus
// 1/antichainBackShare of the time since the program began.
const (
	antichainBackMin     = 50e3
	antichainBackLengths = 5
	antichainBackShare   = 50
	antichainBackFirst   = 50e6
)

// antichainStoodBack is the total time that goroutines have slept to yield, in nanoseconds.
var antichainStoodBack atomic.Int64

// antichainPerturbFrom makes goroutines yield where a number says so. The number is drawn if it is
// 0. The runtime is being initialised, and no code of the program has run.
func antichainPerturbFrom(yields uint64) {
	if yields == 0 {
		yields = rand()
	}
	antichainYields = yields
	antichainPerturbing = true
	antichainLate = mixed(yields)%antichainLateShare == 0
	antichainSteerGo(nil, getg())
}

// antichainPerturb is a turn in a schedule that is not steered.
func antichainPerturb() {
	gp := getg()
	s := antichainState(gp)
	s.steered.turns++
	if antichainLate && (s.steered.turns == 1 || s.steered.children > 0) {
		antichainBeginLate(gp, s)
		return
	}
	x := mixed(s.steered.path + s.steered.turns)
	if s.yieldRate == 0 {
		s.yieldRate = antichainFirstRate(s.steered.path)
	}
	s.yieldRate = max(s.yieldRate, s.yieldRate+1)
	if uint32(x)%s.yieldRate != 0 || gp.racectx == 0 || !antichainFree(gp) {
		return
	}
	others := antichainWaiting(gp.m.p.ptr())
	if uint32(x>>32)%(1+others/antichainCrowd) != 0 {
		return
	}
	if x>>48&3 != 0 && gp.bubble == nil && !antichainScheduled {
		antichainStandBack(gp.m.p.ptr(), x>>50)
	} else if others > 0 {
		mcall(gosched_m)
	}
}

// antichainBeginLate makes gp, the caller with state s, sleep before its first operation, and none
// after that.
func antichainBeginLate(gp *g, s *antichainG) {
	if s.steered.turns == 1 && gp.racectx != 0 && gp.bubble == nil && !antichainScheduled && antichainFree(gp) {
		antichainStandBack(gp.m.p.ptr(), antichainBackLengths-1)
	}
}

// antichainStandBack makes the caller, which runs on pp, sleep for a random time, if others run or
// can run. It is for neither a bubble of testing/synctest, where time would not pass, nor a
// schedule that is kept.
func antichainStandBack(pp *p, drawn uint64) {
	if antichainWaiting(pp) == 0 && !antichainOthersRun(pp) {
		return
	}
	since := nanotime()
	left := (since-runtimeInitTime)/antichainBackShare + antichainBackFirst - antichainStoodBack.Load()
	if most := min(antichainBackMin<<(drawn%antichainBackLengths), left); most > 0 {
		s := antichainState(getg())
		s.back = true
		timeSleep(most)
		s.back = false
		antichainStoodBack.Add(nanotime() - since)
	}
}

// antichainFirstRate returns the rate before the first operation of the goroutine at path.
//
//go:nosplit
func antichainFirstRate(path uint64) uint32 {
	return 1 + uint32(mixed(path)%antichainFirstRates)
}

// antichainPerturbGo makes a goroutine with state s begin anew, since it has started another one.
//
//go:nosplit
func antichainPerturbGo(s *antichainG) {
	if rate := antichainFirstRate(s.steered.path) + uint32(s.steered.children) - 1; rate < s.yieldRate {
		s.yieldRate = rate
	}
}

// antichainMainBegins records that the packages are initialised. The operations of initialisation
// do not count for main's yields: most of them are of packages that the program hardly knows.
func antichainMainBegins() {
	antichainOperation(antichainKindStarted, 0, 0, 0)
	self := getg()
	antichainState(self).yieldRate = 0
	forEachGRace(func(gp *g) { antichainState(gp).early = gp != self })
}

// antichainNextOrphan returns the number of a goroutine that no go statement has started.
//
//go:nosplit
func antichainNextOrphan() uint64 { return atomic.Xadd64(&antichainSteering.orphans, 1) }

// antichainWaiting returns how many goroutines would run before one that yields on pp. The result
// is outdated at once.
func antichainWaiting(pp *p) uint32 {
	n := pp.runqtail - atomic.Load(&pp.runqhead) + uint32(sched.runq.size)
	if pp.runnext != 0 {
		n++
	}
	return n
}
