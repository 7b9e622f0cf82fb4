package stubborn_test

import (
	"errors"
	"os"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/stubborn"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Independent processes have all combinations of locations; one order of them is enough.
const independent = `
param n = 5;
for i in 1..n process P[i]
  declare x[i] : [0..4];
  for k in 0..3
  L[k] : { x[i] := k + 1; goto L[k+1] }
  L4 : if x[i] = 0 goto L0;
end`

func program(tb testing.TB, text string, n int64) *gcl.System {
	tb.Helper()
	f, err := gcl.Parse("program.gcl", text)
	if err != nil {
		tb.Fatal(err)
	}
	sys, err := gcl.New(f, map[string]int64{"n": n})
	if err != nil {
		tb.Fatal(err)
	}
	return sys
}

func states(tb testing.TB, sys kripke.System) int {
	tb.Helper()
	g, err := kripke.Explore(tb.Context(), sys)
	if err != nil {
		tb.Fatal(err)
	}
	return g.States()
}

// eventually returns the formula that an atom, or if there is none, that nothing is true some time.
func eventually(atom string) *temporal.Formula {
	f := &temporal.Formula{Op: temporal.False}
	if atom != "" {
		f = &temporal.Formula{Op: temporal.Atomic, Atom: &temporal.Atom{Text: atom}}
	}
	return &temporal.Formula{Op: temporal.Eventually, X: f}
}

func TestReduction(t *testing.T) {
	philosophers, err := os.ReadFile("../../../examples/programs/philosophers.gcl")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, text, atom string
		n                int64
		all, reduced     int
	}{
		{"no atoms", independent, "", 5, 3125, 21},
		{"an atom that one process changes at its end", independent, "P1.at.L4", 5, 3125, 21},
		{"philosophers", string(philosophers), "", 6, 728, 651},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := states(t, program(t, test.text, test.n)); got != test.all {
				t.Errorf("%d states, want %d", got, test.all)
			}
			sys, err := stubborn.Reduce(program(t, test.text, test.n), eventually(test.atom), kripke.Unfair)
			if err != nil {
				t.Fatal(err)
			}
			if got := states(t, sys); got != test.reduced {
				t.Errorf("reduced: %d states, want %d", got, test.reduced)
			}
		})
	}
}

func TestReduceUnknown(t *testing.T) {
	_, err := stubborn.Reduce(program(t, independent, 2), eventually("P7.at.L0"), kripke.Unfair)
	if !errors.As(err, new(*temporal.NameError)) {
		t.Errorf("%v", err)
	}
}

// The numbers of actions are their places in the list.
func TestActionNumbers(t *testing.T) {
	sys := program(t, independent, 3)
	actions := sys.Actions()
	for s := kripke.State(0); int(s) < sys.States(); s++ {
		places := sys.Values(nil, s)
		for _, a := range sys.Enabled(nil, s) {
			m, err := sys.Take(s, a)
			if err != nil {
				t.Fatal(err)
			}
			x := actions[a]
			if int(m.Process) != x.Process || places[x.Process] != x.From || sys.Values(nil, m.To)[x.Process] != x.To {
				t.Fatalf("action %d in state %d is %+v", a, s, x)
			}
		}
	}
}
