package sections_test

import (
	"testing"

	"github.com/antichain-go/antichain/cmd/measure/internal/sections"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// TestFormulas checks that formulas come out as they say, in both orders.
func TestFormulas(t *testing.T) {
	for _, c := range []sections.Workload{
		{Tasks: 4, Events: 60, Locks: 1, Seed: 1},
		{Tasks: 5, Events: 60, Locks: 3, Seed: 2},
		{Tasks: 5, Events: 120, Locks: 2, Seed: 3, Halves: true},
	} {
		run, free, err := c.Nets()
		if err != nil {
			t.Fatal(err)
		}
		alone, err := c.Net()
		if err != nil {
			t.Fatal(err)
		}
		if alone.Events() != run.Events() || run.Events() != free.Events() {
			t.Fatalf("%v: %d, %d and %d events", c, alone.Events(), run.Events(), free.Events())
		}
		for _, f := range c.Formulas() {
			p, err := spec.ParseFormula(f.Text)
			if err != nil {
				t.Fatal(err)
			}
			for anyOrder, net := range map[bool]*san.Net{false: run, true: free} {
				r, err := tlcheck.Check(t.Context(), net, p, tlcheck.Options{Sections: anyOrder})
				if err != nil {
					t.Fatal(err)
				}
				if (r.Verdict == tlcheck.Violated) != f.Violated || r.Witness != nil && r.Witness.Happened {
					t.Errorf("%v, %s, in other orders %v: %v, %+v", c, f.Name, anyOrder, r.Verdict, r.Witness)
				}
			}
		}
	}
}
