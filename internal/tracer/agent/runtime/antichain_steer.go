//go:build antichain_traced

package runtime

import "internal/runtime/maps"

// Steered schedules. With a seed in the header, goroutines run one at a time, and before each
// operation that the hooks see priorities decide which one: the one with the highest runs. Some
// seeds walk at random: a goroutine that has a turn draws a new priority. The others follow
// Burckhardt, Kothari, Musuvathi, Nagarakatte, A Randomized Scheduler with Probabilistic Guarantees
// of Finding Bugs (ASPLOS 2010), section 2: a goroutine begins with a random priority, and at few
// random operations (change points) it falls below all others. A bug that needs operations in a
// certain order then shows with a probability that falls with how many change points it takes, not
// with the number of schedules. The number of operations is not known in advance, so change points
// become rarer as a goroutine continues.
//
// Random choices come from the seed, the goroutine's place in the tree of go statements and the
// number of its operation. So a seed repeats its schedule as far as the program does not depend on
// anything else, such as time and the network. Hash values come from the seed too: the number of
// atomic operations of a hash trie (sync.Map, unique) depends on them, already while packages are
// initialised.
//
// Two things are added. With priorities alone, a goroutine that polls for a condition could keep
// away the one that would bring it about, so one that has been passed over for long gets the
// highest priority. And with some seeds a goroutine is slow now and then: see antichain_early.go.

// antichainSeed is 0 if the schedule is not steered. It does not change after package
// initialisation.
var antichainSeed uint64

// antichainSteering is the part that the seed decides for the whole run.
var antichainSteering struct {
	walk uint64 // one in so many turns draws a new priority; 0: none
	// the n-th contested turn of a goroutine is a change point once in change*(n+1) times; 0: never
	change   uint64
	slow     uint64 // likewise, of all turns and those where a goroutine is slow
	patience uint32 // how often a goroutine may be passed over

	low, high uint64 // the lowest and highest priority so far
	orphans   uint64 // goroutines that no go statement has started; changed atomically
	procs     int    // the program's view of GOMAXPROCS
}

// antichainSteered is the state of a goroutine for steering.
type antichainSteered struct {
	path      uint64 // stands for its place in the tree of go statements
	children  uint64 // go statements so far
	turns     uint64 // so far
	contested uint64 // of these, when others could run
	draws     uint64 // random numbers so far
	priority  uint64
	passed    uint32 // how often others were taken since it could run
	late      bool   // it lets time pass
	goesOn    bool   // it runs next: its time slice was over, but its turn has not come
	preempted uint32 // how often since its last turn
	sleeps    int64  // for how long it sleeps, or slept last
}

// Priorities: first those of goroutines that fell at change points, below those that goroutines
// begin with, then of those that were passed over, and the runtime's own goroutines at the top.
const (
	antichainFirstLow  = 1 << 62
	antichainFirstHigh = 1 << 63
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
	s.low, s.high = antichainFirstLow, antichainFirstHigh
	s.procs = GOMAXPROCS(1)
	how := antichainMix(seed)
	switch kind := how % 8; kind {
	case 0, 1:
		s.walk = 1 + kind
	case 2: // priorities alone
	default:
		s.change = 1 << (kind % 3)
	}
	if kind := how >> 8 % 8; kind < 4 {
		s.slow = 1 << kind
	}
	s.patience = 64 << (how >> 16 % 8 * 2)
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

// antichainHashKey is a part of the key of hash functions while that is redrawn.
func antichainHashKey() (x uint64, ok bool) {
	if !antichainRekeying {
		return 0, false
	}
	return antichainRand()
}

// antichainMix is the finalizer of SplitMix64: Steele, Lea, Flood, Fast Splittable Pseudorandom
// Number Generators (OOPSLA 2014).
//
//go:nosplit
func antichainMix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
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
	if parent != nil {
		s := antichainState(parent)
		p := &s.steered
		p.children++
		from, n = p.path, p.children
		antichainPerturbGo(s)
	} else {
		n = antichainNextOrphan()
	}
	path := antichainMix(antichainMix(from^antichainSeed^antichainYields) + n)
	antichainState(newg).steered = antichainSteered{path: path, priority: path>>2 | antichainFirstLow}
}

// antichainTurn is a place, before an operation, where a goroutine stops if the program is to be
// halted, and others may get their turn.
func antichainTurn() {
	antichainTurnAtomic()
	if antichainScheduled {
		antichainKeepBack()
	}
}

// antichainTurnAtomic is the place before an atomic operation, which is done also where the program
// asks for no order: it is kept back by no schedule that it is no step of.
func antichainTurnAtomic() {
	if antichainPerturbing && antichainSeed == 0 {
		antichainPerturb()
	}
	antichainPoint()
	if antichainScheduled {
		antichainKeepTurn(0)
	}
	if antichainSeed != 0 {
		antichainSteerTurn()
	}
}

// antichainSteerTurn is a turn in a steered schedule.
func antichainSteerTurn() {
	gp := getg()
	if gp.racectx == 0 || !antichainFree(gp) {
		return
	}
	s := &antichainState(gp).steered
	s.preempted = 0
	s.turns++
	x := antichainMix(s.path + s.turns)
	if d := antichainSteering.slow; d != 0 && x>>32%(d*(s.turns+1)) == 0 {
		antichainBeSlow(gp, antichainMix(x))
		return
	}
	if !antichainOthers() {
		return
	}
	s.contested++
	w, c := antichainSteering.walk, antichainSteering.change
	switch {
	case w != 0 && x%w == 0:
		s.priority = antichainMix(x)>>2 | antichainFirstLow
	case c != 0 && x%(1<<32)%(c*(s.contested+1)) == 0:
		antichainDemote(gp)
	}
	mcall(gosched_m)
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

// antichainDemote gives gp the lowest priority.
//
//go:nosplit
func antichainDemote(gp *g) {
	antichainSteering.low--
	antichainState(gp).steered.priority = antichainSteering.low
}

// antichainGosched is called by runtime.Gosched: the caller waits for others.
func antichainGosched() {
	gp := getg()
	if gp.racectx == 0 {
		return
	}
	antichainPollsTime()
	if antichainSeed != 0 {
		antichainDemote(gp)
	}
}

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
		antichainDemote(gp)
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
	var best *g
	for range sched.runq.size {
		gp := sched.runq.pop()
		if best == nil {
			best = gp
			continue
		}
		if antichainPriority(gp) > antichainPriority(best) {
			gp, best = best, gp
		}
		sched.runq.pushBack(gp)
	}
	if best != nil {
		antichainPass(best)
	}
	unlock(&sched.lock)
	return best
}

func antichainPriority(gp *g) uint64 {
	if gp.racectx == 0 {
		return ^uint64(0) // of the runtime
	}
	s := &antichainState(gp).steered
	if s.goesOn {
		return ^uint64(0) - 1
	}
	return s.priority
}

// antichainPass notes that best was taken and not those in the queue. It does not count goroutines
// that depend on time: those of the runtime, those that continue after a time slice, and those that
// let time pass.
func antichainPass(best *g) {
	chosen := &antichainState(best).steered
	if best.racectx == 0 || chosen.late {
		return
	}
	if chosen.goesOn {
		chosen.goesOn = false
		return
	}
	chosen.passed = 0
	for gp := sched.runq.head.ptr(); gp != nil; gp = gp.schedlink.ptr() {
		s := &antichainState(gp).steered
		if s.passed++; s.passed > antichainSteering.patience {
			antichainSteering.high++
			s.priority = antichainSteering.high
		}
	}
}

// antichainRandn stands in for cheaprandn where a select statement orders its cases.
func antichainRandn(n uint32) uint32 {
	if x, ok := antichainRand(); ok {
		return uint32(x % uint64(n))
	}
	return cheaprandn(n)
}

// antichainRand is a random number for a goroutine whose schedule is steered.
//
//go:nosplit
func antichainRand() (x uint64, ok bool) {
	gp := getg()
	if antichainSeed == 0 || gp.racectx == 0 {
		return 0, false
	}
	s := &antichainState(gp).steered
	s.draws++
	return antichainMix(s.path ^ antichainMix(s.draws)), true
}

// antichainProcs stands in for GOMAXPROCS while there is one processor, whatever the program sets.
func antichainProcs(n int) int {
	old := antichainSteering.procs
	if n > 0 {
		antichainSteering.procs = n
	}
	return old
}
