package stubborn_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/stubborn"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// TestProviso looks at all states of reduced programs: each loop has a state with all moves, or for
// a safety property each state leads to one.
func TestProviso(t *testing.T) {
	ofBothKinds(t, provisos, "some moves")
}

func provisos(t *testing.T, programs *rapid.Generator[*gcl.File], seen map[string]int) {
	rapid.Check(t, func(t *rapid.T) {
		f := programs.Draw(t, "program")
		program, err := gcl.New(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		formula := drawFormula(t, atoms(program))
		fairness := rapid.SampledFrom([]kripke.Fairness{kripke.Unfair, kripke.Process}).Draw(t, "fairness")
		if !stubborn.Applies(formula, fairness) {
			t.Skip("not for this formula")
		}
		reduced, err := stubborn.Reduce(program, formula, fairness)
		if err != nil {
			t.Fatal(err)
		}
		g, err := kripke.Explore(context.Background(), kripke.AtMost(reduced, mostStates))
		if err != nil {
			t.Skip("many states, or a variable that leaves its range")
		}
		p := partialStates(t, program, g)
		seen["some moves"] += len(p)
		switch loop := p.loop(g); {
		case !loop:
		case stubborn.Safety(formula) && fairness == kripke.Unfair:
			seen["loops without all moves"]++
		default:
			t.Fatalf("%s, fairness %s: a loop without a state with all moves\n%s", formula, fairness, gcl.Format(f))
		}
		if s := p.lost(g); s != nil {
			t.Fatalf("%s, fairness %s: state %d leads to none with all moves\n%s", formula, fairness, *s, gcl.Format(f))
		}
	})
}

// partial are the states of a reduced program that have fewer moves than in the program.
type partial map[kripke.State]bool

func partialStates(t *rapid.T, program *gcl.System, g *kripke.Graph) partial {
	p := partial{}
	for s := range kripke.State(g.States()) {
		moves, err := program.Moves(nil, s)
		if err != nil {
			t.Fatalf("the reduced program leaves no range, but in state %d: %v", s, err)
		}
		if len(moves) < len(g.Successors(s)) {
			t.Fatalf("state %d has %d moves, and reduced %d", s, len(moves), len(g.Successors(s)))
		}
		if len(moves) > len(g.Successors(s)) {
			p[s] = true
		}
	}
	return p
}

// loop reports whether there is a loop of such states: whether some are left when those have been
// removed again and again that lead to none.
func (p partial) loop(g *kripke.Graph) bool {
	rest := p.but(g, func(left int, _ bool) bool { return left == 0 })
	return len(rest) > 0
}

// lost returns one of them that leads to no other state.
func (p partial) lost(g *kripke.Graph) *kripke.State {
	for s := range p.but(g, func(_ int, out bool) bool { return out }) {
		return &s
	}
	return nil
}

// but removes states by the number of their remaining successors, until no more can be removed, and
// returns the rest.
func (p partial) but(g *kripke.Graph, remove func(left int, out bool) bool) partial {
	rest := partial{}
	for s := range p {
		rest[s] = true
	}
	for again := true; again; {
		again = false
		for s := range rest {
			left, all := 0, g.Successors(s)
			for _, to := range all {
				if rest[to] {
					left++
				}
			}
			if remove(left, left < len(all)) {
				delete(rest, s)
				again = true
			}
		}
	}
	return rest
}

// Loops that count are no loops.
const counting = `
param n = 5;
for i in 1..n process P[i]
  declare x[i], y[i] : [0..3];
  a : if x[i] < 3 { x[i] := x[i] + 1; y[i] := x[i]; goto a; }
      if x[i] = 3 goto b;
  b : if y[i] > 0 { y[i] := y[i] - 1; goto b; }
end`

// In loops that a process may leave at any time, safety properties need no state with all moves.
const leaving = `
param n = 4;
declare s : [0..1];
for i in 1..n process P[i]
  declare x[i] : [0..3];
  a : { x[i] := (x[i] + 1) % 4; goto a; }
      if x[i] > 0 goto b;
  b : if s = 0 { s := 1; goto c; }
  c : { s := 0; goto a; }
end`

func TestLoops(t *testing.T) {
	for _, test := range []struct {
		name, text, formula string
		n                   int64
		fairness            kripke.Fairness
		all, reduced        int
	}{
		{"counting", counting, "F false", 4, kripke.Unfair, 4096, 29},
		{"counting, fair", counting, "F false", 4, kripke.Process, 4096, 29},
		{"leaving, safety", leaving, "G false", 3, kripke.Unfair, 784, 235},
		{"leaving, liveness", leaving, "F false", 3, kripke.Unfair, 784, 574},
		{"leaving, fair", leaving, "G false", 3, kripke.Process, 784, 574},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := states(t, program(t, test.text, test.n)); got != test.all {
				t.Errorf("%d states, want %d", got, test.all)
			}
			f, err := temporal.Parse("formula", test.formula, temporal.InfiniteLTL)
			if err != nil {
				t.Fatal(err)
			}
			sys, err := stubborn.Reduce(program(t, test.text, test.n), f, test.fairness)
			if err != nil {
				t.Fatal(err)
			}
			if got := states(t, sys); got != test.reduced {
				t.Errorf("reduced: %d states, want %d", got, test.reduced)
			}
		})
	}
}
