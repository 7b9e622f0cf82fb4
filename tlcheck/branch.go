package tlcheck

import (
	"maps"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// branch is one way for the root to be true: all items true and all conditions
// holding. The union of the branches is the root's set, but each names fewer TIVs,
// and a conjunction of local predicates can be searched without computing with sets.
//
// The TIVs are assigned in two steps: first those that the rest depends on, which
// gives a set of slices, then those of which only the local state counts, by a sweep
// through each interval of that set.
type branch struct {
	conds []formula.Cond
	items []*formula.Node // all

	core  map[int][]*formula.Node // local predicates among the items, by slot
	every []*formula.Node         // universal ones
	// by slot, where its task has to stand besides; nil if that does not matter
	stands map[int]*standing
	rest   []*formula.Node // the other items
	// untils of the rest for which only slices count from which more than one action is needed
	far []*formula.Node

	outer []int // slots that the rest depends on, and those between them
	inner []int // the others, ascending
	needs int   // how many slots the rest depends on

	// Filled by prepare:
	base   []track              // what every asks of all tasks
	tracks map[int]*requirement // by slot, of those with a core
	aheads []lookahead          // the first is that of the violation itself
	goals  []goal
	hulls  map[slices.Ideal]hull
	sized  bool // the hulls have sizes

	shortlists map[slices.Ideal][]candidate // by lower bound; see search.shortlist
}

// requirement is a condition of the core on the task that a slot stands for.
type requirement struct {
	spans [][]span   // by task
	tasks []san.Task // those with spans, ascending
	floor int        // the least number of own events that a task in a span has
	// by task, one more than the actions of the least slice with it in a span; 0 is not known; see
	// firstSize
	sizes []int32

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

// parts returns how many items and conditions the branches have that come of splitting the item.
func (b *branch) parts(or int) int {
	n := len(b.items[or].Kids)
	parts := n * (len(b.items) + len(b.conds))
	if b.items[or].Guards != nil {
		parts += n * (n - 1) / 2
	}
	return parts
}

// flatten takes the intersections and conditions among the items apart and returns
// the index of an item that is a union, or -1.
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
	b.between()
}

// between moves inner slots to the outer ones that conditions put between two of these: the first
// says which task they stand for, and then they say for which the second can. Without them all
// pairs of the two would be tried.
func (b *branch) between() {
	for i := 0; i < len(b.outer); i++ {
		for _, slot := range stdslices.Clone(b.inner) {
			links := 0
			for _, other := range b.outer[i:] {
				if b.links(slot, other) {
					links++
				}
			}
			if links > 1 && b.links(slot, b.outer[i]) {
				at, _ := stdslices.BinarySearch(b.inner, slot)
				b.inner = stdslices.Delete(b.inner, at, at+1)
				b.outer = stdslices.Insert(b.outer, i+1, slot)
			}
		}
	}
}

// links reports whether a condition wants two slots to stand for the same task, or for one and the
// one that created it.
func (b *branch) links(s, t int) bool {
	return stdslices.ContainsFunc(b.conds, func(c formula.Cond) bool {
		return !c.Differ && (c.Left == s && c.Right == t || c.Left == t && c.Right == s)
	})
}

// prepare computes what the core asks of every task.
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
				return common(core.spans[t], at.of(t))
			}
			return at.of(t)
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

// requirement returns the one that a task is in a span.
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

// sameCore reports whether the core asks the same of two slots.
func (b *branch) sameCore(s, t int) bool {
	return b.stands[s] == b.stands[t] && stdslices.EqualFunc(b.core[s], b.core[t], func(n, m *formula.Node) bool {
		return n == m || n.Kind == formula.Atom && m.Kind == formula.Atom && n.Atom == m.Atom && n.Want == m.Want
	})
}

// differ reports whether the conditions want two slots to stand for different tasks.
func (b *branch) differ(s, t int) bool {
	return stdslices.ContainsFunc(b.conds, func(c formula.Cond) bool {
		return c.Differ && !c.Caller && (c.Left == s && c.Right == t || c.Left == t && c.Right == s)
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
