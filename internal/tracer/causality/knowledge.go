package causality

import (
	"cmp"
	"slices"

	"github.com/antichain-go/antichain/tracer/op/clock"
)

// The knowledge of a goroutine, a channel slot or any other object is the set of the latest kept
// events that come before its next operation. Only maximal events are in the set: an event that
// precedes another one of the set adds nothing. So the causes in a written event are exactly the
// edges of the transitive reduction. The events of an ended goroutine are freed once everyone that
// knew them knows later ones.

// node is one kept event, in the knowledge of others.
type node struct {
	task *task
	k    int32
	base *clock.Clock // the events of other tasks that it comes after; of its own, some up to k
	own  set          // the set of this event alone
	one  [1]*node
}

// newNode returns event k of t, which comes after all in base.
func (u *knowledge) newNode(t *task, k int32, base *clock.Clock) *node {
	if len(u.nodes) == 0 {
		u.nodes = make([]node, nodesAtOnce)
	}
	n := &u.nodes[0]
	u.nodes = u.nodes[1:]
	n.task, n.k, n.base, n.one[0] = t, k, base, n
	n.own.events, n.own.cover, n.own.covered, n.own.id = n.one[:], base, true, u.nextID()
	return n
}

// nodesAtOnce are allocated together, which takes less time. A node in use keeps its whole block in
// memory, so blocks are small.
const nodesAtOnce = 8

// knows reports whether n is m or comes after it.
func (n *node) knows(m *node) bool {
	if n.task == m.task {
		return m.k <= n.k
	}
	return n.base.At(m.task.index) >= m.k
}

// set is knowledge: pairwise unordered events, sorted by task. It is immutable and shared by all
// that know the same; nil is the empty set.
type set struct {
	events  []*node
	cover   *clock.Clock // join of the events' bases, once covered is true
	covered bool
	// identifies the set in the memory of unions; equal ids may occur after 2^32 sets
	id uint32
}

// baseJoin returns the join of the events' bases.
func (s *set) baseJoin(m *clock.Memory) *clock.Clock {
	if !s.covered {
		for _, e := range s.events {
			s.cover = m.Join(s.cover, e.base)
		}
		s.covered = true
	}
	return s.cover
}

// known is the set of events before the next one: in the order of the trace, and in the order that
// also has each read after the write that it has seen (Event.Seen). The two share one set until
// they differ, which only happens with Options.Sections.
type known struct{ order, data *set }

// singleton is the knowledge right after n.
func (n *node) singleton() known { return known{&n.own, &n.own} }

// knowledge makes sets.
type knowledge struct {
	id      uint32
	nodes   []node // not in use yet
	scratch []*node
	clocks  clock.Memory
	memory  [256]struct{ a, b, union *set }
}

func (u *knowledge) nextID() uint32 {
	u.id++
	return u.id
}

// union returns the joint knowledge of a and b.
func (u *knowledge) union(a, b known) known {
	order := u.join(a.order, b.order)
	if a.order == a.data && b.order == b.data {
		return known{order, order}
	}
	return known{order, u.join(a.data, b.data)}
}

// join is union of sets. It returns a or b itself where that is the result.
func (u *knowledge) join(a, b *set) *set {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	}
	if len(a.events) == 1 && len(b.events) == 1 {
		return u.joinSingles(a, b)
	}
	// Goroutines that use the same objects again and again merge the same sets.
	m := &u.memory[(a.id*31+b.id)%uint32(len(u.memory))]
	if m.a != a || m.b != b {
		m.a, m.b, m.union = a, b, u.merge(a, b)
	}
	return m.union
}

// joinSingles is join for two sets of one event, by far the most frequent case.
func (u *knowledge) joinSingles(a, b *set) *set {
	x, y := a.events[0], b.events[0]
	switch {
	case x.knows(y):
		return a
	case y.knows(x):
		return b
	case x.task.index > y.task.index:
		x, y = y, x
	}
	return &set{events: []*node{x, y}, id: u.nextID()}
}

func (u *knowledge) merge(a, b *set) *set {
	belowA, belowB := a.baseJoin(&u.clocks), b.baseJoin(&u.clocks)
	fromA, fromB := 0, 0 // how many of the result are in a, and in b
	out := u.scratch[:0]
	i, j := 0, 0
	for i < len(a.events) || j < len(b.events) {
		var x, y *node // the next event of a, or of b, or one of each of the same task
		if i < len(a.events) {
			x = a.events[i]
		}
		if j < len(b.events) {
			y = b.events[j]
		}
		switch {
		case y == nil || x != nil && x.task.index < y.task.index:
			i, y = i+1, nil
		case x == nil || y.task.index < x.task.index:
			j, x = j+1, nil
		default:
			i, j = i+1, j+1
		}
		keepA := x != nil && (y == nil || x.k >= y.k) && belowB.At(x.task.index) < x.k
		keepB := y != nil && (x == nil || y.k >= x.k) && belowA.At(y.task.index) < y.k
		if keepA {
			fromA++
			out = append(out, x)
		}
		if keepB {
			fromB++
			if !keepA {
				out = append(out, y)
			}
		}
	}
	u.scratch = out
	switch {
	case len(out) == fromA && fromA == len(a.events):
		return a
	case len(out) == fromB && fromB == len(b.events):
		return b
	}
	return &set{events: append([]*node(nil), out...), cover: u.clocks.Join(belowA, belowB), covered: true,
		id: u.nextID()}
}

// comprises reports whether s knows n.
func (u *knowledge) comprises(s *set, n *node) bool {
	if s == nil {
		return false
	}
	i, found := slices.BinarySearchFunc(s.events, n.task.index,
		func(e *node, task int32) int { return cmp.Compare(e.task.index, task) })
	return found && n.k <= s.events[i].k || n.k <= s.baseJoin(&u.clocks).At(n.task.index)
}

// comprisesAll reports whether a knows b.
func (u *knowledge) comprisesAll(a, b known) bool {
	return u.isBelow(b.order, a.order) && u.isBelow(b.data, a.data)
}

// isBelow reports whether s knows r.
func (u *knowledge) isBelow(r, s *set) bool {
	return r == nil || r == s || !slices.ContainsFunc(r.events, func(n *node) bool { return !u.comprises(s, n) })
}

// withEvents returns the least clock above c that knows the events, which are sorted by task.
func withEvents(c *clock.Clock, events []*node) *clock.Clock {
	var w clock.Writer
	changed := false
	for _, e := range events {
		if c.At(e.task.index) >= e.k {
			continue
		}
		if !changed {
			w, changed = clock.NewWriter(c), true
		}
		w.Set(e.task.index, e.k)
	}
	if !changed {
		return c
	}
	return w.Clock()
}
