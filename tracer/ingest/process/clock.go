package process

import "slices"

// clock is a vector clock: for each task, by index, how many of its kept events are
// known; absent is 0. It is immutable and nil is the empty one. Clocks share what
// they have in common, as persistent tries do: tasks that synchronise have clocks
// that differ in few leaves, and joining two skips every part that is the same
// memory. Without the sharing a run of n goroutines would need n numbers an event.
type clock struct {
	blocks []*block // block i covers the tasks from i<<blockShift
}

type (
	block [1 << (blockShift - leafShift)]*leaf
	leaf  [1 << leafShift]int32
)

const (
	leafShift  = 4
	blockShift = 9
	leafMask   = 1<<leafShift - 1
	blockMask  = 1<<(blockShift-leafShift) - 1
)

// get returns the number of known events of the task.
func (c *clock) get(task int32) int32 {
	if c == nil || int(task>>blockShift) >= len(c.blocks) {
		return 0
	}
	b := c.blocks[task>>blockShift]
	if b == nil {
		return 0
	}
	l := b[task>>leafShift&blockMask]
	if l == nil {
		return 0
	}
	return l[task&leafMask]
}

// join returns the least clock above a and b; it is a or b itself where that will do.
func join(a, b *clock) *clock {
	if a == b || b == nil {
		return a
	}
	if a == nil {
		return b
	}
	if len(a.blocks) < len(b.blocks) {
		a, b = b, a
	}
	var joined []*block
	isA, isB := true, len(a.blocks) == len(b.blocks)
	for i, x := range b.blocks {
		y := joinBlocks(a.blocks[i], x)
		isB = isB && y == x
		if isA && y != a.blocks[i] {
			isA = false
			joined = slices.Clone(a.blocks)
		}
		if !isA {
			joined[i] = y
		}
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	return &clock{joined}
}

func joinBlocks(a, b *block) *block {
	if a == b || b == nil {
		return a
	}
	if a == nil {
		return b
	}
	var joined block
	isA, isB := true, true
	for i := range joined {
		l := joinLeaves(a[i], b[i])
		joined[i] = l
		isA = isA && l == a[i]
		isB = isB && l == b[i]
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

// with returns the least clock above c that knows the events, which are sorted by task.
func (c *clock) with(events []*node) *clock {
	w := clockWriter{block: -1, leaf: -1}
	for _, e := range events {
		if c.get(e.task.index) < e.k {
			w.set(c, e.task.index, e.k)
		}
	}
	if w.blocks == nil {
		return c
	}
	return &clock{w.blocks}
}

// clockWriter copies the parts of a clock on their way to what changes, each once,
// as long as changes come in order of tasks.
type clockWriter struct {
	blocks      []*block
	block, leaf int32 // copied last; -1 is none
}

func (w *clockWriter) set(c *clock, task, k int32) {
	i, j := task>>blockShift, task>>leafShift
	if w.blocks == nil && c != nil {
		w.blocks = slices.Clone(c.blocks)
	}
	for int(i) >= len(w.blocks) {
		w.blocks = append(w.blocks, nil)
	}
	if i != w.block {
		w.block = i
		copied := block{}
		if w.blocks[i] != nil {
			copied = *w.blocks[i]
		}
		w.blocks[i] = &copied
	}
	at := &w.blocks[i][j&blockMask]
	if j != w.leaf {
		w.leaf = j
		copied := leaf{}
		if *at != nil {
			copied = **at
		}
		*at = &copied
	}
	(*at)[task&leafMask] = k
}
