package strategy

// This file is part of package runtime of a traced program, too. So it imports nothing, allocates
// nothing, and its functions do not grow the stack.

// The rules. Package strategy says where they come from.
const (
	byWalk = 1 + iota
	byPCT
	byPOS
	byEarly
	bySURW
	byRFF
)

// maxDepth bounds the depth of PCT.
const maxDepth = 8

// lottery draws, in one run, which of the goroutines that stand before their next operations goes
// first: the one whose ticket has the highest priority. All draws come from the seed and from
// places in the tree of go statements, so a seed repeats them.
type lottery struct {
	rule        uint32
	seed        uint64
	changes     [maxDepth - 1]uint64 // their steps
	steps       uint64               // so far
	most        uint64               // steps from which on all rules walk; see unfair
	low         uint64               // the lowest priority so far
	rate        uint64               // of early changes: 1, 2 or 4
	uniform     uniform
	constraints []constraint // of RFF
}

// uniform is what SURW knows of a run.
type uniform struct {
	// the path of the goroutine that makes the next step that counts; 0 if none is drawn
	intended uint64
	draws    uint64 // of such goroutines, so far

	// What is known of the goroutines that can go next.
	free    bool   // the next step of one does not count
	present bool   // the intended one is among them
	first   uint64 // the path of the one that would be drawn
	least   uint64 // its time; see sees
}

// ticket is what a lottery knows of a goroutine.
type ticket struct {
	path     uint64 // stands for its place in the tree of go statements
	draws    uint64 // of priorities, so far
	contests uint64 // operations before which others could go first
	priority uint64
	objects  [ticketObjects]uint64 // of its next operation; 0: none

	// Under RFF: where its next operation is, 0 if that is not known or it has been done; and
	// whether it changes nothing.
	site  uint32
	looks bool

	// Under SURW: how many steps that count it, and goroutines that it has yet to start, are
	// expected to make yet; and whether its next step is one.
	left   uint64
	counts bool
}

// ticketObjects bounds the objects of an operation; further ones of a select statement do not
// count.
const ticketObjects = 4

// Priorities: of goroutines that have yielded, then of those that fell at change points, then those
// that goroutines draw.
const (
	priorityFallen = 1 << 61
	priorityDrawn  = 1 << 62
	priorityFirst  = 1 << 63 // of operations that fit constraints, in addition
)

// newLottery returns the lottery of a run under a rule of a depth, whose runs have so many steps.
//
//go:nosplit
func newLottery(rule, depth uint32, seed, steps uint64) lottery {
	l := lottery{rule: rule, seed: mixed(seed), most: unfair + 4*steps, low: priorityFallen}
	l.rate = 1 << (mixed(l.seed) % 3)
	if rule != byPCT || steps == 0 || depth == 0 {
		return l
	}
	for i := range min(depth, maxDepth) - 1 {
		l.changes[i] = 1 + mixed(l.seed^mixed(uint64(i)))%steps
	}
	return l
}

// unfair is for how many steps a goroutine may at least go first again and again.
const unfair = 1 << 14

// enters gives a goroutine at path its first ticket.
//
//go:nosplit
func (l *lottery) enters(path uint64) ticket {
	return ticket{path: path, priority: l.draw(path, 0)}
}

//go:nosplit
func (l *lottery) draw(path, n uint64) uint64 {
	return mixed(l.seed^mixed(path+n))>>2 | priorityDrawn
}

// stands gives the goroutine of t its ticket for its next operation.
//
//go:nosplit
func (l *lottery) stands(t *ticket, objects [ticketObjects]uint64) {
	t.objects = objects
	if l.isPOS() {
		l.redraw(t)
	}
}

// isPOS reports whether each operation has a priority of its own.
//
//go:nosplit
func (l *lottery) isPOS() bool { return l.rule == byPOS || l.rule == byRFF }

// contends is called before an operation of the goroutine of t if others could go first. Early
// changes become rarer from one of these to the next.
//
//go:nosplit
func (l *lottery) contends(t *ticket) {
	t.contests++
	if l.rule == byEarly && mixed(l.seed^mixed(t.path-t.contests))%(l.rate*(t.contests+1)) == 0 {
		l.falls(t)
	}
}

// falls gives t the lowest priority.
//
//go:nosplit
func (l *lottery) falls(t *ticket) {
	l.low--
	t.priority = l.low
}

//go:nosplit
func (l *lottery) redraw(t *ticket) {
	t.draws++
	t.priority = l.draw(t.path, t.draws)
}

// of returns the priority of t for the next step.
//
//go:nosplit
func (l *lottery) of(t *ticket) uint64 {
	if l.rule == byWalk || l.rule == bySURW || l.isUnfair() {
		drawn := l.draw(t.path, mixed(l.steps))
		if l.rule == bySURW && t.counts && t.path != l.uniform.intended && !l.isUnfair() {
			drawn &^= priorityDrawn // it waits
		}
		return drawn
	}
	if l.rule == byRFF {
		return l.constrained(t)
	}
	return t.priority
}

// isUnfair reports whether there were so many steps that fairness counts more than the rule.
//
//go:nosplit
func (l *lottery) isUnfair() bool { return l.steps >= l.most }

// takes reports whether t goes next. If not, it has fallen at a change point, and another one can
// go before it.
//
//go:nosplit
func (l *lottery) takes(t *ticket) bool {
	for i := range l.changes {
		if l.changes[i] == l.steps+1 {
			l.changes[i] = 0
			t.priority = priorityFallen + 1 + uint64(i)
			return false
		}
	}
	l.steps++
	if t.counts {
		t.counts, t.left, l.uniform.intended = false, max(t.left, 1)-1, 0
	}
	if l.rule == byRFF {
		l.follows(t)
	}
	return true
}

// passes lets the goroutine of other, which could have gone, know that t goes.
//
//go:nosplit
func (l *lottery) passes(t, other *ticket) {
	if l.isPOS() && meet(&t.objects, &other.objects) {
		l.redraw(other)
	}
}

// meet reports whether operations on these objects have one in common.
//
//go:nosplit
func meet(a, b *[ticketObjects]uint64) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y && x != 0 {
				return true
			}
		}
	}
	return false
}

// yields lets all others go before the goroutine of t, as far as the rule knows of that.
//
//go:nosplit
func (l *lottery) yields(t *ticket) {
	switch l.rule {
	case byPCT, byEarly:
		l.falls(t)
	case byPOS, byRFF:
		l.redraw(t)
	case bySURW:
		l.uniform.intended = 0
	}
}

// starts divides what t is expected to do between it and a goroutine that it starts, whose ticket
// is child. If t is intended, it may be that one that goes on instead.
//
//go:nosplit
func (l *lottery) starts(t, child *ticket) {
	if u := &l.uniform; u.intended == t.path && t.left > 0 && mixed(l.seed^mixed(child.path-1))%t.left < child.left {
		u.intended = child.path
	}
	t.left -= min(t.left, child.left)
}

// looks begins to look at the goroutines that can go next, and reports whether the rule wants that:
// then sees is called for each of them, and intends.
//
//go:nosplit
func (l *lottery) looks() bool {
	u := &l.uniform
	u.free, u.present, u.first, u.least = false, false, 0, ^uint64(0)
	for i := range l.constraints {
		l.constraints[i].awaited = false
	}
	return l.rule == bySURW || l.rule == byRFF
}

// sees looks at a goroutine that can go next. Each has a random time, which is distributed
// exponentially at the rate of what it has left. So the least time is that of each goroutine with a
// probability in proportion to what it has left.
//
//go:nosplit
func (l *lottery) sees(t *ticket) {
	for i := range l.constraints {
		c := &l.constraints[i]
		c.awaited = c.awaited || t.site != 0 && t.site == c.reader
	}
	u, left := &l.uniform, t.left
	if t.counts {
		left = max(left, 1)
	}
	u.free = u.free || !t.counts
	u.present = u.present || t.path == u.intended
	if left == 0 {
		return
	}
	if time := exponential(mixed(l.seed^mixed(t.path^mixed(u.draws)))) / left; time < u.least {
		u.least, u.first = time, t.path
	}
}

// intends draws which goroutine makes the next step that counts, unless one was drawn. If that
// cannot go on, and all others would wait for it, another one is drawn.
//
//go:nosplit
func (l *lottery) intends() {
	if u := &l.uniform; u.first != 0 && (u.intended == 0 || !u.present && !u.free) {
		u.intended = u.first
		u.draws++
	}
}

// exponential turns a random number into one that is distributed exponentially: the negative binary
// logarithm of x/2^64, times 2^56.
//
//go:nosplit
func exponential(x uint64) uint64 {
	x |= 1
	whole := uint64(1)
	for ; x>>63 == 0; x <<= 1 {
		whole++
	}
	part, y := uint64(0), x>>32 // y/2^31 is in [1, 2)
	for range 24 {
		y = y * y >> 31
		part = part<<1 | y>>32
		y >>= y >> 32
	}
	return (whole<<24 - part) << 32
}

// mixed is the finalizer of SplitMix64: Steele, Lea, Flood, Fast Splittable Pseudorandom Number
// Generators (OOPSLA 2014).
//
//go:nosplit
func mixed(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
