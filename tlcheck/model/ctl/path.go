package ctl

import "github.com/antichain-go/antichain/tlcheck/model/temporal"

// paths is what an operator asks of a path, or forbids: to stay in states of during until one of goal is there. All other operators than
// EX, AX, EGF and AFG are about such paths.
type paths[S any] struct {
	some    bool // a path is what makes the formula true; otherwise it makes it false
	during  S
	goal    S
	forever bool // a path may also stay in during for ever
	again   bool // goal again and again

	on, at []int // terms that show it: in each state before the goal, and in that of the goal
}

// paths returns what t asks of paths.
func (l *labels[S]) paths(t term) *paths[S] {
	x := l.of[t.x]
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
		return &paths[S]{some: true, during: l.Every(), goal: x, again: true, at: []int{t.x}}
	case temporal.AFG:
		return &paths[S]{during: l.Every(), goal: l.not(x), again: true, at: []int{t.x}}
	}
	return l.binary(t)
}

func (l *labels[S]) binary(t term) *paths[S] {
	x, y := l.of[t.x], l.of[t.y]
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

// exists returns the states in which such a path begins that is fair.
func (p *paths[S]) exists(c *checker[S]) (S, error) {
	if p.again {
		return c.Again(p.during, p.goal)
	}
	goal := c.And(p.goal, c.Fair())
	if p.forever {
		return c.WeakUntil(p.during, goal)
	}
	return c.Until(p.during, goal)
}
