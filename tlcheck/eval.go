package tlcheck

import (
	"context"
	"encoding/binary"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// memo keeps the sets of a node by the tasks that it depends on.
type memo struct {
	sets map[string]slices.Set

	lastKey string // a node used twice that depends on all TIVs keeps only the last
	last    slices.Set
	hasLast bool
}

// evaluator computes the sets of nodes.
type evaluator struct {
	budget    slices.Budget // its intervals are those in memos and in one set
	net       *san.Net
	lat       *slices.Lattice
	atoms     *atomTable
	tasks     []san.Task // the tasks that a TIV need be tried with
	all, none slices.Set

	vary      int // how many slots vary: those that the branch's rest depends on, and the bound ones
	intervals int // kept in memos

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

// within sets the context of what follows.
func (e *evaluator) within(ctx context.Context) { e.budget.Context = ctx }

// stopped returns why the evaluation has to stop; nil as long as it may go on.
func (e *evaluator) stopped() error { return e.budget.Err() }

// check stops an evaluation whose budget ran out.
func (e *evaluator) check(s slices.Set) error {
	kept := e.intervals + len(s.Intervals())
	if err := e.budget.Allow(kept); err != nil {
		return err
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
		if s, err = s.Complement(e.budget); err == nil {
			err = e.check(s)
		}
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
		if s, err = s.Next(e.budget); err != nil {
			return s, err
		}
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
		top, ok, err := greatest(e.budget, e.lat, tracks, e.lat.Top())
		if !ok || err != nil {
			return e.none, err
		}
		s := e.lat.Set(slices.Interval{Hi: top})
		if reach {
			return s, nil
		}
		return s.Sometime(e.budget) // the greatest slice is the only highest one
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
	lower, err := s.Sometime(e.budget)
	if err != nil || !reach {
		return lower, err
	}
	return s.Union(e.budget, lower)
}

// unite returns the union of what set gives for the nodes.
func (e *evaluator) unite(nodes []*node, set func(*node) (slices.Set, error)) (slices.Set, error) {
	result := e.none
	for _, n := range nodes {
		s, err := set(n)
		if err != nil {
			return s, err
		}
		if result, err = result.Union(e.budget, s); err != nil {
			return result, err
		}
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
		if s, err = s.Intersect(e.budget, t); err != nil || s.IsEmpty() {
			return s, err
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
		if s, err = s.Minus(e.budget, t); err != nil {
			return s, err
		}
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
		if open, err = open.Intersect(e.budget, g); err != nil {
			return s, err
		}
		if err := e.check(open); err != nil {
			return s, err
		}
		return s.Intersect(e.budget, open)
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
	return e.none.Union(e.budget, sets...)
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
	return e.lat.Until(e.budget, bad, q)
}

// holds evaluates a condition between tasks.
func (e *evaluator) holds(c cond, env []san.Task) bool {
	other, ok := env[c.right], true
	if c.Caller {
		other, ok = e.net.Parent(other)
	}
	return (ok && env[c.left] == other) != c.Differ
}
