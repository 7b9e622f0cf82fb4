package gcl_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/gcltest"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

var fairnesses = []kripke.Fairness{kripke.Unfair, kripke.Weak, kripke.Strong, kripke.Process}

func formula(tb rapid.TB, text string) *temporal.Formula {
	tb.Helper()
	f, err := temporal.Parse("formula", text, temporal.InfiniteLTL)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// agree decides a formula on a program by satisfiability and by the product, and checks that the
// model is a run.
func agree(tb rapid.TB, s *gcl.System, g *kripke.Graph, fairness kripke.Fairness, f *temporal.Formula) bool {
	tb.Helper()
	theory, err := gcl.NewTheory(s)
	if err != nil {
		tb.Fatal(err)
	}
	violation, err := theory.Violation(fairness, f)
	if err != nil {
		tb.Fatal(err)
	}
	a, err := tableau.Sat(context.Background(), violation)
	if err != nil {
		tb.Fatal(err)
	}
	v, err := tableau.Check(context.Background(), g, fairness, f)
	if err != nil {
		tb.Fatal(err)
	}
	if (a.Model == nil) != (v.Counterexample == nil) {
		tb.Fatalf("%s, fairness %s: holds %v by satisfiability, %v by the product", f, fairness, a.Model == nil,
			v.Counterexample == nil)
	}
	if a.Model != nil {
		isRun(tb, s, theory, a.Model)
	}
	return a.Model == nil
}

func isRun(tb rapid.TB, s *gcl.System, theory *gcl.Theory, model *tableau.Lasso) {
	tb.Helper()
	known := s.States()
	path, err := theory.Path(model.Stem, model.Loop)
	if err != nil {
		tb.Fatal(err)
	}
	at := path.Start
	for i, step := range path.Steps {
		moves, err := s.Moves(nil, at)
		if err != nil {
			tb.Fatal(err)
		}
		if !slices.ContainsFunc(moves, func(m kripke.Move) bool {
			return m.To == step.To && m.Process == step.Process
		}) {
			tb.Fatalf("step %d of %+v is no move", i, path)
		}
		at = step.To
	}
	if _, loop := path.States(); path.Start != 0 || at != loop[0] || s.States() != known {
		tb.Fatalf("%+v is no run", path)
	}
}

// TestTheoryOfSeeds decides what the reports say about their programs, in both ways.
func TestTheoryOfSeeds(t *testing.T) {
	for _, test := range []struct {
		program, formula string
		n                int64
		fairness         kripke.Fairness
		holds            bool
	}{
		{"peterson", "G !(P1.at.L3 & P2.at.M3)", 0, kripke.Unfair, true},
		{"peterson", "G (P1.at.L1 -> F P1.at.L3)", 0, kripke.Process, true},
		{"peterson", "G (P1.at.L1 -> F P1.at.L3)", 0, kripke.Weak, true},
		{"peterson", "G (P1.at.L1 -> F P1.at.L3)", 0, kripke.Unfair, false},
		{"peterson", "F t == 0", 0, kripke.Process, false},
		{"challenge", "G !(P1.at.L3 & P2.at.M3)", 0, kripke.Unfair, false},
		{"challenge", "G (P1.at.L1 -> F P1.at.L3)", 0, kripke.Process, true},
		{"x1", "G (P1.at.L1 -> F P1.at.L3)", 3, kripke.Process, false},
		{"x1", "G (P1.at.L1 -> F (P1.at.L3 | P2.at.L3 | P3.at.L3))", 3, kripke.Process, true},
		{"x2", "G (P1.at.L1 -> F P1.at.L3)", 2, kripke.Process, true},
		{"x2", "G (y <= 3 & !(P1.at.L3 & r1 == 3))", 2, kripke.Unfair, true},
	} {
		s := load(t, test.program+".gcl", parameters(test.n))
		if holds := agree(t, s, explore(t, s), test.fairness, formula(t, test.formula)); holds != test.holds {
			t.Errorf("%s, fairness %s: %s holds: %v", test.program, test.fairness, test.formula, holds)
		}
	}
}

// TestTheoryOfRandomPrograms compares both ways.
func TestTheoryOfRandomPrograms(t *testing.T) {
	var atoms []*temporal.Atom
	for _, text := range []string{"a == 0", "b > 0", "a < b"} {
		atoms = append(atoms, formula(t, text).Atom)
	}
	formulas := temporaltest.Formula(temporal.InfiniteLTL, atoms, 2)
	holds := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		s, err := gcl.New(gcltest.File.Draw(t, "program"), nil)
		if err != nil {
			t.Skip(err)
		}
		g, err := kripke.Explore(context.Background(), s)
		if err != nil || g.States() > 200 || g.Total() != nil {
			t.Skip("no program for this")
		}
		for _, fairness := range fairnesses {
			holds[agree(t, s, g, fairness, formulas.Draw(t, "formula"))]++
		}
	})
	if !testing.Short() && (holds[true] == 0 || holds[false] == 0) {
		t.Errorf("holds or not: %v", holds)
	}
}

func TestTheoryMistakes(t *testing.T) {
	f, err := gcl.Parse("wide.gcl", "declare a, b : [0..999]; process P L: if a = b goto L; end")
	if err != nil {
		t.Fatal(err)
	}
	s, err := gcl.New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gcl.NewTheory(s); err == nil {
		t.Error("a command that reads a million values has a formula")
	}
	theory, err := gcl.NewTheory(load(t, "peterson.gcl", nil))
	if err != nil {
		t.Fatal(err)
	}
	var name *temporal.NameError
	if _, err := theory.Violation(kripke.Unfair, formula(t, "F z == 1")); !errors.As(err, &name) || name.Pos.Col != 3 {
		t.Errorf("a variable that is not there: %v", err)
	}
}

// TestSizeOfTheory has the nodes of the report's table (§6.3), except for one: for safety
// they are the transitions, and for liveness also those between a request and its goal.
func TestSizeOfTheory(t *testing.T) {
	for _, test := range []struct {
		program, formula string
		printed          int
	}{
		{"x1.gcl", "G !(P1.at.L3 & P2.at.L3)", 1514},
		{"x1.gcl", "G (P1.at.L1 | P1.at.L2 -> F P1.at.L3)", 2423},
		{"x1.gcl", "G (P1.at.L1 | P1.at.L2 -> F (P1.at.L3 | P2.at.L3 | P3.at.L3 | P4.at.L3))", 2171},
		{"x2.gcl", "G (P1.at.L1 | P1.at.L2 -> F P1.at.L3)", 6824},
	} {
		theory, err := gcl.NewTheory(load(t, test.program, parameters(4)))
		if err != nil {
			t.Fatal(err)
		}
		violation, err := theory.Violation(kripke.Process, formula(t, test.formula))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tableau.Size(t.Context(), violation); err != nil || got != test.printed-1 {
			t.Errorf("%s: %s: %d nodes, printed are %d (%v)", test.program, test.formula, got, test.printed, err)
		}
	}
}
