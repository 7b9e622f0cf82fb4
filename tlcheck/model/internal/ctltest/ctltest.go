// Package ctltest verifies the evidence of CTL results in tests.
package ctltest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Witness checks evidence against the definitions of the operators.
type Witness struct {
	System   kripke.System
	Fairness kripke.Fairness
	Holds    func(*temporal.Formula, kripke.State) bool // the expected truth
	T        rapid.TB
}

// Check fails the test if the evidence does not show its claim.
func (w *Witness) Check(e *ctl.Evidence) {
	if e.Holds != w.Holds(e.Formula, e.State) {
		w.T.Fatalf("%s is said to be %v in state %d", e.Formula, e.Holds, e.State)
	}
	visited := []kripke.State{e.State}
	for _, s := range e.Path {
		if !w.hasMove(visited[len(visited)-1], kripke.Move{To: s.To, Process: s.Process}) {
			w.T.Fatalf("%s: no move from %d to %d", e.Formula, visited[len(visited)-1], s.To)
		}
		visited = append(visited, s.To)
	}
	for _, b := range e.Because {
		w.Check(b)
	}
	if e.Loop >= 0 {
		w.checkLoop(e, visited)
	}
	if e.Formula.Op >= temporal.EX && !e.Omitted {
		w.checkPath(e, visited)
	}
	if e.Formula.Op < temporal.EX && !e.Omitted {
		w.checkConnective(e)
	}
}

func (w *Witness) moves(from kripke.State) []kripke.Move {
	moves, err := w.System.Moves(nil, from)
	if err != nil {
		w.T.Fatal(err)
	}
	return moves
}

func (w *Witness) hasMove(from kripke.State, move kripke.Move) bool {
	for _, m := range w.moves(from) {
		if m.To == move.To && m.Process == move.Process {
			return true
		}
	}
	return false
}

// checkLoop checks that the loop closes, and is fair.
func (w *Witness) checkLoop(e *ctl.Evidence, visited []kripke.State) {
	if e.Loop >= len(e.Path) || visited[e.Loop] != visited[len(visited)-1] {
		w.T.Fatalf("%s: no loop from step %d of %v", e.Formula, e.Loop, e.Path)
	}
	for p := range w.System.Processes() {
		moves, able, unable := false, false, false
		for i, s := range e.Path[e.Loop:] {
			moves = moves || int(s.Process) == p
			here := false
			for _, m := range w.moves(visited[e.Loop+i]) {
				here = here || int(m.Process) == p
			}
			able, unable = able || here, unable || !here
		}
		switch {
		case moves, w.Fairness == kripke.Unfair, w.Fairness == kripke.Weak && unable,
			w.Fairness == kripke.Strong && !able:
		default:
			w.T.Fatalf("%s: the loop %v is unfair to %s", e.Formula, e.Path[e.Loop:], w.System.Processes()[p])
		}
	}
}

// checkPath checks that the path satisfies an E, or violates an A.
func (w *Witness) checkPath(e *ctl.Evidence, visited []kripke.State) {
	f := e.Formula
	if e.AllPaths {
		if len(e.Path) > 0 {
			w.T.Fatalf("%s: a path where none is", f)
		}
		return
	}
	last := visited[len(visited)-1]
	before, loop := visited[:len(visited)-1], e.Loop >= 0
	every := func(states []kripke.State, f *temporal.Formula, value bool) bool {
		for _, s := range states {
			if w.Holds(f, s) != value {
				return false
			}
		}
		return true
	}
	ok := false
	switch f.Op {
	case temporal.EX, temporal.AX:
		ok = len(e.Path) == 1 && w.Holds(f.X, last) == e.Holds &&
			(f.Process == "" || w.System.Processes()[e.Path[0].Process] == f.Process)
	case temporal.EF:
		ok = w.Holds(f.X, last)
	case temporal.AG:
		ok = !w.Holds(f.X, last)
	case temporal.EG:
		ok = loop && every(visited, f.X, true)
	case temporal.AF:
		ok = loop && every(visited, f.X, false)
	case temporal.EGF:
		ok = loop && !every(visited[e.Loop:], f.X, false)
	case temporal.AFG:
		ok = loop && !every(visited[e.Loop:], f.X, true)
	case temporal.EU:
		ok = every(before, f.X, true) && w.Holds(f.Y, last)
	case temporal.EW:
		ok = every(before, f.X, true) && (loop || w.Holds(f.Y, last))
	case temporal.ER:
		ok = every(visited, f.Y, true) && (loop || w.Holds(f.X, last))
	case temporal.AU:
		ok = every(visited, f.Y, false) && (loop || !w.Holds(f.X, last))
	case temporal.AR:
		ok = every(before, f.X, false) && !w.Holds(f.Y, last)
	case temporal.AW:
		ok = every(visited, f.Y, false) && !w.Holds(f.X, last)
	}
	if !loop {
		ok = ok && slices.ContainsFunc(e.Because, func(b *ctl.Evidence) bool {
			return b.State == last && w.operand(f, b.Formula)
		})
	}
	someHolds := f.Op == temporal.EX || f.Op == temporal.EF || f.Op == temporal.EG || f.Op == temporal.EGF ||
		f.Op == temporal.EU || f.Op == temporal.ER || f.Op == temporal.EW
	if !ok || e.Holds != someHolds {
		w.T.Fatalf("%s is %v in state %d: the path %v with loop %d does not show it", f, e.Holds, e.State,
			e.Path, e.Loop)
	}
}

func (w *Witness) operand(f, operand *temporal.Formula) bool {
	return operand.String() == f.X.String() || f.Y != nil && operand.String() == f.Y.String()
}

// checkConnective checks that the explained operands determine the value.
func (w *Witness) checkConnective(e *ctl.Evidence) {
	f := e.Formula
	said := map[*temporal.Formula]bool{}
	for _, b := range e.Because {
		if b.State != e.State {
			w.T.Fatalf("%s: an operand in another state", f)
		}
		said[b.Formula] = true
	}
	if len(said) == 0 || len(said) == 2 {
		return // a leaf, or only one operand
	}
	b := e.Because[0]
	one := func(f *temporal.Formula, value bool) bool {
		return b.Formula.String() == f.String() && b.Holds == value
	}
	ok := false
	switch f.Op {
	case temporal.Not:
		ok = one(f.X, !e.Holds)
	case temporal.And:
		ok = !e.Holds && (one(f.X, false) || one(f.Y, false))
	case temporal.Or:
		ok = e.Holds && (one(f.X, true) || one(f.Y, true))
	case temporal.Implies:
		ok = e.Holds && (one(f.X, false) || one(f.Y, true))
	}
	if f.Y != nil && f.X.String() == f.Y.String() {
		ok = true
	}
	if !ok {
		w.T.Fatalf("%s is %v in state %d, which one operand does not decide", f, e.Holds, e.State)
	}
}
