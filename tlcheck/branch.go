package tlcheck

import (
	"maps"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// branch is one way for the root to be true: all items true and all conditions
// holding. The union of the branches is the root's set, but each names fewer TIVs,
// and a conjunction of atoms can be searched without computing with sets.
type branch struct {
	conds []cond
	slots []int           // that it depends on, ascending; all free TIVs of the formula
	core  map[int][]*node // atoms among the items, by slot
	rest  []*node         // the other items
	items []*node         // all

	// Filled by prepare, for the slots with a core:
	spans map[int][][]span // by slot and task
	floor map[int]int      // the least number of own events that a task in a span has
}

// maxBranches bounds the splitting; a formula with more stays together.
const maxBranches = 64

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
		if or < 0 || len(done)+len(todo) >= maxBranches {
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
	seen := map[int]bool{}
	for _, c := range b.conds {
		seen[c.left], seen[c.right] = true, true
	}
	for _, n := range b.items {
		for _, slot := range n.free {
			seen[slot] = true
		}
		if n.kind == kindAtom {
			b.core[n.slot] = append(b.core[n.slot], n)
		} else {
			b.rest = append(b.rest, n)
		}
	}
	b.slots = stdslices.Sorted(maps.Keys(seen))
}

// span is a row of local states of one task.
type span struct{ from, to int }

// prepare computes what the core asks of every task.
func (b *branch) prepare(tasks []san.Task) {
	b.spans, b.floor = map[int][][]span{}, map[int]int{}
	for slot := range b.core {
		spans := make([][]span, tasks[len(tasks)-1]+1)
		floor := -1
		for _, t := range tasks {
			spans[t] = b.coreSpans(slot, t)
			if len(spans[t]) > 0 && (floor < 0 || spans[t][0].from < floor) {
				floor = spans[t][0].from
			}
		}
		b.spans[slot], b.floor[slot] = spans, max(floor, 0)
	}
}

// coreSpans returns the local states of the task in which all core atoms of the slot
// have the wanted value.
func (b *branch) coreSpans(slot int, task san.Task) []span {
	var spans []span
	for i, n := range b.core[slot] {
		var s []span
		for _, r := range n.atom.runs[task] {
			if r.truth == n.want {
				s = append(s, span{r.from, r.to})
			}
		}
		if i == 0 {
			spans = s
		} else {
			spans = common(spans, s)
		}
	}
	return spans
}

// common returns the intersection of two ascending lists of spans.
func common(a, b []span) []span {
	var out []span
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if from, to := max(a[i].from, b[j].from), min(a[i].to, b[j].to); from <= to {
			out = append(out, span{from, to})
		}
		if a[i].to < b[j].to {
			i++
		} else {
			j++
		}
	}
	return out
}
