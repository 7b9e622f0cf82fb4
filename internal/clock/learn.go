package clock

// Learn returns the least clock above a and b, but it may leave out what b knows of one task. It is a
// if that will do. What base knows is nothing new to a: b is compared where it does not share memory
// with base. If base is an earlier version of b, that is where b has changed since.
func Learn(a, b, base *Clock, task int32) *Clock {
	switch {
	case a == b || b == nil || b == base:
		return a
	case a == nil:
		return b
	}
	if base == nil {
		base = new(Clock)
	}
	n := news{a: a, but: task}
	n.inClock(b, base)
	switch {
	case n.many:
		return joinAbove(a, b, base)
	case n.count == 0:
		return a
	}
	w := NewWriter(a)
	for _, e := range n.found[:n.count] {
		w.Set(e.task, e.k)
	}
	return w.Clock()
}

// news is what a clock does not know.
type news struct {
	a     *Clock
	but   int32
	found [12]entry // of different tasks
	count int
	many  bool // more than that
}

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
	if theirs == nil || theirs == ours || theirs == base || n.many {
		return
	}
	ours, base = or(ours, &no.bough), or(base, &no.bough)
	for i := range theirs {
		n.inBranch(ours[i], theirs[i], base[i], at+int32(i)<<branchShift)
	}
}

func (n *news) inBranch(ours, theirs, base *branch, at int32) {
	if theirs == nil || theirs == ours || theirs == base || n.many {
		return
	}
	ours, base = or(ours, &no.branch), or(base, &no.branch)
	for i := range theirs {
		n.inTwig(ours[i], theirs[i], base[i], at+int32(i)<<twigShift)
	}
}

func (n *news) inTwig(ours, theirs, base *twig, at int32) {
	if theirs == nil || theirs == ours || theirs == base || n.many {
		return
	}
	ours, base = or(ours, &no.twig), or(base, &no.twig)
	for i := range theirs {
		n.inLeaf(ours[i], theirs[i], base[i], at+int32(i)<<leafShift)
	}
}

func (n *news) inLeaf(ours, theirs, base *leaf, at int32) {
	if theirs == nil || theirs == ours || theirs == base {
		return
	}
	ours = or(ours, &no.leaf)
	for i, k := range theirs {
		if k > ours[i] {
			n.add(entry{at + int32(i), k})
		}
	}
}

// no has the parts of the empty clock.
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
