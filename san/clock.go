package san

// clock is a vector clock: for each task the number of its events that are known. It is the
// root of a persistent radix tree over task numbers, 0 for "nothing known".
//
//	root (level 1)   [ • 0 • 0 0 0 0 0 ]        tasks 0-7, 8-15, 16-23, …
//	                   │   └──────────┐
//	leaves (level 0) [3 0 7 0 0 0 0 0] [0 0 0 0 1 0 0 0]     task 0: 3, task 2: 7, task 20: 1
//
// A new clock copies only the nodes on the paths to what changed and shares the rest, and an
// event that learns nothing new shares its predecessor's clock. So 64 tasks need two
// nodes for a typical message, and 100,000 tasks six, not 100,000 counters.
type clock uint32

const (
	fanBits   = 3
	fan       = 1 << fanBits
	fanMask   = fan - 1
	chunkBits = 12
	chunkSize = 1 << chunkBits
)

// clockNode is a node of some clocks.
type clockNode struct {
	slots [fan]uint32 // counters in a leaf, node numbers elsewhere; node 0 is all zero on every level

	// by is the event in whose clock the node stood first. What knows that event knows
	// all that the node says.
	by Action
}

// view is what an event knows, itself included.
type view struct {
	clock clock
	own   Action
}

// clocks stores the nodes of all clocks of a net. Nodes are never freed one by one.
type clocks struct {
	chunks [][]clockNode
	size   uint32

	// grown[h] is the size when trees became h+1 levels high. A root with a number below grown[h] has at
	// most h levels: that is how a root's height is known without storing it.
	grown []uint32

	// Of the clock under construction: the event whose clock it is, and one that this event
	// comes after; the nodes from number fresh on belong to it only and may be changed in
	// place.
	by    Action
	base  view
	fresh uint32
}

func newClocks() clocks {
	c := clocks{grown: []uint32{0}}
	c.add([fan]uint32{})
	return c
}

func (c *clocks) node(i uint32) *clockNode {
	return &c.chunks[i>>chunkBits][i&(chunkSize-1)]
}

// add makes a node of the clock under construction.
func (c *clocks) add(slots [fan]uint32) uint32 {
	i := c.size
	if i&(chunkSize-1) == 0 {
		capacity := chunkSize
		if i == 0 {
			capacity = 16 // small nets stay small
		}
		c.chunks = append(c.chunks, make([]clockNode, 0, capacity))
	}
	last := &c.chunks[len(c.chunks)-1]
	*last = append(*last, clockNode{slots, c.by})
	c.size++
	return i
}

// fit makes trees high enough for tasks 0 … tasks-1.
func (c *clocks) fit(tasks int) {
	for tasks > 1<<(fanBits*len(c.grown)) {
		c.grown = append(c.grown, c.size)
	}
}

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
	if n == 0 || uint64(t)>>(fanBits*h) != 0 {
		return 0
	}
	for level := h - 1; level > 0; level-- {
		n = c.node(n).slots[uint32(t)>>(fanBits*level)&fanMask]
	}
	return int32(c.node(n).slots[uint32(t)&fanMask])
}

// knows reports whether a is the event of the view or precedes it. Of the event's own task a
// clock may say less than the view does.
func (c *clocks) knows(v view, a Action) bool {
	return a.Task == v.own.Task && a.K <= v.own.K || c.at(v.clock, a.Task) >= a.K
}

// begin starts the construction of the clock of an event, by join and raise. The event comes after
// what base is the view of.
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
		n = c.add([fan]uint32{n})
	}
	return n
}

// join returns the union of what a clock under construction and an event know, the event
// included.
//
// Where one of two subtrees comes from an event that the other side knows, the other
// says no less and is taken as it is. So a task that was at a barrier takes what it
// learns from the one before it in a few nodes, however many tasks there are. Tree
// clocks (Mathur, Pavlogiannis, Tunç and Viswanathan, "A tree clock data structure for causal
// orderings in concurrent executions", ASPLOS 2022) rest on the same observation.
func (c *clocks) join(a clock, b view) clock {
	switch {
	case a == b.clock || b.clock == 0:
	case a == 0:
		a = b.clock
	default:
		a = clock(c.joinNodes(len(c.grown)-1, c.lift(a), c.lift(b.clock), b))
	}
	return c.raise(a, b.own.Task, b.own.K)
}

// joinNodes joins nodes of a clock under construction and of that of the view.
func (c *clocks) joinNodes(level int, a, b uint32, of view) uint32 {
	if a == b || b == 0 {
		return a
	}
	if a == 0 {
		return b
	}
	na, nb := c.node(a), c.node(b)
	if level > 0 {
		// The clock under construction itself must not be asked what it knows: it
		// has been changed in other places.
		if c.knows(of, na.by) {
			return b
		}
		if c.knows(c.base, nb.by) {
			return a
		}
	}
	r := na.slots
	for i, y := range nb.slots {
		if level == 0 {
			r[i] = max(r[i], y)
		} else {
			r[i] = c.joinNodes(level-1, r[i], y, of)
		}
	}
	switch {
	case r == c.node(a).slots:
		return a
	case r == c.node(b).slots:
		return b
	case a >= c.fresh:
		c.node(a).slots = r
		return a
	}
	return c.add(r)
}

// raise returns root with at least k events of t known.
func (c *clocks) raise(root clock, t Task, k int32) clock {
	if c.at(root, t) >= k {
		return root
	}
	return clock(c.raiseNode(len(c.grown)-1, c.lift(root), uint32(t), uint32(k)))
}

func (c *clocks) raiseNode(level int, n, t, k uint32) uint32 {
	r := c.node(n).slots
	i := t >> (fanBits * level) & fanMask
	if level == 0 {
		r[i] = k
	} else {
		r[i] = c.raiseNode(level-1, r[i], t, k)
	}
	if n != 0 && n >= c.fresh {
		c.node(n).slots = r
		return n
	}
	return c.add(r)
}

// fill stores the clock into dst, one element for each task.
func (c *clocks) fill(root clock, dst []int32) {
	clear(dst)
	if root != 0 {
		c.fillNode(c.height(root)-1, uint32(root), 0, dst)
	}
}

func (c *clocks) fillNode(level int, n uint32, base int, dst []int32) {
	node := c.node(n)
	for i, v := range node.slots {
		switch {
		case v == 0:
		case level == 0:
			dst[base+i] = int32(v)
		default:
			c.fillNode(level-1, v, base+i<<(fanBits*level), dst)
		}
	}
}
