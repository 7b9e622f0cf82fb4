// Package clock has vector clocks that share what they have in common.
package clock

import "slices"

// Clock is a vector clock: for each task, by index, how many of its events are
// known; absent is 0. It is immutable and nil is the empty one. Clocks share what
// they have in common, as persistent tries do (each level has 16 children): tasks that
// synchronise have clocks that differ in few leaves, and joining two skips every part
// that is the same memory. Without the sharing a run of n goroutines would need n
// numbers an event.
type Clock struct {
	first  *twig    // the tasks below twigSize, all there are in most programs
	boughs []*bough // bough i covers the others from i*boughSize
}

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
)

// At returns the number of known events of the task.
func (c *Clock) At(task int32) int32 {
	if c == nil {
		return 0
	}
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

// Join returns the least clock above a and b; it is a or b itself where that will do.
func Join(a, b *Clock) *Clock {
	if a == b || b == nil {
		return a
	}
	if a == nil {
		return b
	}
	if len(a.boughs) < len(b.boughs) {
		a, b = b, a
	}
	first := joinTwigs(a.first, b.first)
	isA := first == a.first
	isB := first == b.first && len(a.boughs) == len(b.boughs)
	boughs := a.boughs
	copied := false
	for i, x := range b.boughs {
		y := joinBoughs(a.boughs[i], x)
		isB = isB && y == x
		if y == a.boughs[i] {
			continue
		}
		isA = false
		if !copied {
			boughs, copied = slices.Clone(boughs), true
		}
		boughs[i] = y
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	return &Clock{first, boughs}
}

func joinBoughs(a, b *bough) *bough     { return joinParts(a, b, joinBranches) }
func joinBranches(a, b *branch) *branch { return joinParts(a, b, joinTwigs) }
func joinTwigs(a, b *twig) *twig        { return joinParts(a, b, joinLeaves) }

func joinParts[P any](a, b *[16]*P, join func(a, b *P) *P) *[16]*P {
	if a == b || b == nil {
		return a
	}
	if a == nil {
		return b
	}
	var joined [16]*P
	isA, isB := true, true
	for i := range joined {
		p := join(a[i], b[i])
		joined[i] = p
		isA = isA && p == a[i]
		isB = isB && p == b[i]
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	kept := joined // only this copy escapes
	return &kept
}

func joinLeaves(a, b *leaf) *leaf {
	if a == b || b == nil {
		return a
	}
	if a == nil {
		return b
	}
	var joined leaf
	for i := range joined {
		joined[i] = max(a[i], b[i])
	}
	switch {
	case joined == *a:
		return a
	case joined == *b:
		return b
	}
	kept := joined
	return &kept
}

// With returns the least clock above c that knows k events of the task.
func (c *Clock) With(task, k int32) *Clock {
	if c.At(task) >= k {
		return c
	}
	w := NewWriter(c)
	w.Set(task, k)
	return w.Clock()
}

// Writer changes a copy of a clock. It copies the parts on its way to what changes,
// each once, as long as changes come in order of tasks.
type Writer struct {
	clock *Clock
	last  int32 // task changed last; -1 is none
	owned bool  // the boughs are a copy
}

// NewWriter returns a writer that begins with c, which does not change.
func NewWriter(c *Clock) *Writer {
	w := &Writer{clock: new(Clock), last: -1}
	if c != nil {
		*w.clock = *c
	}
	return w
}

// Clock returns the changed clock. The writer must not be used any more.
func (w *Writer) Clock() *Clock { return w.clock }

// Set makes the number of known events of the task k.
func (w *Writer) Set(task, k int32) {
	t := &w.clock.first
	if task >= twigSize {
		if !w.owned {
			// To its length, which appending must not share with others.
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
	ownPart(&twig[task>>leafShift&15], w.inLast(task, leafShift))[task&15] = k
	w.last = task
}

// inLast reports whether the part of that size with the task was copied for the last one.
// The first tasks have no bough and no branch.
func (w *Writer) inLast(task int32, shift uint) bool {
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
