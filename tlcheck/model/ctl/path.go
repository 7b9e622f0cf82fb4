package ctl

import "github.com/antichain-go/antichain/tlcheck/model/temporal"

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
