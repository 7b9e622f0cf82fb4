package ctl

import (
	"context"
	"iter"
	"math/big"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Checker decides formulas on one transition system. Only one goroutine may use it.
type Checker interface {
	// Check labels the states with f and its subformulas. An error is a *temporal.NameError, or the
	// cause of the end of the context.
	Check(ctx context.Context, f *temporal.Formula) (*Result, error)
	// System has the states that a Result speaks of.
	System() kripke.System
}

// New returns a checker of a graph. Every path has to be infinite: a state without moves is a
// *kripke.DeadEndError.
func New(g *kripke.Graph, fairness kripke.Fairness) (Checker, error) {
	if err := g.Total(); err != nil {
		return nil, err
	}
	return NewOnSpace(newGraph(g, fairness)), nil
}

// NewOnSpace returns a checker of a space.
func NewOnSpace[S any](space Space[S]) Checker {
	return &checker[S]{Space: space, empty: space.Minus(space.Every(), space.Every())}
}

type checker[S any] struct {
	Space[S]
	empty S
}

// Result has the states in which a formula is true.
type Result struct {
	Holds bool // in all initial states
	// the first initial state in which the formula is false, else the first one
	Witness kripke.State
	// a fair path begins in Witness; otherwise every E is false there and every A is true
	Fair   bool
	Count  *big.Int // number of states in which the formula is true; nil if unknown
	States *big.Int // number of all states; nil if unknown

	labels interface {
		all() iter.Seq2[kripke.State, error]
		evidence(ctx context.Context, s kripke.State) (*Evidence, error)
	}
}

// All yields the states in which the formula is true. If there is an error, it comes last.
func (r *Result) All() iter.Seq2[kripke.State, error] { return r.labels.all() }

// Evidence explains why the formula is true or false in s. An error is the cause of the end of the
// context.
func (r *Result) Evidence(ctx context.Context, s kripke.State) (*Evidence, error) {
	return r.labels.evidence(ctx, s)
}

func (c *checker[S]) Check(ctx context.Context, f *temporal.Formula) (*Result, error) {
	ts, err := termsOf(c.System(), f)
	if err != nil {
		return nil, err
	}
	l := &labels[S]{checker: c, terms: ts}
	r := &Result{labels: l}
	err = c.Within(ctx, func() error {
		for _, t := range ts.list {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			states, err := l.label(t)
			if err != nil {
				return err
			}
			l.states = append(l.states, states)
		}
		initial := c.System().Initial()
		i := slices.IndexFunc(initial, func(s kripke.State) bool { return !c.Has(l.last(), s) })
		r.Holds, r.Witness = i < 0, initial[max(i, 0)]
		r.Fair = c.Has(c.Fair(), r.Witness)
		r.Count, r.States = c.Count(l.last()), c.Count(c.Every())
		return nil
	})
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// labels has the states in which the terms of a formula are true.
type labels[S any] struct {
	*checker[S]
	terms  *terms
	states []S // of each term
}

// last returns the states in which the formula itself is true.
func (l *labels[S]) last() S { return l.states[len(l.states)-1] }

func (l *labels[S]) all() iter.Seq2[kripke.State, error] { return l.All(l.last()) }

// label returns the states in which a term is true. Its operands must be labelled.
func (l *labels[S]) label(t term) (S, error) {
	switch t.op {
	case temporal.True:
		return l.Every(), nil
	case temporal.False:
		return l.empty, nil
	case temporal.Atomic:
		return l.Where(t.atom), nil
	case temporal.EX:
		return l.Preimage(t.process, l.And(l.states[t.x], l.Fair()))
	case temporal.AX:
		some, err := l.Preimage(t.process, l.Minus(l.Fair(), l.states[t.x]))
		if err != nil {
			return some, err
		}
		return l.not(some), nil
	}
	if t.op < temporal.EX {
		return l.connective(t), nil
	}
	p := l.paths(t)
	exists, err := p.exists(l.checker)
	if p.some || err != nil {
		return exists, err
	}
	return l.not(exists), nil
}

func (l *labels[S]) connective(t term) S {
	x := l.states[t.x]
	if t.op == temporal.Not {
		return l.not(x)
	}
	y := l.states[t.y]
	switch t.op {
	case temporal.And:
		return l.And(x, y)
	case temporal.Or:
		return l.Or(x, y)
	case temporal.Implies:
		return l.Or(l.not(x), y)
	}
	return l.Or(l.And(x, y), l.not(l.Or(x, y))) // Iff
}

func (c *checker[S]) not(x S) S { return c.Minus(c.Every(), x) }

// paths describes paths that stay in states of during until one of goal is reached. All temporal
// operators except EX, AX, EGF and AFG assert or deny that such a path exists.
type paths[S any] struct {
	some            bool // such a path makes the formula true; otherwise it makes it false
	during          S
	goal            S
	forever         bool // a path may also stay in during for ever
	infinitelyOften bool // goal is visited infinitely often

	on, at []int // terms to explain: in each state before the goal, and in the goal
}

// paths returns the paths that t asserts or denies.
func (l *labels[S]) paths(t term) *paths[S] {
	x := l.states[t.x]
	switch t.op {
	case temporal.EF:
		return &paths[S]{some: true, during: l.Every(), goal: x, at: []int{t.x}}
	case temporal.AG:
		return &paths[S]{during: l.Every(), goal: l.not(x), at: []int{t.x}}
	case temporal.EG:
		return &paths[S]{some: true, during: x, goal: l.empty, forever: true, on: []int{t.x}}
	case temporal.AF:
		return &paths[S]{during: l.not(x), goal: l.empty, forever: true, on: []int{t.x}}
	case temporal.EGF:
		return &paths[S]{some: true, during: l.Every(), goal: x, infinitelyOften: true, at: []int{t.x}}
	case temporal.AFG:
		return &paths[S]{during: l.Every(), goal: l.not(x), infinitelyOften: true, at: []int{t.x}}
	}
	return l.binary(t)
}

func (l *labels[S]) binary(t term) *paths[S] {
	x, y := l.states[t.x], l.states[t.y]
	both := []int{t.x, t.y}
	switch t.op {
	case temporal.EU:
		return &paths[S]{some: true, during: x, goal: y, on: both[:1], at: both[1:]}
	case temporal.AR:
		return &paths[S]{during: l.not(x), goal: l.not(y), on: both[:1], at: both[1:]}
	case temporal.EW:
		return &paths[S]{some: true, during: x, goal: y, forever: true, on: both[:1], at: both[1:]}
	case temporal.AU:
		return &paths[S]{during: l.not(y), goal: l.not(l.Or(x, y)), forever: true, on: both[1:], at: both}
	case temporal.ER:
		return &paths[S]{some: true, during: y, goal: l.And(x, y), forever: true, on: both[1:], at: both}
	}
	return &paths[S]{during: l.not(y), goal: l.not(l.Or(x, y)), on: both[1:], at: both} // AW
}

// exists returns the states in which such a path begins and is fair.
func (p *paths[S]) exists(c *checker[S]) (S, error) {
	if p.infinitelyOften {
		return c.InfinitelyOften(p.during, p.goal)
	}
	goal := c.And(p.goal, c.Fair())
	if p.forever {
		return c.WeakUntil(p.during, goal)
	}
	return c.Until(p.during, goal)
}
