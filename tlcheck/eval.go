package tlcheck

import (
	"context"
	"encoding/binary"
	"math"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// memo has an evaluator's results for a node.
type memo struct {
	uses int   // number of evaluated nodes that use it
	cost *cost // nil unless the check is profiled

	sets map[string]slices.Set // by the tasks on which the node depends

	lastKey string // for a node used twice that depends on all TIVs: only the last set is kept
	lastSet slices.Set
	hasLast bool

	// For a local node below until, by task:
	marks        [][]mark
	stretches    [][]mark
	predecessors map[san.Task]slices.Set // see evaluator.oneBefore
}

// evaluator computes the sets of nodes bottom-up (the s-nodes of Frey 1996, §5.3).
type evaluator struct {
	budget    slices.Budget // bounds the intervals in memos, and those in one set
	net       *san.Net
	lat       *slices.Lattice
	atoms     *atomTable
	memos     []*memo    // by number of the node; nil for nodes of other formulas
	tasks     []san.Task // the tasks with which a TIV must be tried
	steep     []bool     // by number of the node; see steepNodes
	all, none slices.Set

	ranks ranks // the wanted slices: uncached sets may be wrong about others

	// number of slots that vary: those on which the branch's rest depends, and the bound ones
	vary      int
	intervals int // intervals in memos

	progress func(intervals int) // receives the number of intervals in memos; may be nil
}

// newMemos returns memos for the nodes of a formula.
func newMemos(f *formula.Formula) []*memo {
	memos, room := make([]*memo, len(f.Set.Nodes)), make([]memo, len(f.Nodes))
	for i, n := range f.Nodes {
		memos[n.Number] = &room[i]
	}
	return memos
}

// expect counts how often nodes are used when these are evaluated.
func (e *evaluator) expect(nodes []*formula.Node) {
	for _, m := range e.memos {
		if m != nil {
			m.uses = 0
		}
	}
	var todo []*formula.Node
	use := func(n *formula.Node) bool {
		m := e.memos[n.Number]
		if m.uses++; m.uses == 1 {
			todo = append(todo, n)
		}
		return true
	}
	for _, n := range nodes {
		use(n)
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n.Operands(use)
	}
}

// set returns the slices in which n is true when env has the task of each slot.
func (e *evaluator) set(n *formula.Node, env []san.Task) (slices.Set, error) {
	if n.Kind == formula.Atom {
		return e.ranks.restrict(e.atom(n, env[n.Slot])), nil
	}
	m := e.memos[n.Number]
	if len(n.Free) < e.vary {
		s, err := e.cachedSet(n, env)
		return e.ranks.restrict(s), err
	}
	if m.uses < 2 || e.ranks != allRanks {
		return e.compute(n, env)
	}
	key := keyOf(n.Free, env)
	if m.hasLast && m.lastKey == key {
		return m.lastSet, nil
	}
	s, err := e.compute(n, env)
	if err == nil {
		m.lastKey, m.lastSet, m.hasLast = key, s, true
	}
	return s, err
}

// cachedSet is set with a cache, by the tasks on which the node depends.
func (e *evaluator) cachedSet(n *formula.Node, env []san.Task) (slices.Set, error) {
	m, key := e.memos[n.Number], keyOf(n.Free, env)
	if s, ok := m.sets[key]; ok {
		return s, nil
	}
	var s slices.Set
	err := e.withRanks(allRanks, func() (err error) {
		s, err = e.compute(n, env)
		return err
	})
	if err != nil {
		return s, err
	}
	if m.sets == nil {
		m.sets = map[string]slices.Set{}
	}
	m.sets[key] = s
	e.intervals += 1 + len(s.Intervals())
	return s, nil
}

// atom returns the set of an atom, which is cached by task.
func (e *evaluator) atom(n *formula.Node, task san.Task) slices.Set {
	c := e.memos[n.Number].cost
	if c == nil || e.atoms.has(n, task) {
		return e.atoms.set(n, task)
	}
	outer := c.enter()
	s := e.atoms.set(n, task)
	c.leave(outer, len(s.Intervals()))
	return s
}

func keyOf(slots []int, env []san.Task) string {
	key := make([]byte, 0, 16)
	for _, slot := range slots {
		key = binary.AppendUvarint(key, uint64(env[slot]))
	}
	return string(key)
}

// setContext sets the context of the following computations.
func (e *evaluator) setContext(ctx context.Context) { e.budget.Context = ctx }

// stopped returns why the evaluation must stop; nil while it may continue.
func (e *evaluator) stopped() error { return e.budget.Err() }

// check stops an evaluation whose budget has run out.
func (e *evaluator) check(s slices.Set) error {
	kept := e.intervals + len(s.Intervals())
	if err := e.budget.Allow(kept); err != nil {
		return err
	}
	e.report(kept)
	return nil
}

func (e *evaluator) report(intervals int) {
	if e.progress != nil {
		e.progress(intervals)
	}
}

func (e *evaluator) compute(n *formula.Node, env []san.Task) (slices.Set, error) {
	c := e.memos[n.Number].cost
	outer := c.enter()
	s, err := e.operator(n, env)
	if err == nil {
		err = e.check(s)
	}
	if err == nil && n.Complement {
		if s, err = s.Complement(e.budget); err == nil {
			err = e.check(s)
		}
	}
	c.leave(outer, len(s.Intervals()))
	return s, err
}

// setBeforeComplement returns the set before n.Complement is applied, within the region.
func (e *evaluator) setBeforeComplement(n *formula.Node, env []san.Task, region slices.Set) (s slices.Set, err error) {
	c := e.memos[n.Number].cost
	outer := c.enter()
	if n.Kind == formula.Until {
		s, err = e.until(n, env, region)
	} else {
		s, err = e.operator(n, env)
	}
	c.leave(outer, len(s.Intervals()))
	return s, err
}

func (e *evaluator) operator(n *formula.Node, env []san.Task) (slices.Set, error) {
	switch n.Kind {
	case formula.And:
		return e.and(n.Kids, env)
	case formula.Or:
		return e.or(n, env)
	case formula.If:
		for _, c := range n.Conds {
			if !e.holds(c, env) {
				return e.none, nil
			}
		}
		return e.set(n.Kids[0], env)
	case formula.Exists:
		return e.exists(n, env, func(k *formula.Node) (slices.Set, error) { return e.set(k, env) })
	case formula.Until:
		return e.until(n, env, e.all)
	case formula.Next:
		return e.stepsBefore(n, env)
	}
	var s slices.Set
	err := e.withRanks(e.ranks.allLater(), func() (err error) {
		s, err = e.slicesBelow(n.Kids[0], n.Kind == formula.Eventually, env)
		return err
	})
	return s, err
}

// stepsBefore returns the slices K steps before those of the kid. The sets shrink towards the
// initial slice, so even a huge K ends after as many steps as there are actions.
func (e *evaluator) stepsBefore(n *formula.Node, env []san.Task) (slices.Set, error) {
	var s slices.Set
	err := e.withRanks(e.ranks.shifted(n.K), func() (err error) {
		s, err = e.set(n.Kids[0], env)
		return err
	})
	for k := n.K - 1; k >= 0 && err == nil && !s.IsEmpty(); k-- {
		if s, err = s.Next(e.budget); err == nil {
			s = e.ranks.shifted(k).restrict(s)
			err = e.check(s)
		}
	}
	return s, err
}

// slicesBelow returns the slices strictly below the set of a node, and the set itself if reach is
// set. Only the maximal slices of the set matter: those of each part of a union, and the greatest
// slice of a conjunction of local predicates, which a sweep finds without the set.
func (e *evaluator) slicesBelow(n *formula.Node, reach bool, env []san.Task) (slices.Set, error) {
	if tracks, ok := e.conjoin(nil, n, env); ok && n.Kind != formula.Atom {
		top, ok, err := greatest(e.budget, e.lat, tracks, e.lat.Top())
		if !ok || err != nil {
			return e.none, err
		}
		s := e.lat.Set(slices.Interval{Hi: top})
		if reach {
			return s, nil
		}
		return s.Sometime(e.budget) // the greatest slice is the only maximal one
	}
	switch {
	case n.Kind == formula.Or && n.Guards == nil:
		return e.unite(n.Kids, func(k *formula.Node) (slices.Set, error) { return e.slicesBelow(k, reach, env) })
	case n.Kind == formula.Exists && !n.Complement:
		return e.exists(n, env, func(k *formula.Node) (slices.Set, error) { return e.slicesBelow(k, reach, env) })
	}
	s, err := e.set(n, env)
	if err != nil {
		return s, err
	}
	if reach {
		return s.Eventually(e.budget)
	}
	return s.Sometime(e.budget)
}

// unite returns the union of the nodes' sets, as computed by set.
func (e *evaluator) unite(nodes []*formula.Node, set func(*formula.Node) (slices.Set, error)) (slices.Set, error) {
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

// and intersects the sets of the nodes and stops when nothing is left. Complements come last: they
// are subtracted from the rest, piece by piece, instead of being computed. So does until, which is
// needed only within the rest.
func (e *evaluator) and(nodes []*formula.Node, env []san.Task) (slices.Set, error) {
	s := e.all
	var last []*formula.Node
	for _, n := range nodes {
		if (n.Complement || n.Kind == formula.Until) && len(n.Free) >= e.vary && e.memos[n.Number].uses < 2 {
			last = append(last, n)
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
	for _, n := range last {
		t, err := e.setBeforeComplement(n, env, s)
		if err != nil {
			return s, err
		}
		if n.Complement {
			s, err = s.Minus(e.budget, t)
		} else {
			s, err = s.Intersect(e.budget, t)
		}
		if err != nil {
			return s, err
		}
		if err := e.check(s); err != nil || s.IsEmpty() {
			return s, err
		}
	}
	return s, nil
}

func (e *evaluator) or(n *formula.Node, env []san.Task) (slices.Set, error) {
	open, i := e.all, 0 // open has the slices in which all guards so far hold
	return e.unite(n.Kids, func(k *formula.Node) (slices.Set, error) {
		s, err := e.set(k, env)
		if i++; i == 1 || n.Guards == nil || err != nil {
			return s, err
		}
		g, err := e.set(n.Guards[i-2], env)
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

// exists returns the union, over the tasks, of the child's sets, as computed by set.
func (e *evaluator) exists(
	n *formula.Node, env []san.Task, set func(*formula.Node) (slices.Set, error),
) (slices.Set, error) {
	outer := env[n.Slot]
	defer func() { env[n.Slot] = outer }()
	var sets []slices.Set
	for _, t := range e.tasks {
		env[n.Slot] = t
		s, err := set(n.Kids[0])
		if err != nil {
			return s, err
		}
		sets = append(sets, s)
	}
	return e.none.Union(e.budget, sets...)
}

// until returns the slices of the node, at least those in the region.
func (e *evaluator) until(n *formula.Node, env []san.Task, region slices.Set) (s slices.Set, err error) {
	err = e.withRanks(e.ranks.allLater(), func() error {
		q, err := e.set(n.Kids[1], env)
		if err != nil || q.IsEmpty() {
			s = q
			return err
		}
		if isSimple(n) {
			s, err = e.localUntil(n, q, env)
			return err
		}
		if tracks, ok := e.conjoin(nil, n.Kids[1], env); ok && n.Kids[0].Local {
			s, err = e.conjunctiveUntil(n.Kids[0], tracks, q, env)
			return err
		}
		bad, err := e.set(n.Kids[0], env)
		if err == nil {
			s, err = e.lat.Until(e.budget, bad, q, region)
		}
		return err
	})
	return s, err
}

// include makes the evaluator try a task even if another one represents it, since a condition can
// name the task. Where no TIV is the task, values stay the same.
func (e *evaluator) include(task san.Task) {
	if at, found := stdslices.BinarySearch(e.tasks, task); !found {
		e.tasks = stdslices.Insert(e.tasks, at, task)
	}
}

// holds evaluates a condition between tasks.
func (e *evaluator) holds(c formula.Cond, env []san.Task) bool {
	other, ok := env[c.Right], true
	if c.Caller {
		other, ok = e.net.Parent(other)
	}
	return (ok && env[c.Left] == other) != c.Differ
}

// Once a violation is known, only slices with fewer actions, or with more, can be better. Operators
// may ignore all other slices, which turns sets of thousands of intervals into sets of a few.

// ranks is a range of numbers of actions.
type ranks struct{ least, most int }

var allRanks = ranks{most: math.MaxInt}

// restrict returns the intervals of the set that have a slice within these ranks.
func (r ranks) restrict(s slices.Set) slices.Set {
	if r == allRanks {
		return s
	}
	return s.WithRanks(r.least, r.most)
}

// shifted returns the ranks of the slices k actions later.
func (r ranks) shifted(k int) ranks {
	return ranks{addSaturating(r.least, k), addSaturating(r.most, k)}
}

// allLater returns the ranks of the slices any number of actions later.
func (r ranks) allLater() ranks { return ranks{r.least, math.MaxInt} }

// addSaturating adds numbers without overflow.
func addSaturating(m, n int) int {
	if m > math.MaxInt-n {
		return math.MaxInt
	}
	return m + n
}

// withRanks calls compute, which needs only slices of these ranks.
func (e *evaluator) withRanks(r ranks, compute func() error) error {
	outer := e.ranks
	e.ranks = r
	err := compute()
	e.ranks = outer
	return err
}

// wantedRanks returns the ranks of the slices that can be better than the best violation.
func (s *search) wantedRanks() ranks {
	switch {
	case s.best == nil:
		return allRanks
	case s.last:
		return ranks{s.best.size, math.MaxInt}
	}
	return ranks{0, s.best.size}
}
