package tlcheck

import (
	"errors"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// contains reports whether a slice is in the set of a node. It computes sets below temporal
// operators only, and no complements: deciding that one slice is not in a set is easier than
// computing which slices are not.
func (e *evaluator) contains(n *formula.Node, env []san.Task, slice slices.Ideal) (bool, error) {
	in, err := e.member(n, env, slice)
	if err == nil {
		err = e.stopped()
	}
	return in != n.Complement, err
}

func (e *evaluator) member(n *formula.Node, env []san.Task, slice slices.Ideal) (bool, error) {
	switch n.Kind {
	case formula.Atom:
		task := env[n.Slot]
		return e.lat.Created(slice, task) && e.atoms.value(n.Atom, task, slice.At(task)) == n.Want, nil
	case formula.And:
		return e.every(n.Kids, env, slice)
	case formula.Or:
		for i, k := range n.Kids {
			in, err := e.contains(k, env, slice)
			if err != nil || in {
				return in, err
			}
			if n.Guards == nil || i == len(n.Kids)-1 {
				continue
			}
			if in, err = e.contains(n.Guards[i], env, slice); err != nil || !in {
				return false, err
			}
		}
		return false, nil
	case formula.If:
		for _, c := range n.Conds {
			if !e.holds(c, env) {
				return false, nil
			}
		}
		return e.contains(n.Kids[0], env, slice)
	case formula.Exists:
		outer := env[n.Slot]
		defer func() { env[n.Slot] = outer }()
		for _, t := range e.tasks {
			env[n.Slot] = t
			if in, err := e.contains(n.Kids[0], env, slice); err != nil || in {
				return in, err
			}
		}
		return false, nil
	}
	return e.containsTemporal(n, env, slice)
}

func (e *evaluator) every(nodes []*formula.Node, env []san.Task, slice slices.Ideal) (bool, error) {
	for _, n := range nodes {
		if in, err := e.contains(n, env, slice); err != nil || !in {
			return false, err
		}
	}
	return true, nil
}

func (e *evaluator) containsTemporal(n *formula.Node, env []san.Task, slice slices.Ideal) (bool, error) {
	if e.reachesSteep(n) {
		if in, err := e.upwards(env).reaches(n, slice); !errors.Is(err, errSteep) {
			return in, err
		}
	}
	if n.Kind == formula.Sometime || n.Kind == formula.Eventually {
		return e.some(n.Kids[0], env,
			func(s slices.Set) (bool, error) { return s.Reachable(slice, n.Kind == formula.Sometime), nil })
	}
	target, err := e.set(n.Kids[len(n.Kids)-1], env)
	if err != nil || target.IsEmpty() {
		return false, err
	}
	switch n.Kind {
	case formula.Next:
		for i := 1; i < n.K && !target.IsEmpty(); i++ {
			if target, err = target.Next(e.budget); err != nil {
				return false, err
			}
			if err := e.check(target); err != nil {
				return false, err
			}
		}
		for _, a := range e.lat.Enabled(slice) {
			if target.Contains(e.lat.Fire(slice, a)) {
				return true, nil
			}
		}
		return false, nil
	}
	bad, err := e.set(n.Kids[0], env)
	if err != nil {
		return false, err
	}
	_, in, err := e.nearest(slice, target, e.noneBetween(slice, bad))
	return in, err
}

// some reports whether is holds for one of the sets whose union is that of a node. The sets of a
// quantifier's tasks are not united: they need not be down-sets, and then uniting them takes time
// quadratic in their number.
func (e *evaluator) some(n *formula.Node, env []san.Task, holds func(slices.Set) (bool, error)) (bool, error) {
	if n.Kind != formula.Exists || n.Complement {
		s, err := e.set(n, env)
		if err != nil {
			return false, err
		}
		return holds(s)
	}
	outer := env[n.Slot]
	defer func() { env[n.Slot] = outer }()
	for _, t := range e.tasks {
		env[n.Slot] = t
		if ok, err := e.some(n.Kids[0], env, holds); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// nearest returns a slice of the set strictly above the given one for which fits holds, with few
// actions. It examines the least such slice of each interval, which suffices for until: every slice
// between the given one and that one is also below every other such slice of the interval.
func (e *evaluator) nearest(
	slice slices.Ideal, set slices.Set, fits func(slices.Ideal) (bool, error),
) (best slices.Ideal, found bool, err error) {
	plain, err := set.WithoutRanks(e.budget)
	if err != nil {
		return best, false, err
	}
	for _, iv := range plain.Intervals() {
		for _, at := range e.leastAbove(slice, iv) {
			if found && at.Size() >= best.Size() {
				continue
			}
			fit, err := fits(at)
			if err != nil {
				return best, false, err
			}
			if fit {
				best, found = at, true
			}
		}
	}
	return best, found, nil
}

// leastAbove returns the minimal slices of the interval, without ranks, that are strictly above the
// given one.
func (e *evaluator) leastAbove(slice slices.Ideal, iv slices.Interval) []slices.Ideal {
	if !slice.Leq(iv.Hi) {
		return nil
	}
	if !iv.Lo.Leq(slice) {
		return []slices.Ideal{slice.Join(iv.Lo)}
	}
	var least []slices.Ideal
	for _, a := range e.lat.Enabled(slice) {
		if iv.Hi.Has(a) {
			least = append(least, e.lat.Fire(slice, a))
		}
	}
	return least
}

// acceptAll accepts every slice.
func acceptAll(slices.Ideal) (bool, error) { return true, nil }

// noneBetween returns a function that reports whether bad has no slice strictly between from and
// another one.
func (e *evaluator) noneBetween(from slices.Ideal, bad slices.Set) func(to slices.Ideal) (bool, error) {
	return func(to slices.Ideal) (bool, error) {
		between, err := e.between(from, to, bad)
		return between.IsEmpty(), err
	}
}

// between returns the slices of the set strictly between from and to.
func (e *evaluator) between(from, to slices.Ideal, set slices.Set) (slices.Set, error) {
	between, err := e.lat.Set(slices.Interval{Lo: from, Hi: to}).Intersect(e.budget, set)
	if err != nil {
		return between, err
	}
	ends := e.lat.Set(slices.Interval{Lo: from, Hi: from}, slices.Interval{Lo: to, Hi: to})
	return between.Minus(e.budget, ends)
}
