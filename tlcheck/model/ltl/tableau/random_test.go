package tableau_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

var names = []string{"a", "b", "c"}

// mostStates bounds the reference.
const mostStates = 1 << 12

// TestSatAgrees compares with the reference. .ci/long tableau does it for 100,000 formulas.
func TestSatAgrees(t *testing.T) {
	formula := temporaltest.Formula(temporal.InfiniteLTL, temporaltest.Atoms(names...), 4)
	decided := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		f := formula.Draw(t, "formula")
		if rapid.Bool().Draw(t, "conjunction") { // more of them are not satisfiable
			f = &temporal.Formula{Op: temporal.And, X: f, Y: formula.Draw(t, "second")}
		}
		r := newReference(f)
		if r.states > mostStates {
			t.Skip("too many states")
		}
		want := r.satisfiable()
		decided[want]++
		decideRandom(t, f, want)
		decideRandom(t, &temporal.Formula{Op: temporal.Not, X: f},
			newReference(&temporal.Formula{Op: temporal.Not, X: f}).satisfiable())
	})
	if !testing.Short() && (decided[true] == 0 || decided[false] == 0) {
		t.Errorf("satisfiable or not: %v", decided)
	}
}

func decideRandom(t *rapid.T, f *temporal.Formula, want bool) {
	a, err := tableau.Sat(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case (a.Model != nil) != want:
		t.Fatalf("%s: model %v, want satisfiable %v", f, a.Model, want)
	case want && !newLasso(a.Model).satisfies(f):
		t.Fatalf("%s is not satisfied by %v", f, a.Model)
	case !want && a.Reason == nil:
		t.Fatalf("%s: not satisfiable for no reason", f)
	}
}
