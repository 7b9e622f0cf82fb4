package ctl

import (
	"context"
	"math/big"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Evidence explains why a formula is true or false in a state.
//
// A single path shows that E is true or that A is false. The path is as short as possible (see
// Space.ShortestPath). If it must be infinite, it ends in a loop, and is fair. Where operands are
// temporal themselves, Evidence explains them on the path, which makes a tree. No single path shows
// that E is false or that A is true; then AllPaths is set, and States counts the states that were
// examined.
type Evidence struct {
	Formula *temporal.Formula
	State   kripke.State
	Holds   bool

	Path []Step // the steps from State
	// index of the step of Path at which the repeated part begins; -1 if the path is finite
	Loop int
	// AllPaths reports that there is no such path. States is how many states were examined; nil if
	// that is unknown.
	AllPaths bool
	Looked   *big.Int

	Because []*Evidence // evidence for operands, in State or in states of Path
	Omitted bool        // the same evidence stands elsewhere in the tree, or the tree is too large
}

// MaxEvidence is the limit of reasons in a tree of Evidence.
const MaxEvidence = 256

func (l *labels[S]) evidence(ctx context.Context, s kripke.State) (e *Evidence, err error) {
	x := &explanation[S]{labels: l, explained: map[claim]bool{}, queries: map[int]*pathQuery[S]{}}
	err = l.Within(ctx, func() (err error) {
		e, err = x.explain(len(l.states)-1, s)
		return err
	})
	return e, err
}

type explanation[S any] struct {
	*labels[S]
	explained map[claim]bool
	queries   map[int]*pathQuery[S] // by term
}

// claim is the value of a term in a state.
type claim struct {
	term  int
	state kripke.State
}

// pathQuery finds the paths of a term. It computes only once whatever its searches share.
type pathQuery[S any] struct {
	*paths[S]
	lassos func(kripke.State) (Lasso, error) // nil until the first one is needed
}

func (x *explanation[S]) explain(n int, s kripke.State) (*Evidence, error) {
	e := &Evidence{Formula: x.terms.written[n], State: s, Holds: x.Has(x.states[n], s), Loop: -1}
	t := x.terms.list[n]
	if !x.terms.temporal[n] {
		return e, nil
	}
	if x.explained[claim{n, s}] || len(x.explained) == MaxEvidence {
		e.Omitted = true
		return e, nil
	}
	x.explained[claim{n, s}] = true
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

// decisive returns the operands that determine the value of a connective in s.
func (x *explanation[S]) decisive(t term, s kripke.State) []int {
	if t.op == temporal.Not {
		return []int{t.x}
	}
	p, q := x.Has(x.states[t.x], s), x.Has(x.states[t.y], s)
	var one bool // either operand, if it has the value of the term
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

func (x *explanation[S]) step(e *Evidence, t term) error {
	some := x.Minus(x.Fair(), x.states[t.x])
	if t.op == temporal.EX {
		some = x.And(x.Fair(), x.states[t.x])
	}
	moves, err := x.System().Moves(nil, e.State)
	if err != nil {
		panic(err) // all moves were computed before, so this cannot fail
	}
	moves = slices.DeleteFunc(moves, func(m kripke.Move) bool {
		return t.process != AnyProcess && t.process != m.Process
	})
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

func (x *explanation[S]) path(e *Evidence, n int) error {
	p := x.queryOf(n)
	if e.Holds != p.some {
		e.AllPaths, e.Looked = true, x.Reached(e.State, p.during)
		return nil
	}
	if !p.infinitelyOften {
		way, ok, err := x.ShortestPath(e.State, p.during, x.And(p.goal, x.Fair()))
		if err != nil {
			return err
		}
		if ok {
			e.Path = way
			return x.explainAlong(e, p, len(way))
		}
	}
	l, err := x.lasso(p, e.State)
	if err != nil {
		return err
	}
	e.Path, e.Loop = l.Steps, l.Loop
	if p.infinitelyOften {
		return x.explainAlong(e, p, l.Loop)
	}
	return x.explainAlong(e, p, -1)
}

// lasso returns an infinite path from a state that shows a term.
func (x *explanation[S]) lasso(p *pathQuery[S], from kripke.State) (Lasso, error) {
	if p.lassos == nil {
		goal := p.during
		if p.infinitelyOften {
			goal = p.goal
		}
		var err error
		if p.lassos, err = x.Lassos(p.during, goal); err != nil {
			return Lasso{}, err
		}
	}
	return p.lassos(from)
}

func (x *explanation[S]) queryOf(n int) *pathQuery[S] {
	if x.queries[n] == nil {
		x.queries[n] = &pathQuery[S]{paths: x.paths(x.terms.list[n])}
	}
	return x.queries[n]
}

// explainAlong explains the operands in the states of a path. goal is the index of the step into
// the goal;
// -1 if there is none. Propositions are visible in the states, so only those in the goal are
// explained.
func (x *explanation[S]) explainAlong(e *Evidence, p *pathQuery[S], goal int) error {
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
