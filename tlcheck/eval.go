package tlcheck

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// errIntervals says that the sets of a check have more intervals than the budget.
var errIntervals = errors.New("the sets of slices outgrew the budget of intervals")

// memo keeps the sets of a node by the tasks that it depends on.
type memo struct {
	sets map[string]slices.Set

	lastKey string // a node used twice that depends on all TIVs keeps only the last
	last    slices.Set
	hasLast bool
}

// evaluator computes the sets of nodes. Where an operation on sets gave up, the lattice
// says so from then on; check asks it, so that no wrong set is used or kept.
type evaluator struct {
	ctx       context.Context
	net       *san.Net
	lat       *slices.Lattice
	atoms     *atomTable
	tasks     []san.Task // the tasks that a TIV need be tried with
	all, none slices.Set

	vary      int // how many slots vary: those that the branch's rest depends on, and the bound ones
	intervals int // kept in memos
	limit     int // of intervals, in memos and in one set

	progress func(intervals int) // told how many are kept; nil if nobody asks
}

// set returns the slices of n where env says which task each slot stands for.
func (e *evaluator) set(n *node, env []san.Task) (slices.Set, error) {
	if n.kind == kindAtom {
		return e.atom(n, env[n.slot]), nil
	}
	keep := len(n.free) < e.vary
	if !keep && n.parents < 2 {
		return e.compute(n, env)
	}
	key := keyOf(n.free, env)
	if keep {
		if s, ok := n.memo.sets[key]; ok {
			return s, nil
		}
	} else if n.memo.hasLast && n.memo.lastKey == key {
		return n.memo.last, nil
	}
	s, err := e.compute(n, env)
	if err != nil {
		return s, err
	}
	if !keep {
		n.memo.lastKey, n.memo.last, n.memo.hasLast = key, s, true
		return s, nil
	}
	if n.memo.sets == nil {
		n.memo.sets = map[string]slices.Set{}
	}
	n.memo.sets[key] = s
	e.intervals += 1 + len(s.Intervals())
	return s, nil
}

// atom returns the set of an atom, which is computed once for each task.
func (e *evaluator) atom(n *node, task san.Task) slices.Set {
	if n.cost == nil || e.atoms.has(n.atom, task, n.want) {
		return e.atoms.set(n.atom, task, n.want)
	}
	outer := n.cost.enter()
	s := e.atoms.set(n.atom, task, n.want)
	n.cost.leave(outer, len(s.Intervals()))
	return s
}

func keyOf(slots []int, env []san.Task) string {
	key := make([]byte, 0, 16)
	for _, slot := range slots {
		key = binary.AppendUvarint(key, uint64(env[slot]))
	}
	return string(key)
}

// guard sets the budget of what follows.
func (e *evaluator) guard(ctx context.Context) {
	e.ctx = ctx
	e.lat.Guard(e.limit, func() bool { return ctx.Err() != nil })
}

// check stops an evaluation whose budget ran out.
func (e *evaluator) check(s slices.Set) error {
	if err := e.ctx.Err(); err != nil {
		return err
	}
	kept := e.intervals + len(s.Intervals())
	if e.lat.GaveUp() || kept > e.limit {
		return errIntervals
	}
	e.report(kept)
	return nil
}

// report tells how many intervals are kept.
func (e *evaluator) report(intervals int) {
	if e.progress != nil {
		e.progress(intervals)
	}
}

func (e *evaluator) compute(n *node, env []san.Task) (slices.Set, error) {
	outer := n.cost.enter()
	s, err := e.operator(n, env)
	if err == nil {
		err = e.check(s)
	}
	if err == nil && n.not {
		s = s.Complement()
		err = e.check(s)
	}
	n.cost.leave(outer, len(s.Intervals()))
	return s, err
}

// uncomplemented returns what compute would take the complement of.
func (e *evaluator) uncomplemented(n *node, env []san.Task) (slices.Set, error) {
	outer := n.cost.enter()
	s, err := e.operator(n, env)
	n.cost.leave(outer, len(s.Intervals()))
	return s, err
}

func (e *evaluator) operator(n *node, env []san.Task) (slices.Set, error) {
	switch n.kind {
	case kindAnd:
		return e.and(n.kids, env)
	case kindOr:
		return e.or(n, env)
	case kindIf:
		for _, c := range n.conds {
			if !e.holds(c, env) {
				return e.none, nil
			}
		}
		return e.set(n.kids[0], env)
	case kindExists:
		return e.exists(n, env, func(k *node) (slices.Set, error) { return e.set(k, env) })
	case kindUntil:
		return e.until(n, env)
	}
	if n.kind == kindBelow || n.kind == kindReach {
		return e.below(n.kids[0], n.kind == kindReach, env)
	}
	s, err := e.set(n.kids[0], env)
	if err != nil {
		return s, err
	}
	// kindNext: the sets shrink towards the initial slice, so that even a huge k
	// ends after as many steps as there are actions.
	for range n.k {
		if s.IsEmpty() {
			break
		}
		s = s.Next()
		if err := e.check(s); err != nil {
			return s, err
		}
	}
	return s, nil
}

// below returns the slices strictly below the set of a node, or those in it too. Only
// what is highest in the set matters: of a union that of each part, and of a conjunction
// of local predicates its greatest slice, which a sweep finds without the set.
func (e *evaluator) below(n *node, reach bool, env []san.Task) (slices.Set, error) {
	if tracks, ok := e.conjunction(n, env); ok && n.kind != kindAtom {
		s := e.none
		if top, ok := greatest(e.lat, tracks, e.lat.Top()); ok {
			s = e.lat.Set(slices.Interval{Hi: top})
		}
		if !reach { // the greatest slice is the only highest one
			s = s.Below()
		}
		return s, nil
	}
	switch {
	case n.kind == kindOr && n.guards == nil:
		return e.unite(n.kids, func(k *node) (slices.Set, error) { return e.below(k, reach, env) })
	case n.kind == kindExists && !n.not:
		return e.exists(n, env, func(k *node) (slices.Set, error) { return e.below(k, reach, env) })
	}
	s, err := e.set(n, env)
	if err != nil {
		return s, err
	}
	if reach {
		return s.Union(s.Below()), nil
	}
	return s.Below(), nil
}

// unite returns the union of what set gives for the nodes.
func (e *evaluator) unite(nodes []*node, set func(*node) (slices.Set, error)) (slices.Set, error) {
	result := e.none
	for _, n := range nodes {
		s, err := set(n)
		if err != nil {
			return s, err
		}
		result = result.Union(s)
		if err := e.check(result); err != nil {
			return result, err
		}
	}
	return result, nil
}

// and intersects the sets of the nodes and stops when nothing is left. Complements
// come last: they are taken away from the rest, piece by piece, instead of being computed.
func (e *evaluator) and(nodes []*node, env []san.Task) (slices.Set, error) {
	s := e.all
	var minus []*node
	for _, n := range nodes {
		if n.not && len(n.free) >= e.vary && n.parents < 2 {
			minus = append(minus, n)
			continue
		}
		t, err := e.set(n, env)
		if err != nil {
			return s, err
		}
		s = s.Intersect(t)
		if s.IsEmpty() {
			return s, nil
		}
		if err := e.check(s); err != nil {
			return s, err
		}
	}
	for _, n := range minus {
		t, err := e.uncomplemented(n, env)
		if err != nil {
			return s, err
		}
		s = s.Minus(t)
		if err := e.check(s); err != nil || s.IsEmpty() {
			return s, err
		}
	}
	return s, nil
}

func (e *evaluator) or(n *node, env []san.Task) (slices.Set, error) {
	open, i := e.all, 0 // open: the guards so far
	return e.unite(n.kids, func(k *node) (slices.Set, error) {
		s, err := e.set(k, env)
		if i++; i == 1 || n.guards == nil || err != nil {
			return s, err
		}
		g, err := e.set(n.guards[i-2], env)
		if err != nil {
			return s, err
		}
		open = open.Intersect(g)
		return s.Intersect(open), e.check(open)
	})
}

// exists returns the union, over the tasks, of what set gives for the child.
func (e *evaluator) exists(n *node, env []san.Task, set func(*node) (slices.Set, error)) (slices.Set, error) {
	outer := env[n.slot]
	defer func() { env[n.slot] = outer }()
	var sets []slices.Set
	for _, t := range e.tasks {
		env[n.slot] = t
		s, err := set(n.kids[0])
		if err != nil {
			return s, err
		}
		sets = append(sets, s)
	}
	return e.none.Union(sets...), nil
}

func (e *evaluator) until(n *node, env []san.Task) (slices.Set, error) {
	q, err := e.set(n.kids[1], env)
	if err != nil || q.IsEmpty() {
		return q, err
	}
	if n.simple() {
		return e.localUntil(n, q, env)
	}
	bad, err := e.set(n.kids[0], env)
	if err != nil {
		return bad, err
	}
	return e.lat.Until(bad, q), nil
}

// holds evaluates a condition between tasks.
func (e *evaluator) holds(c cond, env []san.Task) bool {
	other, ok := env[c.right], true
	if c.Caller {
		other, ok = e.net.Parent(other)
	}
	return (ok && env[c.left] == other) != c.Differ
}
