package ctl

import (
	"context"
	"math/big"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Evidence says why a formula is true or false in a state.
//
// What some path shows is shown by one: that E is true, and that A is false. The path is as short as such paths can be (see
// Space.Way), or if it must be infinite, it ends in a loop; then it is fair. Where operands are temporal themselves, they are true or false on the path
// for reasons that are Evidence again, so a tree grows. What only all paths together show has no such path, but the number of states
// that had to be looked at.
type Evidence struct {
	Formula *temporal.Formula
	State   kripke.State
	Holds   bool

	Path []Step // from State
	Loop int    // the steps of Path from this one on are repeated for ever; -1 if they are not
	// AllPaths says that there is no such path: all were looked at, in so many states; nil if that is not known.
	AllPaths bool
	Looked   *big.Int

	Because []*Evidence // of operands, in State or in states of Path
	Omitted bool        // the same has been said before, or the tree is too large
}

// MaxEvidence is how many reasons a tree of Evidence has at most.
const MaxEvidence = 256

func (l *labels[S]) evidence(ctx context.Context, s kripke.State) (e *Evidence, err error) {
	x := &explanation[S]{labels: l, told: map[claim]bool{}, asked: map[int]*pathQuery[S]{}}
	err = l.Within(ctx, func() (err error) {
		e, err = x.explain(len(l.of)-1, s)
		return err
	})
	return e, err
}

// explanation makes a tree of evidence.
type explanation[S any] struct {
	*labels[S]
	told  map[claim]bool
	asked map[int]*pathQuery[S] // by term
}

// claim is that a term has the value that it has in a state.
type claim struct {
	term  int
	state kripke.State
}

// pathQuery finds the paths that a term speaks about. What it needs is computed once.
type pathQuery[S any] struct {
	*paths[S]
	lassos func(kripke.State) (Lasso, error) // nil until one is needed
}

func (x *explanation[S]) explain(n int, s kripke.State) (*Evidence, error) {
	e := &Evidence{Formula: x.terms.written[n], State: s, Holds: x.Has(x.of[n], s), Loop: -1}
	t := x.terms.list[n]
	if !x.terms.temporal[n] {
		return e, nil
	}
	if x.told[claim{n, s}] || len(x.told) == MaxEvidence {
		e.Omitted = true
		return e, nil
	}
	x.told[claim{n, s}] = true
	switch {
	case t.op < temporal.EX:
		for _, n := range x.decisive(t, s) {
			if err := x.add(e, n, s); err != nil {
				return nil, err
			}
		}
		return e, nil
	case t.op == temporal.EX || t.op == temporal.AX:
		return e, x.step(e, t)
	}
	return e, x.path(e, n)
}

func (x *explanation[S]) add(e *Evidence, n int, s kripke.State) error {
	because, err := x.explain(n, s)
	e.Because = append(e.Because, because)
	return err
}

// decisive returns the operands of a connective that make it what it is in s.
func (x *explanation[S]) decisive(t term, s kripke.State) []int {
	if t.op == temporal.Not {
		return []int{t.x}
	}
	p, q := x.Has(x.of[t.x], s), x.Has(x.of[t.y], s)
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
func (x *explanation[S]) step(e *Evidence, t term) error {
	some := x.Minus(x.Fair(), x.of[t.x])
	if t.op == temporal.EX {
		some = x.And(x.Fair(), x.of[t.x])
	}
	moves, err := x.System().Moves(nil, e.State)
	if err != nil {
		panic(err) // the moves of all states have been found before
	}
	moves = slices.DeleteFunc(moves, func(m kripke.Move) bool { return t.process != Anybody && t.process != m.Process })
	if e.Holds == (t.op == temporal.EX) {
		i := slices.IndexFunc(moves, func(m kripke.Move) bool { return x.Has(some, m.To) })
		e.Path = []Step{{Process: moves[i].Process, To: moves[i].To}}
		return x.add(e, t.x, moves[i].To)
	}
	seen := map[kripke.State]bool{}
	e.AllPaths, e.Looked = true, big.NewInt(1)
	for _, m := range moves {
		if x.Has(x.Fair(), m.To) && !seen[m.To] {
			seen[m.To] = true
			if err := x.add(e, t.x, m.To); err != nil {
				return err
			}
		}
	}
	return nil
}

// path explains the other temporal operators.
func (x *explanation[S]) path(e *Evidence, n int) error {
	p := x.ask(n)
	if e.Holds != p.some {
		e.AllPaths, e.Looked = true, x.Reached(e.State, p.during)
		return nil
	}
	if !p.again {
		way, ok, err := x.Way(e.State, p.during, x.And(p.goal, x.Fair()))
		if err != nil {
			return err
		}
		if ok {
			e.Path = way
			return x.along(e, p, len(way))
		}
	}
	l, err := x.lasso(p, e.State)
	if err != nil {
		return err
	}
	e.Path, e.Loop = l.Steps, l.Loop
	if p.again {
		return x.along(e, p, l.Loop)
	}
	return x.along(e, p, -1)
}

// lasso returns an infinite path that a term asks for, from a state.
func (x *explanation[S]) lasso(p *pathQuery[S], from kripke.State) (Lasso, error) {
	if p.lassos == nil {
		goal := p.during
		if p.again {
			goal = p.goal
		}
		var err error
		if p.lassos, err = x.Lassos(p.during, goal); err != nil {
			return Lasso{}, err
		}
	}
	return p.lassos(from)
}

func (x *explanation[S]) ask(n int) *pathQuery[S] {
	if x.asked[n] == nil {
		x.asked[n] = &pathQuery[S]{paths: x.paths(x.terms.list[n])}
	}
	return x.asked[n]
}

// along explains the operands in the states of a path, of which the one after so many steps is that of the goal; -1 if none
// is. What is not temporal can be seen in the states, so it is said of the goal alone.
func (x *explanation[S]) along(e *Evidence, p *pathQuery[S], goal int) error {
	s := e.State
	for i := 0; i != goal; i++ {
		for _, n := range p.on {
			if !x.terms.temporal[n] {
				continue
			}
			if err := x.add(e, n, s); err != nil {
				return err
			}
		}
		if goal < 0 && i == len(e.Path)-1 { // the loop closes
			return nil
		}
		s = e.Path[i].To
	}
	for _, n := range p.at {
		if err := x.add(e, n, s); err != nil {
			return err
		}
	}
	return nil
}
