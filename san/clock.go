package san

import stdslices "slices"

// clock is a vector clock: for each task, the number of its events that are known. It is the root
// of a persistent radix tree over task numbers, 0 for "nothing known".
//
//	root (level 1)   [ • 0 • 0 0 0 0 0 ]        tasks 0-127, 128-255, 256-383, …
//	                   │   └──────────┐
//	leaves (level 0) [3 0 7 0 0 …]  [… 0 1 0 …]     task 0: 3, task 2: 7, task 300: 1
//
// A new clock copies only the nodes on the paths to changed counters and shares the rest. An event
// that learns nothing new shares its predecessor's clock. So with 100,000 tasks a typical message
// takes five nodes instead of 100,000 counters. leaf.go describes the coding of leaves.
type clock uint32

const (
	fanBits   = 3
	fan       = 1 << fanBits
	fanMask   = fan - 1
	innerSize = 2 + fan
	chunkBits = 15
	chunkSize = 1 << chunkBits

	// maxChunks bounds the nodes so that their numbers fit, with room for one more event.
	maxChunks = 1<<(32-chunkBits) - 1<<(28-chunkBits)
)

// view is what an event knows, including itself.
type view struct {
	clock clock
	own   Action
}

// clocks stores the nodes of all clocks of a net. Nodes are never freed one by one.
//
// A node is a row of words in one chunk, and its number says where it begins. Node 0 is all zero on
// every level. A node above the leaves starts with two words for the event in whose clock the node
// stood first: an event that knows that one knows everything in the node. The numbers of the nodes
// below follow.
type clocks struct {
	chunks [][]uint32
	size   uint32 // the number after the last node

	floors [][]uint32 // the counters that leaves count from (leaf.go); the first one is empty
	excess []uint32   // by floor: extra words of the leaves whose counters are far above it

	// grown[h] is the size when trees became h+1 levels high. A root with a number below grown[h]
	// has at most h levels, so the height of a tree need not be stored.
	grown []uint32

	// The clock under construction: its event, and an event that this one comes after. The nodes
	// numbered fresh and above belong to this clock alone and may be changed in place.
	by    Action
	base  view
	fresh uint32
}

func newClocks() clocks {
	c := clocks{chunks: make([][]uint32, 1), grown: []uint32{0}, floors: [][]uint32{nil}, excess: []uint32{0}}
	c.addInner(&[fan]uint32{})
	return c
}

// words returns the words from number i on.
func (c *clocks) words(i uint32) []uint32 { return c.chunks[i>>chunkBits][i&(chunkSize-1):] }

// slots returns the numbers of the nodes below one.
func (c *clocks) slots(i uint32) *[fan]uint32 { return (*[fan]uint32)(c.words(i)[2:]) }

// first returns the event in whose clock a node stood first; false for leaves that do not record
// it.
func (c *clocks) first(level int, i uint32) (Action, bool) {
	w := c.words(i)
	if level == 0 {
		if len(c.grown) == 1 || i < c.grown[1] {
			return Action{}, false
		}
		w = w[sizeOf(w[1]):]
	}
	return Action{Task(w[0]), int32(w[1])}, true
}

// add allocates a node with that many words, which the caller fills.
func (c *clocks) add(words int) (uint32, []uint32) {
	c.reserve(words)
	last := &c.chunks[len(c.chunks)-1]
	at := len(*last)
	*last = (*last)[:at+words]
	i := uint32((len(c.chunks)-1)<<chunkBits + at)
	c.size = i + uint32(words)
	return i, (*last)[at:]
}

// reserve makes room for a node after the last one. The first chunk grows gradually, which keeps
// small nets small.
func (c *clocks) reserve(words int) {
	last := &c.chunks[len(c.chunks)-1]
	if len(*last)+words > chunkSize {
		c.chunks = append(c.chunks, make([]uint32, 0, chunkSize))
	} else {
		*last = stdslices.Grow(*last, words)
	}
}

// addInner adds a node above the leaves to the clock under construction.
func (c *clocks) addInner(slots *[fan]uint32) uint32 {
	i, w := c.add(innerSize)
	w[0], w[1] = uint32(c.by.Task), uint32(c.by.K)
	*(*[fan]uint32)(w[2:]) = *slots
	return i
}

// dropLast removes a node if it is the last one.
func (c *clocks) dropLast(i uint32, words int) {
	last := &c.chunks[len(c.chunks)-1]
	if at := int(i & (chunkSize - 1)); int(i>>chunkBits) == len(c.chunks)-1 && at+words == len(*last) {
		*last = (*last)[:at]
	}
}

// fitTasks makes trees high enough for tasks 0 … tasks-1.
func (c *clocks) fitTasks(tasks int) {
	for tasks > 1<<shift(len(c.grown)) {
		c.grown = append(c.grown, c.size)
	}
}

// shift returns how many low bits of a task's number trees of that many levels distinguish.
func shift(levels int) uint { return leafBits + fanBits*uint(levels-1) }

// height returns the number of levels of the tree below a root.
func (c *clocks) height(root clock) int {
	h := len(c.grown)
	for h > 1 && uint32(root) < c.grown[h-1] {
		h--
	}
	return h
}

// at returns the number of t's events that are known.
func (c *clocks) at(root clock, t Task) int32 {
	n, h := uint32(root), c.height(root)
	if n == 0 || uint64(t)>>shift(h) != 0 {
		return 0
	}
	for level := h - 1; level > 0; level-- {
		n = c.chunks[n>>chunkBits][n&(chunkSize-1)+2+uint32(t)>>shift(level)&fanMask]
	}
	// This inlines leaf.next for one counter.
	chunk, at := c.chunks[n>>chunkBits], n&(chunkSize-1)
	i, known := uint32(t)&(leafSize-1), uint32(0)
	if floor := c.floors[chunk[at]]; uint(i) < uint(len(floor)) {
		known = floor[i]
	}
	block := i >> blockBits
	forms := chunk[at+1]
	form := forms >> block & large
	if form == 0 {
		return int32(known)
	}
	at += header + uint32(wordsBefore(forms, uint(block)))
	i &= blockSize - 1
	switch offset := chunk[at] >> (4 * i) & 0xf; form {
	case small:
		known += offset
	case medium:
		known += offset | chunk[at+1]>>(4*i)&0xf<<4
	default:
		known += chunk[at+i]
	}
	return int32(known)
}

// knows reports whether a is the event of the view or precedes it. For the event's own task, the
// clock may lag behind the view.
func (c *clocks) knows(v view, a Action) bool {
	return a.Task == v.own.Task && a.K <= v.own.K || c.at(v.clock, a.Task) >= a.K
}

// begin starts to construct the clock of event by, with join and raise. The event comes after the
// event whose view is base.
func (c *clocks) begin(by Action, base view) {
	c.by, c.base, c.fresh = by, base, c.size
}

// lift returns the same clock as a tree of full height.
func (c *clocks) lift(root clock) uint32 {
	n := uint32(root)
	if n == 0 {
		return 0
	}
	for h := c.height(root); h < len(c.grown); h++ {
		n = c.addInner(&[fan]uint32{n})
	}
	return n
}

// join returns the union of a clock under construction and of what an event knows, including that
// event.
//
// If one of two subtrees comes from an event that the other side knows, the other side knows at
// least as much and is taken unchanged. So a task after a barrier takes over what it learns in a
// few nodes, however many tasks there are. Tree clocks use the same observation (Mathur,
// Pavlogiannis, Tunç and Viswanathan, "A tree clock data structure for causal orderings in
// concurrent executions", ASPLOS 2022).
func (c *clocks) join(a clock, b view) clock {
	switch {
	case a == b.clock || b.clock == 0:
	case a == 0, a == c.base.clock && c.base.own.K > 0 && c.knows(b, c.base.own):
		a = b.clock
	default:
		a = clock(c.joinNodes(len(c.grown)-1, c.lift(a), c.lift(b.clock), b))
	}
	return c.raise(a, b.own.Task, b.own.K)
}

// joinNodes joins a node of the clock under construction with one of the view's clock.
func (c *clocks) joinNodes(level int, a, b uint32, of view) uint32 {
	if a == b || b == 0 {
		return a
	}
	if a == 0 {
		return b
	}
	// The clock under construction must not be asked what it knows: other parts of it have changed.
	if first, ok := c.first(level, a); ok && c.knows(of, first) {
		return b
	}
	if first, ok := c.first(level, b); ok && c.knows(c.base, first) {
		return a
	}
	if level == 0 {
		return c.joinLeaves(a, b)
	}
	r := *c.slots(a)
	for i, y := range c.slots(b) {
		r[i] = c.joinNodes(level-1, r[i], y, of)
	}
	switch {
	case r == *c.slots(a):
		return a
	case r == *c.slots(b):
		return b
	case a >= c.fresh:
		*c.slots(a) = r
		return a
	}
	return c.addInner(&r)
}

// raise returns root with at least k known events of t.
func (c *clocks) raise(root clock, t Task, k int32) clock {
	if c.at(root, t) >= k {
		return root
	}
	return clock(c.raiseNode(len(c.grown)-1, c.lift(root), uint32(t), uint32(k)))
}

func (c *clocks) raiseNode(level int, n, t, k uint32) uint32 {
	if level == 0 {
		return c.raiseLeaf(n, uint(t)&(leafSize-1), k)
	}
	r := *c.slots(n)
	i := t >> shift(level) & fanMask
	r[i] = c.raiseNode(level-1, r[i], t, k)
	if n != 0 && n >= c.fresh {
		*c.slots(n) = r
		return n
	}
	return c.addInner(&r)
}

// fill stores the clock into dst, one element for each task.
func (c *clocks) fill(root clock, dst []int32) {
	clear(dst)
	if root != 0 {
		c.fillNode(c.height(root)-1, uint32(root), 0, dst)
	}
}

func (c *clocks) fillNode(level int, n uint32, base int, dst []int32) {
	if n == 0 {
		return
	}
	if level == 0 {
		c.fillLeaf(n, dst[base:])
		return
	}
	for i, v := range c.slots(n) {
		c.fillNode(level-1, v, base+i<<shift(level), dst)
	}
}
