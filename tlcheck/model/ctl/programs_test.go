package ctl_test

import (
	"context"
	"os"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// TestPrograms has known results about classical programs: from their papers, and from SPIN on
// equivalent programs, with the fairness of Sherman and Pnueli.
func TestPrograms(t *testing.T) {
	const (
		safe     = "AG !(P1.at.L3 & P2.at.M3)"
		live     = "AG (P1.at.L1 -> AF P1.at.L3)"
		communal = "AG (P1.at.L1 -> AF (P1.at.L3 | P2.at.L3 | P3.at.L3 | P4.at.L3))"
		each     = "AG !(P1.at.L3 & P2.at.L3 | P2.at.L3 & P4.at.L3)"
	)
	tests := []struct {
		program  string
		n        int64
		fairness kripke.Fairness
		formula  string
		want     bool
	}{
		{"peterson", 0, kripke.Unfair, safe, true},
		{"peterson", 0, kripke.Process, live, true},
		{"peterson", 0, kripke.Unfair, live, false},
		{"challenge", 0, kripke.Unfair, safe, false},
		{"challenge", 0, kripke.Process, live, true},
		{"dekker", 0, kripke.Unfair, "AG !(P0.at.m8 & P1.at.n8)", true},
		{"dekker", 0, kripke.Process, "AG AF P0.at.m8 & AG AF P1.at.n8", true},
		{"dekker", 0, kripke.Unfair, "AG AF P0.at.m8", false},
		{"x1", 4, kripke.Unfair, each, true},
		{"x1", 4, kripke.Process, live, false},
		{"x1", 4, kripke.Strong, live, false},
		{"x1", 4, kripke.Process, communal, true},
		{"x2", 4, kripke.Unfair, each, true},
		{"x2", 4, kripke.Process, live, true},
		{"x2", 4, kripke.Process, communal, true},
		{"x2", 4, kripke.Unfair, communal, false},
	}
	for _, test := range tests {
		text, err := os.ReadFile("../../../examples/programs/" + test.program + ".gcl")
		if err != nil {
			t.Fatal(err)
		}
		f, err := gcl.Parse(test.program, string(text))
		if err != nil {
			t.Fatal(err)
		}
		parameters := map[string]int64{}
		if test.n > 0 {
			parameters["n"] = test.n
		}
		sys, err := gcl.New(f, parameters)
		if err != nil {
			t.Fatal(err)
		}
		r, err := checker(t, sys, test.fairness).Check(context.Background(), parse(t, test.formula))
		if err != nil {
			t.Fatal(err)
		}
		if r.Holds != test.want {
			t.Errorf("%s with fairness %v: %s is %v", test.program, test.fairness, test.formula, r.Holds)
		}
		if e := evidence(t, r, r.Witness); e.Holds != test.want {
			t.Errorf("%s: evidence for %v", test.program, e.Holds)
		}
	}
}
