package ctl

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/kripke"
	"github.com/antichain-go/antichain/tlcheck/temporal"
)

// Checker decides formulas on one graph. It is for one goroutine.
type Checker struct {
	graph    *kripke.Graph
	fairness kripke.Fairness

	every set // all states
	empty set
	fair  set // the states in which a fair path begins

	moves []int32 // of each state, while a release counts them
}

// New returns a checker. Every path has to go on for ever: a state without moves is a *kripke.DeadEndError.
func New(g *kripke.Graph, fairness kripke.Fairness) (*Checker, error) {
	if err := g.Total(); err != nil {
		return nil, err
	}
	n := g.States()
	c := &Checker{graph: g, fairness: fairness, every: newSet(n), empty: newSet(n), moves: make([]int32, n)}
	for s := range kripke.State(n) {
		c.every.add(s)
	}
	c.fair = c.every
	if fairness != kripke.Unfair {
		c.fair = c.untilSome(c.every, c.cycles(c.every, c.every))
	}
	return c, nil
}

// Result says where a formula is true.
type Result struct {
	Holds   bool         // in all initial states
	Witness kripke.State // the first initial state in which the formula is false, else the first one

	checker *Checker
	terms   *terms
	labels  []set // of each term, where it is true
}

// Check labels the states with f and its subformulas. An error is a *temporal.NameError, or the cause why the context has ended.
func (c *Checker) Check(ctx context.Context, f *temporal.Formula) (*Result, error) {
	ts, err := termsOf(c.graph, f)
	if err != nil {
		return nil, err
	}
	r := &Result{checker: c, terms: ts}
	for _, t := range ts.list {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r.labels = append(r.labels, r.label(t))
	}
	initial := c.graph.Initial()
	i := slices.IndexFunc(initial, func(s kripke.State) bool { return !r.In(s) })
	r.Holds, r.Witness = i < 0, initial[max(i, 0)]
	return r, nil
}

// In reports whether the formula is true in s.
func (r *Result) In(s kripke.State) bool { return r.labels[len(r.labels)-1].has(s) }

// Count returns the number of states in which the formula is true.
func (r *Result) Count() int { return r.labels[len(r.labels)-1].count() }

// States returns the states in which the formula is true.
func (r *Result) States() []kripke.State {
	return slices.AppendSeq(make([]kripke.State, 0, r.Count()), r.labels[len(r.labels)-1].all())
}

// Fair reports whether a fair path begins in s. Where none does, all that E claims is false, and all that A claims is true.
func (c *Checker) Fair(s kripke.State) bool { return c.fair.has(s) }

// label returns where a term is true, whose operands have their labels.
func (r *Result) label(t term) set {
	c := r.checker
	switch t.op {
	case temporal.True:
		return c.every
	case temporal.False:
		return c.empty
	case temporal.Atomic:
		return c.where(t.atom)
	case temporal.EX:
		return c.nextSome(t.process, r.labels[t.x])
	case temporal.AX:
		return c.not(c.nextSome(t.process, c.not(r.labels[t.x])))
	}
	if t.op < temporal.EX {
		return r.connective(t)
	}
	p := r.paths(t)
	exists := p.exists(c)
	if p.some {
		return exists
	}
	return c.not(exists)
}

func (r *Result) connective(t term) set {
	c, x := r.checker, r.labels[t.x]
	if t.op == temporal.Not {
		return c.not(x)
	}
	y := r.labels[t.y]
	switch t.op {
	case temporal.And:
		return and(x, y)
	case temporal.Or:
		return or(x, y)
	case temporal.Implies:
		return or(c.not(x), y)
	}
	return or(and(x, y), c.not(or(x, y))) // Iff
}

// where returns the states with an atom.
func (c *Checker) where(a kripke.Atom) set {
	r := newSet(c.graph.States())
	for s := range kripke.State(c.graph.States()) {
		if c.graph.Holds(a, s) {
			r.add(s)
		}
	}
	return r
}

func (c *Checker) not(x set) set { return minus(c.every, x) }

// Graph returns the graph.
func (c *Checker) Graph() *kripke.Graph { return c.graph }
