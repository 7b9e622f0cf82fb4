package clock

// Learn returns the least clock above a and b, but it may leave out what b knows of one task. It is
// a if that will do, unless it would have to be compared with much of b each time. What base knows
// is nothing new to a: b is compared where it does not share memory with base. If base is an
// earlier version of b, that is where b has changed since. Nor is it compared where m remembers
// that it is nothing new.
func (m *Memory) Learn(a, b, base *Clock, task int32) *Clock {
	switch {
	case a == b || b == nil || b == base:
		return a
	case a == nil:
		return b
	}
	if base == nil {
		base = new(Clock)
	}
	m.fit(b)
	n := &m.news
	*n = news{a: a, but: task, memory: m}
	n.inClock(b, base)
	switch {
	case n.many:
		return m.joinAbove(a, b, base)
	case n.count == 0:
		return a
	}
	w := NewWriter(a)
	for _, e := range n.found[:n.count] {
		w.Set(e.task, e.k)
	}
	return w.Clock()
}

// news collects the entries that a clock does not have.
type news struct {
	a      *Clock
	but    int32
	found  [12]entry // of different tasks
	count  int
	leaves int  // looked at
	many   bool // more than that, or more leaves than are looked through each time
	memory *Memory
}

// maxLeaves bounds what is looked through for little. Two clocks that were made apart share no
// memory even where they say the same; where they differ in more leaves, they are joined, and share
// those from then on.
const maxLeaves = 64

func (n *news) add(e entry) {
	switch {
	case e.task == n.but || n.a.At(e.task) >= e.k:
	case n.count == len(n.found):
		n.many = true
	default:
		n.found[n.count] = e
		n.count++
	}
}

func (n *news) inClock(b, base *Clock) {
	n.inTwig(n.a.first, b.first, base.first, 0)
	for i, x := range b.boughs {
		n.inBough(part(n.a.boughs, i), x, part(base.boughs, i), int32(i)<<boughShift)
	}
	for _, e := range b.late[:b.lates] {
		n.addLate(e)
	}
}

// addLate is add for what may be more than is found already.
func (n *news) addLate(e entry) {
	for i := range n.found[:n.count] {
		if n.found[i].task == e.task {
			n.found[i].k = e.k
			return
		}
	}
	n.add(e)
}

// The rest looks for news in parts of b where they are not the memory of base or of a itself. Their
// first task is at. What is missing has empty parts.

func (n *news) inBough(ours, theirs, base *bough, at int32) {
	inParts(n, &n.memory.boughs, or(ours, &no.bough), theirs, or(base, &no.bough), at, branchShift, (*news).inBranch)
}

func (n *news) inBranch(ours, theirs, base *branch, at int32) {
	inParts(n, &n.memory.branches, or(ours, &no.branch), theirs, or(base, &no.branch), at, twigShift, (*news).inTwig)
}

func (n *news) inTwig(ours, theirs, base *twig, at int32) {
	inParts(n, &n.memory.twigs, or(ours, &no.twig), theirs, or(base, &no.twig), at, leafShift, (*news).inLeaf)
}

func inParts[P any](n *news, known *pairs[[16]*P], ours, theirs, base *[16]*P, at int32, shift uint,
	in func(n *news, ours, theirs, base *P, at int32)) {
	switch {
	case theirs == nil || theirs == ours || n.many:
		return
	case theirs == base:
		n.memory.passed++
		return
	case known.has(ours, theirs):
		return
	}
	n.memory.compared++
	passed := n.memory.passed
	for i, p := range theirs {
		if p != nil && p != ours[i] {
			in(n, ours[i], p, base[i], at+int32(i)<<shift)
		}
	}
	if passed == n.memory.passed && !n.many {
		known.add(ours, theirs)
	}
}

func (n *news) inLeaf(ours, theirs, base *leaf, at int32) {
	if theirs == base {
		n.memory.passed++
		return
	}
	n.memory.compared++
	if n.leaves++; n.leaves > maxLeaves {
		n.many = true
		return
	}
	ours = or(ours, &no.leaf)
	if *ours == *theirs {
		n.memory.passed++ // to be one, when the two are joined
		return
	}
	for i, k := range theirs {
		if k > ours[i] {
			n.memory.passed++
			n.add(entry{at + int32(i), k})
		}
	}
}

// no has the zero parts, which stand for absent ones.
var no struct {
	bough  bough
	branch branch
	twig   twig
	leaf   leaf
}

func or[P any](part, none *P) *P {
	if part == nil {
		return none
	}
	return part
}
