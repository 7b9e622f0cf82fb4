package ctl

import (
	"github.com/antichain-go/antichain/tlcheck/kripke"
	"github.com/antichain-go/antichain/tlcheck/temporal"
)

// Evidence says why a formula is true or false in a state.
//
// What some path shows is shown by one: that E is true, and that A is false. The path is as short as such paths can be, or if it
// must be infinite, it ends in a loop; then it is fair. Where operands are temporal themselves, they are true or false on the path
// for reasons that are Evidence again, so a tree grows. What only all paths together show has no such path, but the number of states
// that had to be looked at.
type Evidence struct {
	Formula *temporal.Formula
	State   kripke.State
	Holds   bool

	Path   []Step // from State
	Loop   int    // the steps of Path from this one on are repeated for ever; -1 if they are not
	Looked int    // in how many states there is no such path; 0 where there is one, and without temporal operator

	Because []*Evidence // of operands, in State or in states of Path
	Omitted bool        // the same has been said before, or the tree is too large
}

// MaxEvidence is how many reasons a tree of Evidence has at most.
const MaxEvidence = 256

// Evidence returns why the formula is true or false in s.
func (r *Result) Evidence(s kripke.State) *Evidence {
	x := &explanation{Result: r, told: map[claim]bool{}, asked: map[int]*asked{}}
	return x.explain(len(r.labels)-1, s)
}

// explanation makes a tree of evidence.
type explanation struct {
	*Result
	told  map[claim]bool
	asked map[int]*asked // by term
}

// claim is that a term has the value that it has in a state.
type claim struct {
	term  int
	state kripke.State
}

// asked is what a term asks of paths, computed once.
type asked struct {
	*paths
	cycles *components // for lassos
}

func (x *explanation) explain(n int, s kripke.State) *Evidence {
	e := &Evidence{Formula: x.terms.written[n], State: s, Holds: x.labels[n].has(s), Loop: -1}
	t := x.terms.list[n]
	if !x.terms.temporal[n] {
		return e
	}
	if x.told[claim{n, s}] || len(x.told) == MaxEvidence {
		e.Omitted = true
		return e
	}
	x.told[claim{n, s}] = true
	switch {
	case t.op < temporal.EX:
		for _, n := range x.decisive(t, s) {
			x.add(e, n, s)
		}
	case t.op == temporal.EX || t.op == temporal.AX:
		x.step(e, t)
	default:
		x.path(e, n)
	}
	return e
}

func (x *explanation) add(e *Evidence, n int, s kripke.State) {
	e.Because = append(e.Because, x.explain(n, s))
}

// decisive returns the operands of a connective that make it what it is in s.
func (x *explanation) decisive(t term, s kripke.State) []int {
	if t.op == temporal.Not {
		return []int{t.x}
	}
	p, q := x.labels[t.x].has(s), x.labels[t.y].has(s)
	var one bool // of either operand, if it has this value
	switch t.op {
	case temporal.And:
		one = false
	case temporal.Or:
		one = true
	case temporal.Implies:
		p, one = !p, true
	default:
		return []int{t.x, t.y}
	}
	switch {
	case p == one && (q != one || !x.terms.temporal[t.x] || x.terms.temporal[t.y]):
		return []int{t.x}
	case q == one:
		return []int{t.y}
	}
	return []int{t.x, t.y}
}

// step explains EX and AX.
func (x *explanation) step(e *Evidence, t term) {
	c := x.checker
	some := and(x.labels[t.x], c.fair)
	if t.op == temporal.AX {
		some = minus(c.fair, x.labels[t.x])
	}
	if e.Holds == (t.op == temporal.EX) {
		i := c.move(e.State, t.process, some)
		to := c.graph.Successors(e.State)[i]
		e.Path = []Step{{Process: c.graph.MovedBy(e.State)[i], To: to}}
		x.add(e, t.x, to)
		return
	}
	by := c.graph.MovedBy(e.State)
	seen := map[kripke.State]bool{}
	e.Looked = 1
	for i, to := range c.graph.Successors(e.State) {
		if (t.process == anybody || t.process == by[i]) && c.fair.has(to) && !seen[to] {
			seen[to] = true
			x.add(e, t.x, to)
		}
	}
}

// path explains the other temporal operators.
func (x *explanation) path(e *Evidence, n int) {
	p := x.ask(n)
	if e.Holds != p.some {
		w := x.checker.newWalk(p.during.has, func(kripke.State) bool { return false })
		w.way(e.State, 0)
		e.Looked = len(w.order)
		return
	}
	if !p.again {
		goal := func(s kripke.State) bool { return p.goal.has(s) && x.checker.fair.has(s) }
		if way, ok := x.checker.newWalk(p.during.has, goal).way(e.State, 0); ok {
			e.Path = way
			x.along(e, p, len(way))
			return
		}
	}
	goal := p.during
	if p.again {
		goal = p.goal
	}
	if p.cycles == nil {
		p.cycles = x.checker.fairComponents(p.during)
	}
	l := x.checker.lasso(e.State, p.during, goal, p.cycles)
	e.Path, e.Loop = l.steps, l.loop
	if p.again {
		x.along(e, p, l.loop)
	} else {
		x.along(e, p, -1)
	}
}

func (x *explanation) ask(n int) *asked {
	if x.asked[n] == nil {
		x.asked[n] = &asked{paths: x.paths(x.terms.list[n])}
	}
	return x.asked[n]
}

// along explains the operands in the states of a path, of which the one after so many steps is that of the goal; -1 if none
// is. What is not temporal can be seen in the states, so it is said of the goal alone.
func (x *explanation) along(e *Evidence, p *asked, goal int) {
	s := e.State
	for i := 0; i != goal; i++ {
		for _, n := range p.on {
			if x.terms.temporal[n] {
				x.add(e, n, s)
			}
		}
		if goal < 0 && i == len(e.Path)-1 { // the loop closes
			return
		}
		s = e.Path[i].To
	}
	for _, n := range p.at {
		x.add(e, n, s)
	}
}
