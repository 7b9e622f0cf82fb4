//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// Orders that are rare otherwise. Who starts a goroutine is usually far ahead when that begins, on
// another processor that had to be woken, and so some orders hardly ever come about by themselves. While
// operations are recorded a goroutine now and then lets others go first, as in Edelstein, Farchi, Nir,
// Ratsaby, Ur, Multithreaded Java Program Test Generation (IBM Systems Journal 41(1), 2002): those that can
// run now, or, by sleeping for a moment, also those that others start and wake meanwhile. The scheduler may
// have it do so at any time.
//
// A goroutine does that mostly at its first operations, and the later the more rarely, so that a loop
// of operations costs next to nothing more: n of them some log n times. How it begins is drawn too: there
// are bugs that need one goroutine to be slow and another one not. Whoever starts another goroutine begins
// anew, since whether the new one overtakes it is open only now; but the n-th time as if it had come n
// operations far.
//
// What is drawn comes from a number of the run, the goroutine's place in the tree of go statements and the
// number of its operation. So another number lets other goroutines go first, and the same one does so at the
// same operations. What else decides the schedule is left to chance: processors, time, who can run by then.
//
// Where many can run, all of them go first. Who holds what they want, a lock that is tried again and again,
// then makes each of them try in vain; if each that gets it did so, n would make n*n attempts. So who would
// let a crowd go first does that the more rarely the larger it is.

// antichainPerturbing reports whether goroutines let others go first in a schedule that is not steered. It
// does not change after package initialisation.
var antichainPerturbing bool

// antichainYields is the number of the run, 0 if nobody lets others go first. It does not change either.
var antichainYields uint64

// antichainFirstRates is how many ways to begin there are: with one chance in 2 to let others go first, in
// 3, and so on.
const antichainFirstRates = 3

// antichainCrowd is from how many on those who would go first make it rarer: twice as many, half as often.
const antichainCrowd = 16

// How long a goroutine sleeps to let others go first, in nanoseconds: the shortest time, or that doubled up to so many times less one.
// All of them together sleep for a share of the time since the program began, and some time more.
const (
	antichainBackMin     = 50e3
	antichainBackLengths = 5
	antichainBackShare   = 50
	antichainBackFirst   = 50e6
)

// antichainStoodBack is for how long goroutines have slept to let others go first, in nanoseconds.
var antichainStoodBack atomic.Int64

// antichainPerturbFrom has goroutines let others go first where a number says so, which is drawn if it is 0. The runtime is being
// initialised, and no code of the program has run.
func antichainPerturbFrom(yields uint64) {
	if yields == 0 {
		yields = rand()
	}
	antichainYields = yields
	antichainPerturbing = true
	antichainSteerGo(nil, getg())
}

// antichainPerturb is a turn in a schedule that is not steered.
func antichainPerturb() {
	gp := getg()
	s := antichainState(gp)
	s.steered.turns++
	x := antichainMix(s.steered.path + s.steered.turns)
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

// antichainStandBack has the caller, which runs on pp, sleep for a time that is drawn, if others run or can run. It is for neither a
// bubble of testing/synctest, where time would not go on, nor where a schedule is kept.
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
	return 1 + uint32(antichainMix(path)%antichainFirstRates)
}

// antichainPerturbGo has a goroutine whose state s is begin anew, as it has started another one.
//
//go:nosplit
func antichainPerturbGo(s *antichainG) {
	if rate := antichainFirstRate(s.steered.path) + uint32(s.steered.children) - 1; rate < s.yieldRate {
		s.yieldRate = rate
	}
}

// antichainMainBegins records that the packages are initialised. The operations for that do not count where main lets others go
// first: most of them are of packages that the program hardly knows.
func antichainMainBegins() {
	antichainOperation(antichainKindStarted, 0, 0, 0)
	antichainState(getg()).yieldRate = 0
}

// antichainNextOrphan returns the number of a goroutine that no go statement has started.
//
//go:nosplit
func antichainNextOrphan() uint64 { return atomic.Xadd64(&antichainSteering.orphans, 1) }

// antichainWaiting returns how many goroutines would run before one that lets others go first on pp. It
// is out of date at once.
func antichainWaiting(pp *p) uint32 {
	n := pp.runqtail - atomic.Load(&pp.runqhead) + uint32(sched.runq.size)
	if pp.runnext != 0 {
		n++
	}
	return n
}
