// Package clock provides immutable vector clocks. They share their common parts in memory.
package clock

import "slices"

// Clock is a vector clock: for each task, by index, how many of its events are
// known; absent is 0. It is immutable and nil is the empty one. Clocks share what
// they have in common, as persistent tries do (each level has 16 children): tasks that
// synchronise have clocks that differ in few leaves, and joining two skips every part
// that is the same memory. Without the sharing a run of n goroutines would need n
// numbers an event.
//
// What has been learnt last is beside the trie, since tasks that synchronise again and again
// learn of each other, and a new path through the trie for each time would cost more than
// all the rest.
type Clock struct {
	first  *twig    // the tasks below twigSize, all there are in most programs
	boughs []*bough // bough i covers the others from i*boughSize

	late  [lateSize]entry // of different tasks, each more than the trie says
	lates int             // entries of late in use
}

type entry struct{ task, k int32 }

type (
	leaf   = [leafSize]int32
	twig   = [16]*leaf
	branch = [16]*twig
	bough  = [16]*branch
)

const (
	leafShift, twigShift, branchShift, boughShift = 4, 8, 12, 16

	leafSize = 1 << leafShift
	twigSize = 1 << twigShift

	lateSize = 7
)

// At returns the number of known events of the task.
func (c *Clock) At(task int32) int32 {
	if c == nil {
		return 0
	}
	for i := range c.lates {
		if c.late[i].task == task {
			return c.late[i].k
		}
	}
	return c.settled(task)
}

// settled returns what the trie says.
func (c *Clock) settled(task int32) int32 {
	t := c.first
	if task >= twigSize {
		t = c.twig(task)
	}
	if t == nil {
		return 0
	}
	l := t[task>>leafShift&15]
	if l == nil {
		return 0
	}
	return l[task&15]
}

// twig returns the part with a task that is not among the first.
func (c *Clock) twig(task int32) *twig {
	if int(task>>boughShift) >= len(c.boughs) {
		return nil
	}
	b := c.boughs[task>>boughShift]
	if b == nil {
		return nil
	}
	r := b[task>>branchShift&15]
	if r == nil {
		return nil
	}
	return r[task>>twigShift&15]
}

// Join returns the least clock above a and b; it is a or b itself where their tries show that that
// will do.
func Join(a, b *Clock) *Clock { return new(Memory).join(a, b) }

// Join is Join, with what m remembers.
func (m *Memory) Join(a, b *Clock) *Clock {
	m.fit(b)
	return m.join(a, b)
}

func (m *Memory) join(a, b *Clock) *Clock {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	}
	return m.joinAbove(a, b, new(Clock))
}

// joinAbove is Join where a is above base. Where a and b say the same, it takes the memory of b:
// a task that learns from b again finds it there.
func (m *Memory) joinAbove(a, b, base *Clock) *Clock {
	trie := Clock{first: m.joinTwigs(a.first, b.first, base.first),
		boughs: m.joinForests(a.boughs, b.boughs, base.boughs)}
	switch {
	case trie.sharesTrie(a) && a.knows(b.late[:b.lates]):
		return a
	case trie.sharesTrie(b) && b.knows(a.late[:a.lates]):
		return b
	}
	made := &Clock{first: trie.first, boughs: trie.boughs}
	for _, c := range [...]*Clock{a, b} {
		for _, e := range c.late[:c.lates] {
			if made.At(e.task) < e.k {
				made = made.put(e)
			}
		}
	}
	return made
}

func (c *Clock) sharesTrie(d *Clock) bool {
	return c.first == d.first && slices.Equal(c.boughs, d.boughs)
}

func (c *Clock) knows(entries []entry) bool {
	for _, e := range entries {
		if c.At(e.task) < e.k {
			return false
		}
	}
	return true
}

func (m *Memory) joinForests(a, b, base []*bough) []*bough {
	joined, copied := a, false
	for i, x := range b {
		y := m.joinBoughs(part(a, i), x, part(base, i))
		if y == part(a, i) {
			continue
		}
		if !copied {
			joined, copied = make([]*bough, max(len(a), len(b))), true
			copy(joined, a)
		}
		joined[i] = y
	}
	return joined
}

func part(boughs []*bough, i int) *bough {
	if i < len(boughs) {
		return boughs[i]
	}
	return nil
}

func (m *Memory) joinBoughs(a, b, base *bough) *bough {
	return joinParts(m, &m.boughs, a, b, base, (*Memory).joinBranches)
}

func (m *Memory) joinBranches(a, b, base *branch) *branch {
	return joinParts(m, &m.branches, a, b, base, (*Memory).joinTwigs)
}

func (m *Memory) joinTwigs(a, b, base *twig) *twig {
	return joinParts(m, &m.twigs, a, b, base, (*Memory).joinLeaves)
}

func joinParts[P any](m *Memory, known *pairs[[16]*P], a, b, base *[16]*P,
	join func(m *Memory, a, b, base *P) *P) *[16]*P {
	switch {
	case a == b || b == nil:
		return a
	case b == base:
		m.passed++
		return a
	case a == nil:
		return b
	case known.has(a, b):
		return a
	case known.has(b, a):
		return b
	}
	if base == nil {
		base = new([16]*P)
	}
	var joined [16]*P
	m.compared++
	isA, isB := true, true
	passed := m.passed
	for i := range joined {
		p := join(m, a[i], b[i], base[i])
		joined[i] = p
		isA = isA && p == a[i]
		isB = isB && p == b[i]
	}
	var above *[16]*P
	switch {
	case isB:
		above = b
	case isA:
		above = a
	default:
		kept := joined // only this copy escapes
		above = &kept
	}
	if passed == m.passed {
		known.add(above, a)
		known.add(above, b)
	}
	return above
}

func (m *Memory) joinLeaves(a, b, base *leaf) *leaf {
	switch {
	case a == b || b == nil:
		return a
	case b == base:
		m.passed++
		return a
	case a == nil:
		return b
	}
	m.compared++
	var joined leaf
	for i := range joined {
		joined[i] = max(a[i], b[i])
	}
	switch {
	case joined == *b:
		return b
	case joined == *a:
		return a
	}
	kept := joined
	return &kept
}

// With returns the least clock above c that knows k events of the task; it is c if that will do.
func (c *Clock) With(task, k int32) *Clock {
	if c.At(task) >= k {
		return c
	}
	w := NewWriter(c)
	w.Set(task, k)
	return w.Clock()
}

// Writer changes a copy of a clock.
type Writer struct{ clock *Clock }

// NewWriter returns a writer that begins with c, which does not change.
func NewWriter(c *Clock) Writer {
	w := Writer{new(Clock)}
	if c != nil {
		*w.clock = *c
	}
	return w
}

// Clock returns the changed clock. The writer must not be used any more.
func (w Writer) Clock() *Clock { return w.clock }

// Set makes the number of known events of the task k, which must be more than are known.
func (w *Writer) Set(task, k int32) { w.clock = w.clock.put(entry{task, k}) }

// put returns c with e, which is more than c knows of its task. It changes c itself while there is
// room.
func (c *Clock) put(e entry) *Clock {
	for i := range c.lates {
		if c.late[i].task == e.task {
			c.late[i].k = e.k
			return c
		}
	}
	if c.lates == lateSize {
		c = c.settle()
	}
	c.late[c.lates] = e
	c.lates++
	return c
}

// settle returns a clock that knows the same from the trie alone.
func (c *Clock) settle() *Clock {
	late := c.late
	slices.SortFunc(late[:c.lates], func(a, b entry) int { return int(a.task - b.task) })
	w := trieWriter{clock: &Clock{first: c.first, boughs: c.boughs}, last: -1}
	for _, e := range late[:c.lates] {
		w.set(e)
	}
	return w.clock
}

// trieWriter changes the trie of a clock. It copies the parts on its way to what changes, each
// once, if changes come in order of tasks.
type trieWriter struct {
	clock *Clock
	last  int32 // task changed last; -1 is none
	owned bool  // the boughs are a copy
}

func (w *trieWriter) set(e entry) {
	t, task := &w.clock.first, e.task
	if task >= twigSize {
		if !w.owned {
			// Clone drops spare capacity: appending must not write into memory of other clocks.
			w.clock.boughs, w.owned = slices.Clone(w.clock.boughs), true
		}
		for int(task>>boughShift) >= len(w.clock.boughs) {
			w.clock.boughs = append(w.clock.boughs, nil)
		}
		b := ownPart(&w.clock.boughs[task>>boughShift], w.inLast(task, boughShift))
		r := ownPart(&b[task>>branchShift&15], w.inLast(task, branchShift))
		t = &r[task>>twigShift&15]
	}
	twig := ownPart(t, w.inLast(task, twigShift))
	ownPart(&twig[task>>leafShift&15], w.inLast(task, leafShift))[task&15] = e.k
	w.last = task
}

// inLast reports whether the part of that size with the task was copied for the last one.
// The first tasks have no bough and no branch.
func (w *trieWriter) inLast(task int32, shift uint) bool {
	return w.last >= 0 && w.last>>shift == task>>shift && (shift <= twigShift || w.last >= twigSize)
}

// ownPart returns the part at p, a copy of it unless it is one already.
func ownPart[P any](p **P, copied bool) *P {
	if !copied {
		part := new(P)
		if *p != nil {
			*part = **p
		}
		*p = part
	}
	return *p
}
