package tlcheck

import (
	"maps"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// branch is one way for the root to be true: all items are true and all conditions hold. The union
// of the branches is the root's set, but each branch has fewer TIVs, and a conjunction of local
// predicates can be searched without computing sets.
//
// The TIVs are assigned in two steps. First come those on which the rest depends; they determine a
// set of slices. Then come those for which only the local state matters; they are assigned by a
// sweep through each interval of that set.
//
// The search speaks of
//
//	core, rest     the local predicates among the items, and the other items
//	outer, inner   slots of task variables: those of the rest, which come first, and the others
//	span, track    a row of local states of a task, and a task with the spans that it must be in
//	goal           the right side of an until, if it is a conjunction of local predicates
//	stretch        a row of states in which a predicate on the left side of an until is not false
//	region         an interval of slices, without some that cannot be violations
//	hull, roof     bounds that all slices of interest are above, or below
//	lead           the nearest slices in which a node has a value: see climb.go
type branch struct {
	conds []formula.Cond
	items []*formula.Node // all

	core   map[int][]*formula.Node // local predicates among the items, by slot
	every  []*formula.Node         // universal ones
	stands map[int]*standing       // by slot: where its task must stand; nil for anywhere
	rest   []*formula.Node         // the other items
	far    []*formula.Node         // untils of the rest that need more than one action

	outer []int // slots on which the rest depends, and those between them
	inner []int // the others, ascending
	needs int   // number of slots on which the rest depends

	// Set by prepare:
	base   []track              // the requirements of every on all tasks
	tracks map[int]*requirement // by slot, for those with a core
	aheads []lookahead          // the first is for the violation itself
	goals  []goal
	hulls  map[slices.Ideal]hull
	sized  bool // the hulls have sizes

	shortlists map[slices.Ideal][]candidate // by lower bound; see search.shortlist
}

// requirement is what the core requires of the task in a slot: a local state in some span.
type requirement struct {
	spans [][]span   // by task
	tasks []san.Task // those with spans, ascending
	floor int        // minimal number of own events of a task in a span
	// by task: one more than the actions of the least slice with it in a span; 0 if unknown; see
	// firstSize
	sizes []int32

	// twin is an earlier slot with the same requirement that no condition or set distinguishes, or
	// -1. Of two assignments that differ by exchanging the two slots, only the ordered one is
	// tried, which is the first TIVA of them.
	twin int
}

// maxBranches bounds the splitting; a formula with more branches is not split. maxItems bounds the
// items of all branches of one union, such as a union of two long lists of predicates.
const (
	maxBranches = 64
	maxItems    = 1 << 20
)

// branches splits the root at its outermost unions and moves conditions outwards: (p or q) if c is
// (p if c) or (q if c).
func branches(root *formula.Node) []*branch {
	type conjunction struct {
		items []*formula.Node
		conds []formula.Cond
	}
	todo := []conjunction{{items: []*formula.Node{root}}}
	var done []*branch
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		b := &branch{core: map[int][]*formula.Node{}}
		or := b.flatten(c.items)
		b.conds = append(b.conds, c.conds...)
		if or < 0 || len(done)+len(todo) >= maxBranches || b.parts(or) > maxItems {
			b.finish()
			done = append(done, b)
			continue
		}
		union := b.items[or]
		others := stdslices.Delete(stdslices.Clone(b.items), or, or+1)
		for i := len(union.Kids) - 1; i >= 0; i-- {
			part := append(stdslices.Clone(others), union.Kids[i])
			if union.Guards != nil {
				part = append(part, union.Guards[:i]...)
			}
			todo = append(todo, conjunction{part, b.conds})
		}
	}
	return done
}

// parts returns the number of items and conditions of the branches that result from splitting the
// item.
func (b *branch) parts(or int) int {
	n := len(b.items[or].Kids)
	parts := n * (len(b.items) + len(b.conds))
	if b.items[or].Guards != nil {
		parts += n * (n - 1) / 2
	}
	return parts
}

// flatten splits the intersections and conditions among the items. It returns the index of an item
// that is a union, or -1.
func (b *branch) flatten(items []*formula.Node) (or int) {
	or = -1
	todo := stdslices.Clone(items)
	stdslices.Reverse(todo)
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case n.Local:
			b.items = append(b.items, n)
		case n.Kind == formula.If:
			b.conds = append(b.conds, n.Conds...)
			todo = append(todo, n.Kids[0])
		case n.Kind == formula.And:
			for i := len(n.Kids) - 1; i >= 0; i-- {
				todo = append(todo, n.Kids[i])
			}
		default:
			if n.Kind == formula.Or && or < 0 {
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
		all[c.Left], all[c.Right] = true, true
	}
	for slot := range b.stands {
		all[slot] = true
	}
	for _, n := range b.items {
		for _, slot := range n.Free {
			all[slot] = true
		}
		switch {
		case n.Local:
			b.core[n.Free[0]] = append(b.core[n.Free[0]], n)
		case isUniversal(n):
			b.every = append(b.every, n)
		default:
			b.rest = append(b.rest, n)
			for _, slot := range n.Free {
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
	b.needs = len(b.outer)
	b.promoteLinkedSlots()
}

// promoteLinkedSlots makes an inner slot an outer one if conditions link it to two outer slots. The
// first of these determines its task, which determines the candidates of the second. Otherwise all
// pairs of the two would be tried.
func (b *branch) promoteLinkedSlots() {
	for i := 0; i < len(b.outer); i++ {
		for _, slot := range stdslices.Clone(b.inner) {
			linked := func(outer int) bool { return b.links(slot, outer) }
			if linked(b.outer[i]) && stdslices.ContainsFunc(b.outer[i+1:], linked) {
				at, _ := stdslices.BinarySearch(b.inner, slot)
				b.inner = stdslices.Delete(b.inner, at, at+1)
				b.outer = stdslices.Insert(b.outer, i+1, slot)
			}
		}
	}
}

// links reports whether a condition requires that two slots have the same task, or a task and its
// creator.
func (b *branch) links(s, t int) bool {
	return stdslices.ContainsFunc(b.conds, func(c formula.Cond) bool {
		return !c.Differ && (c.Left == s && c.Right == t || c.Left == t && c.Right == s)
	})
}

// prepare computes the requirements of the core on every task.
func (b *branch) prepare(e *evaluator) error {
	b.tracks = map[int]*requirement{}
	for slot, nodes := range b.core {
		w, err := e.requirement(func(t san.Task) []span { return e.commonSpans(nodes, t) })
		if err != nil {
			return err
		}
		b.tracks[slot] = w
	}
	for slot, at := range b.stands {
		w, err := e.requirement(func(t san.Task) []span {
			if core := b.tracks[slot]; core != nil {
				return intersectSpans(core.spans[t], at.statesOf(t))
			}
			return at.statesOf(t)
		})
		if err != nil {
			return err
		}
		b.tracks[slot] = w
	}
	var err error
	if b.aheads, err = b.lookaheads(e); err != nil {
		return err
	}
	if b.goals, err = b.findGoals(e); err != nil {
		return err
	}
	b.goalsLast()
	for i, slot := range b.inner {
		if err := e.stopped(); err != nil {
			return err
		}
		for _, earlier := range b.inner[:i] {
			if b.canExchange(earlier, slot) {
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

// requirement returns the requirement that a task is in one of its spans.
func (e *evaluator) requirement(of func(san.Task) []span) (*requirement, error) {
	w := &requirement{spans: make([][]span, e.net.Tasks()), floor: -1, twin: -1}
	for i, t := range e.tasks {
		if i%statesPerPoll == 0 {
			if err := e.stopped(); err != nil {
				return nil, err
			}
		}
		spans := of(t)
		if len(spans) == 0 {
			continue
		}
		w.spans[t], w.tasks = spans, append(w.tasks, t)
		if w.floor < 0 || spans[0].from < w.floor {
			w.floor = spans[0].from
		}
	}
	w.floor = max(w.floor, 0)
	return w, nil
}

// sameCore reports whether the core requires the same of two slots.
func (b *branch) sameCore(s, t int) bool {
	return b.stands[s] == b.stands[t] && stdslices.EqualFunc(b.core[s], b.core[t], func(n, m *formula.Node) bool {
		return n == m || n.Kind == formula.Atom && m.Kind == formula.Atom && n.Atom == m.Atom && n.Want == m.Want
	})
}

// mustDiffer reports whether the conditions require different tasks in two slots.
func (b *branch) mustDiffer(s, t int) bool {
	return stdslices.ContainsFunc(b.conds, func(c formula.Cond) bool {
		return c.Differ && !c.Caller && (c.Left == s && c.Right == t || c.Left == t && c.Right == s)
	})
}

// canExchange reports whether exchanging two inner slots with a core changes nothing.
func (b *branch) canExchange(s, t int) bool {
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
		l, r := exchange(c.Left), exchange(c.Right)
		if l == c.Left && r == c.Right {
			continue
		}
		if !stdslices.ContainsFunc(b.conds, func(d formula.Cond) bool {
			return d.Caller == c.Caller && d.Differ == c.Differ &&
				(d.Left == l && d.Right == r || !c.Caller && d.Left == r && d.Right == l)
		}) {
			return false
		}
	}
	return true
}
