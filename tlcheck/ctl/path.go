package ctl

import (
	"github.com/antichain-go/antichain/tlcheck/kripke"
	"github.com/antichain-go/antichain/tlcheck/temporal"
)

// paths is what an operator asks of a path, or forbids: to stay in states of during until one of goal is there. All other operators than
// EX, AX, EGF and AFG are about such paths.
type paths struct {
	some    bool // a path is what makes the formula true; otherwise it makes it false
	during  set
	goal    set
	forever bool // a path may also stay in during for ever
	again   bool // goal again and again

	on, at []int // terms that show it: in each state before the goal, and in that of the goal
}

// paths returns what t asks of paths.
func (r *Result) paths(t term) *paths {
	c, x := r.checker, r.labels[t.x]
	notX := func() set { return c.not(x) }
	switch t.op {
	case temporal.EF:
		return &paths{some: true, during: c.every, goal: x, at: []int{t.x}}
	case temporal.AG:
		return &paths{during: c.every, goal: notX(), at: []int{t.x}}
	case temporal.EG:
		return &paths{some: true, during: x, goal: c.empty, forever: true, on: []int{t.x}}
	case temporal.AF:
		return &paths{during: notX(), goal: c.empty, forever: true, on: []int{t.x}}
	case temporal.EGF:
		return &paths{some: true, during: c.every, goal: x, again: true, at: []int{t.x}}
	case temporal.AFG:
		return &paths{during: c.every, goal: notX(), again: true, at: []int{t.x}}
	}
	return r.binary(t)
}

func (r *Result) binary(t term) *paths {
	c, x, y := r.checker, r.labels[t.x], r.labels[t.y]
	both := []int{t.x, t.y}
	switch t.op {
	case temporal.EU:
		return &paths{some: true, during: x, goal: y, on: both[:1], at: both[1:]}
	case temporal.AR:
		return &paths{during: c.not(x), goal: c.not(y), on: both[:1], at: both[1:]}
	case temporal.EW:
		return &paths{some: true, during: x, goal: y, forever: true, on: both[:1], at: both[1:]}
	case temporal.AU:
		return &paths{during: c.not(y), goal: c.not(or(x, y)), forever: true, on: both[1:], at: both}
	case temporal.ER:
		return &paths{some: true, during: y, goal: and(x, y), forever: true, on: both[1:], at: both}
	}
	return &paths{during: c.not(y), goal: c.not(or(x, y)), on: both[1:], at: both} // AW
}

// exists returns the states in which such a path begins.
func (p *paths) exists(c *Checker) set {
	switch {
	case p.again:
		return c.untilSome(p.during, c.cycles(p.during, p.goal))
	case !p.forever:
		return c.untilSome(p.during, p.goal)
	case c.fairness == kripke.Unfair:
		return c.releaseSome(p.goal, or(p.during, p.goal))
	}
	return c.untilSome(p.during, or(p.goal, c.cycles(p.during, p.during)))
}
