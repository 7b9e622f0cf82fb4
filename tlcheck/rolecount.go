package tlcheck

import (
	"context"
	"math/big"
	stdslices "slices"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/poset"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// If a property has no temporal operators, only the local states of its tasks decide whether a
// slice and a TIVA violate it. Then the violations of all TIVAs are counted together with the
// slices: each TIV is a role that a task can play in some of its local states (poset.Assignments).
// The time does not depend on the number of TIVAs.

// maxCastings bounds the conjunctions of branches that are counted.
const maxCastings = 64

// roleCounter counts the violations of some branches by inclusion and exclusion: those of each,
// minus those that two of them share, and so on.
type roleCounter struct {
	*violationCounter
	ctx    context.Context
	left   int // castings that may still be counted
	number *big.Int
}

// byRoles returns the number of violations. It returns false if there are temporal operators,
// quantifiers over more than local states, or conditions on creators, or if too many states must be
// distinguished.
func (t *violationCounter) byRoles(branches []*branch) (*big.Int, bool) {
	castings, ok := t.castings(branches)
	if !ok {
		return nil, false
	}
	ctx, cancel := budget.Half(t.counting)
	defer cancel()
	return t.countCastings(ctx, castings)
}

// castings returns the requirements of the branches; false if a branch has other requirements, too.
func (t *violationCounter) castings(branches []*branch) ([]casting, bool) {
	s := &t.search
	if s.initially || len(s.formula.Free) > poset.MaxRoles || t.order() == nil {
		return nil, false
	}
	var castings []casting
	for _, b := range branches {
		c, ok := s.casting(b)
		if !ok {
			return nil, false
		}
		castings = append(castings, c)
	}
	return castings, true
}

// countCastings returns the number of violations that satisfy at least one of the castings; false
// if it cannot be determined.
func (t *violationCounter) countCastings(ctx context.Context, castings []casting) (*big.Int, bool) {
	r := &roleCounter{t, ctx, maxCastings, new(big.Int)}
	anyTask := casting{wanted: make([][][]span, len(t.search.formula.Free)), sets: ^poset.RoleSets(0)}
	return r.number, r.conjunctions(anyTask, castings, 1)
}

// conjunctions counts the violations that satisfy c and one of the branches, by inclusion and
// exclusion. sign is that of the first terms. It returns false if a number cannot be determined.
func (r *roleCounter) conjunctions(c casting, branches []casting, sign int64) bool {
	for i, b := range branches {
		both := c.and(b)
		if !both.possible() {
			continue
		}
		if !r.count(both, sign) {
			return false
		}
		if !r.conjunctions(both, branches[i+1:], -sign) {
			return false
		}
	}
	return true
}

// count adds sign times the number of violations that satisfy c. It returns false if the number
// cannot be determined. Violations with some task in a span are counted as all violations less
// those with no task there.
func (r *roleCounter) count(c casting, sign int64) bool {
	if last := len(c.some) - 1; last >= 0 {
		net, nowhere := r.search.net, make([][]span, len(c.some[last]))
		for t, spans := range c.some[last] {
			nowhere[t] = complementSpans(net, san.Task(t), spans)
		}
		c.some = c.some[:last]
		if !r.count(c, sign) {
			return false
		}
		c.every = bothSpans(c.every, nowhere)
		return r.count(c, -sign)
	}
	if r.left--; r.left < 0 {
		return false
	}
	n, ok := r.poset.Assignments(r.ctx, c.roles(r.search.net))
	if ok {
		r.number.Add(r.number, n.Mul(n, big.NewInt(sign)))
	}
	return ok
}

// casting says which tasks TIVs can stand for in a slice.
type casting struct {
	// by index of the TIV among the free ones and by task: its local states; nil for any
	wanted [][][]span
	some   [][][]span     // by task: for each of these, some task is in a span
	every  [][]span       // by task: where it must be, whatever it stands for; nil for anywhere
	sets   poset.RoleSets // the sets of TIVs that one task can stand for at once
}

// casting returns the requirements of a branch; false if it has other ones, too.
func (s *search) casting(b *branch) (casting, bool) {
	c := casting{}
	for _, slot := range s.formula.Free {
		var spans [][]span
		if w := b.tracks[slot]; w != nil {
			spans = w.spans
		}
		c.wanted = append(c.wanted, spans)
	}
	if len(b.every) > 0 {
		c.every = make([][]span, s.net.Tasks())
		for _, t := range b.base {
			c.every[t.task] = t.spans
		}
	}
	for set := range 1 << len(c.wanted) {
		if s.oneTask(b, set) {
			c.sets |= 1 << set
		}
	}
	for _, n := range b.rest {
		if !isExistential(n) {
			return c, false
		}
		c.some = append(c.some, make([][]span, s.net.Tasks()))
		for _, t := range s.tasks {
			c.some[len(c.some)-1][t] = s.spans(n.Kids[0], t)
		}
	}
	return c, !stdslices.ContainsFunc(b.conds, func(c formula.Cond) bool { return c.Caller })
}

// isExistential reports whether the node says that some task is in a state in which the local child
// is true.
func isExistential(n *formula.Node) bool {
	return n.Kind == formula.Exists && !n.Complement && n.Kids[0].Local && n.Kids[0].Free[0] == n.Slot
}

// oneTask reports whether the conditions, none of which is on creators, allow one task for exactly
// the free TIVs of a set.
func (s *search) oneTask(b *branch, set int) bool {
	has := func(slot int) bool { return set>>stdslices.Index(s.formula.Free, slot)&1 == 1 }
	return !stdslices.ContainsFunc(b.conds, func(c formula.Cond) bool {
		if c.Differ {
			return has(c.Left) && has(c.Right)
		}
		return has(c.Left) != has(c.Right)
	})
}

// and returns the conjunction of both.
func (c casting) and(d casting) casting {
	both := casting{wanted: make([][][]span, len(c.wanted)), some: stdslices.Concat(c.some, d.some),
		every: bothSpans(c.every, d.every), sets: c.sets & d.sets}
	for i := range c.wanted {
		both.wanted[i] = bothSpans(c.wanted[i], d.wanted[i])
	}
	return both
}

// bothSpans returns the common spans of each task.
func bothSpans(a, b [][]span) [][]span {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	out := make([][]span, len(a))
	for t := range a {
		out[t] = intersectSpans(a[t], b[t])
	}
	return out
}

// possible returns false only if some TIV can stand for no task.
func (c casting) possible() bool {
	for i, wanted := range c.wanted {
		if c.sets&setsWith(i) == 0 || wanted != nil &&
			!stdslices.ContainsFunc(wanted, func(s []span) bool { return len(s) > 0 }) {
			return false
		}
	}
	return true
}

func setsWith(role int) (sets poset.RoleSets) {
	for set := range 1 << poset.MaxRoles {
		sets |= poset.RoleSets(set>>role&1) << set
	}
	return sets
}

// roles returns the roles that tasks can play.
func (c casting) roles(net *san.Net) poset.Roles {
	roles := poset.Roles{Number: len(c.wanted)}
	for t := range san.Task(net.Tasks()) {
		roles.Of = append(roles.Of, c.stretches(net, t))
	}
	return roles
}

func (c casting) stretches(net *san.Net, t san.Task) []poset.RoleStretch {
	first := 0
	if _, ok := net.SpawnedBy(t); ok {
		first = uncreated
	}
	all := []poset.RoleStretch{{From: first, Sets: c.sets}}
	for i, wanted := range c.wanted {
		if wanted != nil {
			all = restrict(all, wanted[t], setsWith(i))
		}
	}
	if c.every != nil {
		all = restrict(all, c.every[t], c.sets)
	}
	return all
}

// restrict removes the sets from the local states outside of the spans.
func restrict(all []poset.RoleStretch, spans []span, sets poset.RoleSets) []poset.RoleStretch {
	var starts []int
	for _, s := range all {
		starts = append(starts, s.From)
	}
	for _, s := range spans {
		starts = append(starts, s.from, s.to+1)
	}
	stdslices.Sort(starts)
	var out []poset.RoleStretch
	for _, k := range starts {
		for len(all) > 1 && all[1].From <= k {
			all = all[1:]
		}
		for len(spans) > 0 && spans[0].to < k {
			spans = spans[1:]
		}
		can := all[0].Sets
		if len(spans) == 0 || spans[0].from > k {
			can &^= sets
		}
		if n := len(out); n == 0 || out[n-1].Sets != can {
			out = append(out, poset.RoleStretch{From: k, Sets: can})
		}
	}
	return out
}
