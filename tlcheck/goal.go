package tlcheck

import (
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// "p until q" of a local p and a conjunction q of local predicates can also be computed without the
// slices in which p is false. Slices one action before q satisfy it. For the others, let I be such
// a slice and J one of q with more than one action beyond it. In all slices strictly between, the
// task of p is in one row of states in which p is not false. Let E enter the row and X leave it.
// There may be no E, and no X.
//
//	E in I, X not in J    any I with E strictly below the greatest slice of q without X
//	E not in I            all that J has beyond I is E or comes after it, so I is J without that
//	X in J                all that J has beyond I is X or comes before it, so J is I with that
//
// For an interval [a,b] of q each of these yields an interval of slices I. The last one adds
// nothing unless X is in a: otherwise J without X suffices.

// stretches returns the rows of states in which a local node is not true, with the actions at their
// ends.
func (e *evaluator) stretches(bad *formula.Node, t san.Task) []mark {
	return e.marksOf(&e.memos[bad.Number].stretches, t, func() []span {
		return complementSpans(e.net, t, e.spans(bad, t))
	})
}

// conjunctiveUntil returns the set of an until whose left side is local. goal has the slices in
// which the right side is true: those in which the tracks' tasks are in their spans.
func (e *evaluator) conjunctiveUntil(
	bad *formula.Node, tracks []track, goal slices.Set, env []san.Task,
) (slices.Set, error) {
	s, err := goal.Next(e.budget)
	if err != nil {
		return s, err
	}
	var ivs []slices.Interval
	err = e.farFromGoal(bad, tracks, goal, env, func(iv slices.Interval) error {
		ivs = append(ivs, iv)
		return e.budget.Allow(len(ivs))
	})
	if err != nil {
		return s, err
	}
	return s.Union(e.budget, e.lat.Set(ivs...))
}

// farFromGoal calls yield with intervals of the until's slices. Together they have all of these but
// those one action before the goal.
func (e *evaluator) farFromGoal(
	bad *formula.Node, tracks []track, goal slices.Set, env []san.Task, yield func(slices.Interval) error,
) (err error) {
	keep := func(lo, hi slices.Ideal) {
		if err == nil && lo.Leq(hi) {
			err = yield(slices.Interval{Lo: lo, Hi: hi})
		}
	}
	for _, g := range e.stretches(bad, env[bad.Free[0]]) {
		below, failed := e.belowGoal(&g, tracks)
		if failed != nil {
			return failed
		}
		for _, iv := range below.Intervals() {
			if err := yield(iv); err != nil {
				return err
			}
		}
		for _, q := range goal.Intervals() {
			g.fromEntry(q, keep)
			g.toExit(e.lat, q, keep)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// belowGoal returns the slices with the entry strictly below the greatest slice of the goal without
// the exit.
func (e *evaluator) belowGoal(g *mark, tracks []track) (slices.Set, error) {
	last, ok, err := greatest(e.budget, e.lat, tracks, g.withoutExit)
	if !ok || err != nil || !g.belowEntry.Leq(last) {
		return e.none, err
	}
	s, err := e.lat.Set(slices.Interval{Hi: last}).Sometime(e.budget)
	if err != nil {
		return s, err
	}
	return s.Intersect(e.budget, e.lat.Set(slices.Interval{Lo: g.belowEntry, Hi: last}))
}

// fromEntry keeps the slices from which the entry and the actions after it lead to the interval of
// the goal, without the exit.
func (g *mark) fromEntry(goal slices.Interval, keep func(lo, hi slices.Ideal)) {
	lo, hi := goal.Lo.Join(g.belowEntry), goal.Hi.Meet(g.withoutExit)
	if g.starts && lo.Leq(hi) {
		keep(lo.Meet(g.withoutEntry), hi.Meet(g.withoutEntry))
	}
}

// toExit keeps the slices from which the exit and the actions before it lead to the interval of the
// goal: all of these actions are within the stretch, or include its entry.
func (g *mark) toExit(lat *slices.Lattice, goal slices.Interval, keep func(lo, hi slices.Ideal)) {
	if !g.ends || !goal.Lo.Has(g.exit) {
		return
	}
	var lo slices.Ideal // what the goal needs and the exit does not bring
	for _, a := range lat.Maximal(goal.Lo) {
		if !g.belowExit.Has(a) {
			lo = lo.Join(lat.Down(a))
		}
	}
	keep(lo.Join(g.belowEntry), goal.Hi.Meet(g.withoutExit))
	if g.starts {
		keep(lo.Join(g.belowExit.Meet(g.withoutEntry)), goal.Hi.Meet(g.withoutEntry))
	}
}
