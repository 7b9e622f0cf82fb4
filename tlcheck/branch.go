package tlcheck

import (
	"maps"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// branch is one way for the root to be true: all items true and all conditions
// holding. The union of the branches is the root's set, but each names fewer TIVs,
// and a conjunction of local predicates can be searched without computing with sets.
//
// The TIVs are assigned in two steps: first those that the rest depends on, which
// gives a set of slices, then those of which only the local state counts, by a sweep
// through each interval of that set.
type branch struct {
	conds []cond
	items []*node // all

	core  map[int][]*node // local predicates among the items, by slot
	every []*node         // universal ones
	rest  []*node         // the other items

	outer []int // slots that the rest depends on, ascending
	inner []int // the others, ascending

	// Filled by prepare:
	base   []track       // what every asks of all tasks
	tracks map[int]*want // by slot, of those with a core
	hulls  map[slices.Ideal]hull
	sized  bool // the hulls have sizes

	shortlists map[slices.Ideal][]candidate // by lower bound; see search.shortlist
}

// want is what the core asks of the task that a slot stands for.
type want struct {
	spans [][]span   // by task
	tasks []san.Task // those with spans, ascending
	floor int        // the least number of own events that a task in a span has

	// twin is a slot before this one that asks the same and that no condition or set
	// tells apart, or -1. Of the assignments that differ by exchanging the two only the
	// one in order is tried, which is the first TIVA of them.
	twin int
}

// maxBranches bounds the splitting; a formula with more stays together. So does a union whose
// branches would have more items than maxItems in all, as of two long lists of predicates.
const (
	maxBranches = 64
	maxItems    = 1 << 20
)

// branches splits the root at its outermost unions and moves conditions outwards:
// (p or q) if c is (p if c) or (q if c).
func branches(root *node) []*branch {
	todo := [][]*node{{root}}
	var done []*branch
	for len(todo) > 0 {
		items := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		b := &branch{core: map[int][]*node{}}
		or := b.flatten(items)
		if or < 0 || len(done)+len(todo) >= maxBranches || b.parts(or) > maxItems {
			b.finish()
			done = append(done, b)
			continue
		}
		union := b.items[or]
		others := stdslices.Delete(stdslices.Clone(b.items), or, or+1)
		for i := len(union.kids) - 1; i >= 0; i-- {
			part := append(stdslices.Clone(others), union.kids[i])
			if union.guards != nil {
				part = append(part, union.guards[:i]...)
			}
			todo = append(todo, append(part, conditions(b.conds)...))
		}
	}
	return done
}

// parts returns how many items and conditions the branches have that come of splitting the item.
func (b *branch) parts(or int) int {
	n := len(b.items[or].kids)
	parts := n * (len(b.items) + len(b.conds))
	if b.items[or].guards != nil {
		parts += n * (n - 1) / 2
	}
	return parts
}

// conditions returns nodes that stand for the conditions alone.
func conditions(conds []cond) []*node {
	if len(conds) == 0 {
		return nil
	}
	n := &node{kind: kindIf, conds: conds, kids: []*node{{kind: kindAnd}}}
	n.finish()
	return []*node{n}
}

// flatten takes the intersections and conditions among the items apart and returns
// the index of an item that is a union, or -1.
func (b *branch) flatten(items []*node) (or int) {
	or = -1
	todo := stdslices.Clone(items)
	stdslices.Reverse(todo)
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case n.local:
			b.items = append(b.items, n)
		case n.kind == kindIf:
			b.conds = append(b.conds, n.conds...)
			todo = append(todo, n.kids[0])
		case n.kind == kindAnd:
			for i := len(n.kids) - 1; i >= 0; i-- {
				todo = append(todo, n.kids[i])
			}
		default:
			if n.kind == kindOr && or < 0 {
				or = len(b.items)
			}
			b.items = append(b.items, n)
		}
	}
	return or
}

func (b *branch) finish() {
	outer, all := map[int]bool{}, map[int]bool{}
	for _, c := range b.conds {
		all[c.left], all[c.right] = true, true
	}
	for _, n := range b.items {
		for _, slot := range n.free {
			all[slot] = true
		}
		switch {
		case n.local:
			b.core[n.free[0]] = append(b.core[n.free[0]], n)
		case n.universal():
			b.every = append(b.every, n)
		default:
			b.rest = append(b.rest, n)
			for _, slot := range n.free {
				outer[slot] = true
			}
		}
	}
	for _, slot := range stdslices.Sorted(maps.Keys(all)) {
		if outer[slot] {
			b.outer = append(b.outer, slot)
		} else {
			b.inner = append(b.inner, slot)
		}
	}
}

// prepare computes what the core asks of every task.
func (b *branch) prepare(e *evaluator) error {
	b.tracks = map[int]*want{}
	for slot, nodes := range b.core {
		w := &want{spans: make([][]span, e.net.Tasks()), floor: -1, twin: -1}
		core := &node{kind: kindAnd, kids: nodes}
		for _, t := range e.tasks {
			spans := core.spans(t)
			if len(spans) == 0 {
				continue
			}
			w.spans[t], w.tasks = spans, append(w.tasks, t)
			if w.floor < 0 || spans[0].from < w.floor {
				w.floor = spans[0].from
			}
		}
		w.floor = max(w.floor, 0)
		b.tracks[slot] = w
	}
	for i, slot := range b.inner {
		if err := e.stopped(); err != nil {
			return err
		}
		for _, earlier := range b.inner[:i] {
			if b.exchangeable(earlier, slot) {
				b.tracks[slot].twin = earlier
			}
		}
	}
	b.base = nil
	for _, n := range b.every {
		b.base, _ = e.conjoin(b.base, n, nil)
	}
	return nil
}

// sameCore reports whether the core asks the same of two slots.
func (b *branch) sameCore(s, t int) bool {
	return stdslices.EqualFunc(b.core[s], b.core[t], func(n, m *node) bool {
		return n == m || n.kind == kindAtom && m.kind == kindAtom && n.atom == m.atom && n.want == m.want
	})
}

// differ reports whether the conditions want two slots to stand for different tasks.
func (b *branch) differ(s, t int) bool {
	return stdslices.ContainsFunc(b.conds, func(c cond) bool {
		return c.Differ && !c.Caller && (c.left == s && c.right == t || c.left == t && c.right == s)
	})
}

// exchangeable reports whether exchanging two inner slots with a core changes nothing.
func (b *branch) exchangeable(s, t int) bool {
	if len(b.core[s]) == 0 || !b.sameCore(s, t) {
		return false
	}
	exchange := func(slot int) int {
		switch slot {
		case s:
			return t
		case t:
			return s
		}
		return slot
	}
	for _, c := range b.conds {
		l, r := exchange(c.left), exchange(c.right)
		if l == c.left && r == c.right {
			continue
		}
		if !stdslices.ContainsFunc(b.conds, func(d cond) bool {
			return d.Caller == c.Caller && d.Differ == c.Differ &&
				(d.left == l && d.right == r || !c.Caller && d.left == r && d.right == l)
		}) {
			return false
		}
	}
	return true
}
