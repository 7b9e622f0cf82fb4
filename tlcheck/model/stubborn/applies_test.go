package stubborn_test

import (
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/stubborn"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

func TestApplies(t *testing.T) {
	for _, test := range []struct {
		formula  string
		fairness kripke.Fairness
		want     bool
	}{
		{"G (a -> F b)", kripke.Unfair, true},
		{"G (a -> F b)", kripke.Process, true},
		{"G (a -> F b)", kripke.Weak, false},
		{"G (a -> F b)", kripke.Strong, false},
		{"G (a -> F (b & X b))", kripke.Unfair, false},
	} {
		f, err := temporal.Parse("formula", test.formula, temporal.InfiniteLTL)
		if err != nil {
			t.Fatal(err)
		}
		if got := stubborn.Applies(f, test.fairness); got != test.want {
			t.Errorf("%s, fairness %s: %v", test.formula, test.fairness, got)
		}
	}
}

func TestSafety(t *testing.T) {
	for formula, want := range map[string]bool{
		"a":                   true,
		"G !(a & b)":          true,
		"!F (a & !b)":         true,
		"G (a -> b W a)":      true,
		"(F a) -> G b":        true,
		"a R (b | G a)":       true,
		"!(a U b)":            true,
		"!(a M b)":            true,
		"a <-> !b":            true,
		"F a":                 false,
		"!G a":                false,
		"G (a -> F b)":        false,
		"(G a) -> G b":        false,
		"a U b":               false,
		"!(a W b)":            false,
		"!(a R b)":            false,
		"a M b":               false,
		"(G a) <-> b":         false,
		"(G a) | F (a & b)":   false,
		"!(F a & G b)":        false,
		"!(F a & !G (a & b))": true,
	} {
		f, err := temporal.Parse("formula", formula, temporal.InfiniteLTL)
		if err != nil {
			t.Fatal(err)
		}
		if got := stubborn.Safety(f); got != want {
			t.Errorf("%s: %v, want %v", formula, got, want)
		}
	}
}
