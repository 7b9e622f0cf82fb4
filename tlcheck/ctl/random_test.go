package ctl_test

import (
	"context"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/ctl"
	"github.com/antichain-go/antichain/tlcheck/kripke"
	"github.com/antichain-go/antichain/tlcheck/temporal"
	"github.com/antichain-go/antichain/tlcheck/temporal/temporaltest"
)

// TestLabelsAreFixpoints compares the labels with the definitions, and looks at the evidence.
func TestLabelsAreFixpoints(t *testing.T) {
	formula := temporaltest.Formula(temporal.CTL, temporaltest.Atoms(names...), 4)
	rapid.Check(t, func(t *rapid.T) {
		m := structures(6).Draw(t, "structure")
		fairness := rapid.SampledFrom([]kripke.Fairness{kripke.Unfair, kripke.Unfair, kripke.Weak, kripke.Strong, kripke.Process}).Draw(t, "fairness")
		c, ref := checker(t, m, fairness), newReference(m, fairness)
		for range 20 {
			compare(t, c, ref, formula.Draw(t, "formula"))
		}
	})
}

// TestFairCycles asks for nothing but cycles, of many structures.
func TestFairCycles(t *testing.T) {
	var formulas []*temporal.Formula
	for _, text := range []string{"EG true", "EG (a | b)", "AF a", "EGF a", "EGF (a & b)", "AFG (a | b)", "A[a U b]"} {
		formulas = append(formulas, parse(t, text))
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			m := structures(5).Draw(t, "structure")
			for _, fairness := range []kripke.Fairness{kripke.Weak, kripke.Strong, kripke.Process} {
				c, ref := checker(t, m, fairness), newReference(m, fairness)
				for _, f := range formulas {
					compare(t, c, ref, f)
				}
			}
		}
	})
}

func compare(t *rapid.T, c ctl.Checker, ref *reference, f *temporal.Formula) {
	r, err := c.Check(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	want := ref.value(f)
	var got uint
	for s := range r.All() {
		got |= 1 << s
	}
	if got != want || r.Count.Int64() != int64(bits.OnesCount(want)) || r.Of.Int64() != int64(len(ref.moves)) {
		t.Fatalf("%s is true in %b, %d of %d, want %b", f, got, r.Count, r.Of, want)
	}
	if initial := ref.where(func(s int) bool { return s < len(ref.initial) }); r.Holds != (initial&^want == 0) {
		t.Fatalf("%s holds: %v", f, r.Holds)
	}
	for s := range kripke.State(len(ref.moves)) {
		(&witness{ref, t}).check(evidence(t, r, s))
	}
}

// witness checks evidence by the definitions.
type witness struct {
	*reference
	t *rapid.T
}

func (w *witness) holds(f *temporal.Formula, s kripke.State) bool { return w.value(f)>>s&1 == 1 }

func (w *witness) check(e *ctl.Evidence) {
	if e.Holds != w.holds(e.Formula, e.State) {
		w.t.Fatalf("%s is said to be %v in state %d", e.Formula, e.Holds, e.State)
	}
	visited := []kripke.State{e.State}
	for _, s := range e.Path {
		if !w.hasMove(visited[len(visited)-1], kripke.Move{To: s.To, Process: s.Process}) {
			w.t.Fatalf("%s: no move from %d to %d", e.Formula, visited[len(visited)-1], s.To)
		}
		visited = append(visited, s.To)
	}
	for _, b := range e.Because {
		w.check(b)
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

func (w *witness) hasMove(from kripke.State, move kripke.Move) bool {
	for _, m := range w.moves[from] {
		if m == move {
			return true
		}
	}
	return false
}

// checkLoop checks that the loop closes, and is fair.
func (w *witness) checkLoop(e *ctl.Evidence, visited []kripke.State) {
	if e.Loop >= len(e.Path) || visited[e.Loop] != visited[len(visited)-1] {
		w.t.Fatalf("%s: no loop from step %d of %v", e.Formula, e.Loop, e.Path)
	}
	for p := range w.processes {
		moves, able, unable := false, false, false
		for i, s := range e.Path[e.Loop:] {
			moves = moves || int(s.Process) == p
			here := false
			for _, m := range w.moves[visited[e.Loop+i]] {
				here = here || int(m.Process) == p
			}
			able, unable = able || here, unable || !here
		}
		switch {
		case moves, w.fairness == kripke.Unfair, w.fairness == kripke.Weak && unable, w.fairness == kripke.Strong && !able:
		default:
			w.t.Fatalf("%s: the loop %v is unfair to %s", e.Formula, e.Path[e.Loop:], w.processes[p])
		}
	}
}

// checkPath checks that the path is one of the kind that the operator is about: one that E wants, or one that A forbids.
func (w *witness) checkPath(e *ctl.Evidence, visited []kripke.State) {
	f := e.Formula
	if e.Looked != nil {
		if len(e.Path) > 0 {
			w.t.Fatalf("%s: a path where none is", f)
		}
		return
	}
	last := visited[len(visited)-1]
	before, loop := visited[:len(visited)-1], e.Loop >= 0
	every := func(states []kripke.State, f *temporal.Formula, value bool) bool {
		for _, s := range states {
			if w.holds(f, s) != value {
				return false
			}
		}
		return true
	}
	ok := false
	switch f.Op {
	case temporal.EX, temporal.AX:
		ok = len(e.Path) == 1 && w.holds(f.X, last) == e.Holds && (f.Process == "" || w.processes[e.Path[0].Process] == f.Process)
	case temporal.EF:
		ok = w.holds(f.X, last)
	case temporal.AG:
		ok = !w.holds(f.X, last)
	case temporal.EG:
		ok = loop && every(visited, f.X, true)
	case temporal.AF:
		ok = loop && every(visited, f.X, false)
	case temporal.EGF:
		ok = loop && !every(visited[e.Loop:], f.X, false)
	case temporal.AFG:
		ok = loop && !every(visited[e.Loop:], f.X, true)
	case temporal.EU:
		ok = every(before, f.X, true) && w.holds(f.Y, last)
	case temporal.EW:
		ok = every(before, f.X, true) && (loop || w.holds(f.Y, last))
	case temporal.ER:
		ok = every(visited, f.Y, true) && (loop || w.holds(f.X, last))
	case temporal.AU:
		ok = every(visited, f.Y, false) && (loop || !w.holds(f.X, last))
	case temporal.AR:
		ok = every(before, f.X, false) && !w.holds(f.Y, last)
	case temporal.AW:
		ok = every(visited, f.Y, false) && !w.holds(f.X, last)
	}
	if !loop {
		ok = ok && slices.ContainsFunc(e.Because, func(b *ctl.Evidence) bool { return b.State == last && w.operand(f, b.Formula) })
	}
	someHolds := f.Op == temporal.EX || f.Op == temporal.EF || f.Op == temporal.EG || f.Op == temporal.EGF ||
		f.Op == temporal.EU || f.Op == temporal.ER || f.Op == temporal.EW
	if !ok || e.Holds != someHolds {
		w.t.Fatalf("%s is %v in state %d: the path %v with loop %d does not show it", f, e.Holds, e.State, e.Path, e.Loop)
	}
}

// operand reports whether f has this operand.
func (w *witness) operand(f, operand *temporal.Formula) bool {
	return operand.String() == f.X.String() || f.Y != nil && operand.String() == f.Y.String()
}

// checkConnective checks that what is said of the operands decides.
func (w *witness) checkConnective(e *ctl.Evidence) {
	f := e.Formula
	said := map[*temporal.Formula]bool{}
	for _, b := range e.Because {
		if b.State != e.State {
			w.t.Fatalf("%s: an operand in another state", f)
		}
		said[b.Formula] = true
	}
	if len(said) == 0 || len(said) == 2 {
		return // a leaf, or all there is
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
		w.t.Fatalf("%s is %v in state %d, which one operand does not decide", f, e.Holds, e.State)
	}
}
