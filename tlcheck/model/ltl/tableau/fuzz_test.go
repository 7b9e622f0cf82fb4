package tableau_test

import (
	"errors"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// FuzzSat decides whatever is a formula, and evaluates its model.
func FuzzSat(f *testing.F) {
	for _, text := range []string{"G F a & F G !a", "a U (b R X !c) | (a W b) M c", "(a <-> b) <-> (c <-> X d)",
		"!(F a -> G (b -> x == 1))"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		formula, err := temporal.Parse("formula", text, temporal.InfiniteLTL)
		if err != nil || len(text) > 1000 {
			return
		}
		left := 20
		a, err := tableau.Sat(countdown{t.Context(), &left}, formula)
		switch {
		case errors.Is(err, errEnough):
		case err != nil:
			t.Fatal(err)
		case a.Model != nil && !newLasso(a.Model).satisfies(formula):
			t.Fatalf("%s is not satisfied by %v", formula, a.Model)
		case a.Model == nil && a.Reason == nil:
			t.Fatalf("%s: no model, and no reason", formula)
		}
	})
}
