package ctl_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/ctltest"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// TestLinear compares formulas of the fragment that both logics have in common with the product by
// a tableau.
func TestLinear(t *testing.T) {
	formula := temporaltest.Formula(temporal.InfiniteLTL, temporaltest.Atoms(names...), 3)
	drawn, common, nested, violated := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		m := structures(6).Draw(t, "structure")
		fairness := rapid.SampledFrom([]kripke.Fairness{kripke.Unfair, kripke.Unfair, kripke.Weak, kripke.Strong,
			kripke.Process}).Draw(t, "fairness")
		c := checker(t, m, fairness)
		for range 20 {
			f := formula.Draw(t, "formula")
			drawn++
			linear, ok := ctl.Linear(f)
			if !ok {
				continue
			}
			common++
			if !f.Propositional() && (!f.X.Propositional() || f.Y != nil && !f.Y.Propositional()) {
				nested++
			}
			want := product(t, m, fairness, f)
			got, err := ctl.Violation(context.Background(), c, linear)
			if err != nil {
				t.Fatal(err)
			}
			if (got == nil) != (want == nil) {
				t.Fatalf("%s, by %s: violated by %v, want %v", f, linear, got, want)
			}
			if got != nil {
				violated++
				along := m.along(t, got)
				if product(t, along, kripke.Unfair, f) == nil {
					t.Fatalf("%s, by %s: %v does not violate it", f, linear, got)
				}
				always := &temporal.Formula{Op: temporal.EG, X: &temporal.Formula{Op: temporal.True}}
				w := &ctltest.Witness{System: m, Fairness: fairness, T: t,
					Holds: func(*temporal.Formula, kripke.State) bool {
						return true
					}}
				w.Check(&ctl.Evidence{Formula: always, State: got.Start, Holds: true, Path: got.Steps, Loop: got.Loop})
			}
		}
	})
	if common*3 < drawn || nested*6 < common || violated*8 < common {
		t.Errorf("of %d formulas only %d, %d nested, %d violated", drawn, common, nested, violated)
	}
}

// TestLinearKinds has formulas that are of the fragment, and such that are not.
func TestLinearKinds(t *testing.T) {
	tests := []struct{ formula, want string }{
		{"G !(a & b)", "AG !(a & b)"},
		{"G (a -> F b)", "AG (!a | AF b)"},
		{"!F (a & X b)", "AG (!a | AX !b)"},
		{"G F a", "AG AF a"},
		{"F G a", "AFG a"},
		{"!G F a", "AFG !a"},
		{"(a -> X b) U c", "A[(!a | AX b) U c]"},
		{"a & X b | !a & G c", "a & AX b | !a & AG c"},
		{"!(a U b)", "A[!a R !b]"},
		{"a M X b", "A[AX b U a & AX b]"},
		{"F X a", ""},
		{"a U X b", ""},
		{"X a | X b", ""},
		{"G F a -> G F b", ""},
	}
	for _, test := range tests {
		f, err := temporal.Parse("formula", test.formula, temporal.InfiniteLTL)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := ctl.Linear(f)
		if ok != (test.want != "") || ok && got.String() != parse(t, test.want).String() {
			t.Errorf("%s is %v, %v, want %s", f, got, ok, test.want)
		}
	}
}

// TestLinearLong has formulas that would be twice as long in branching time with each operator.
func TestLinearLong(t *testing.T) {
	for n, want := range map[int]bool{8: true, 60: false} {
		f, err := temporal.Parse("formula", strings.Repeat("a <-> (", n)+"X b"+strings.Repeat(")", n),
			temporal.InfiniteLTL)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := ctl.Linear(f); ok != want {
			t.Errorf("of %d: %v, want %v", n, ok, want)
		}
	}
}

// product returns a path that violates a formula of LTL, nil if there is none.
func product(t *rapid.T, sys kripke.System, fairness kripke.Fairness, f *temporal.Formula) *kripke.Path {
	g, err := kripke.Explore(context.Background(), sys)
	if err != nil {
		t.Fatal(err)
	}
	v, err := tableau.Check(context.Background(), g, fairness, f)
	if err != nil {
		t.Fatal(err)
	}
	return v.Counterexample
}

// along returns the system that can only go along a path of m.
func (m *structure) along(t *rapid.T, path *kripke.Path) *structure {
	if !slices.Contains(m.initial, path.Start) {
		t.Fatalf("%v does not begin in an initial state", path)
	}
	one := &structure{processes: m.processes, initial: []kripke.State{0}}
	at := path.Start
	for i, step := range path.Steps {
		if !slices.Contains(m.moves[at], kripke.Move{To: step.To, Process: step.Process}) {
			t.Fatalf("no move from %d to %d in %v", at, step.To, path)
		}
		to := kripke.State(i + 1)
		if i == len(path.Steps)-1 {
			to = kripke.State(path.Loop)
		}
		one.labels = append(one.labels, m.labels[at])
		one.moves = append(one.moves, []kripke.Move{{To: to, Process: step.Process}})
		at = step.To
	}
	if stem, loop := path.States(); len(loop) == 0 || at != loop[0] {
		t.Fatalf("%v does not close its loop behind %v", path, stem)
	}
	return one
}
