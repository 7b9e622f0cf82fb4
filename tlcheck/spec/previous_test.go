package spec_test

import (
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

func TestPreviousOf(t *testing.T) {
	for formula, want := range map[string]string{
		"t:(prev > prev.x)": "[]",
		"t:(x > prev(y.z[i])) and not u:(prev(y.z) == x or prev(x) == 1)": "[y.z i x]",
		"sometime t:(in.f -> abs(prev(x-y)) < len(z))":                    "[x y]",
	} {
		p, err := spec.ParseFormula(formula)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, n := range spec.PreviousOf(p.Formula) {
			names = append(names, n.Name)
		}
		if got := fmt.Sprint(names); got != want {
			t.Errorf("%s: %s, want %s", formula, got, want)
		}
	}
}
