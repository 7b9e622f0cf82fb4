package tableau_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// structure is an explicit system.
type structure struct {
	initial []kripke.State
	labels  []map[string]bool
	moves   [][]kripke.Move
}

func (m *structure) Processes() []string     { return []string{"1", "P0"} }
func (m *structure) Initial() []kripke.State { return m.initial }
func (m *structure) States() int             { return len(m.moves) }

func (m *structure) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	return append(dst, m.moves[s]...), nil
}

func (m *structure) Atom(name string) (kripke.Atom, error) {
	if i := slices.Index(names, name); i >= 0 {
		return kripke.Atom(i), nil
	}
	return 0, fmt.Errorf("no atom %q: there are %q", name, names)
}

func (m *structure) Holds(a kripke.Atom, s kripke.State) bool { return m.labels[s][names[a]] }
func (m *structure) Describe(kripke.State) []kripke.Field     { return nil }
func (m *structure) Label(kripke.State, kripke.Move) string   { return "" }

// structures draws total systems of a few states.
func structures(most int) *rapid.Generator[*structure] {
	return rapid.Custom(func(t *rapid.T) *structure {
		n := rapid.IntRange(1, most).Draw(t, "states")
		m := &structure{initial: []kripke.State{0}}
		if n > 1 && rapid.Bool().Draw(t, "two initial states") {
			m.initial = append(m.initial, 1)
		}
		most := rapid.IntRange(1, 3).Draw(t, "most moves")
		for range n {
			label := map[string]bool{}
			for _, name := range names {
				label[name] = rapid.Bool().Draw(t, name)
			}
			m.labels = append(m.labels, label)
			m.moves = append(m.moves, rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) kripke.Move {
				to := rapid.IntRange(0, n-1).Draw(t, "to")
				return kripke.Move{To: kripke.State(to), Process: int32(rapid.IntRange(-1, 1).Draw(t, "process"))}
			}), 1, min(most, 2*n), rapid.ID[kripke.Move]).Draw(t, "moves"))
		}
		return m
	})
}

var fairnesses = []kripke.Fairness{kripke.Unfair, kripke.Weak, kripke.Strong, kripke.Process}

func explored(t rapid.TB, sys kripke.System) *kripke.Graph {
	t.Helper()
	g, err := kripke.Explore(context.Background(), sys)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// check checks a formula on a graph and on the fly, and the counterexamples.
func check(t rapid.TB, g *kripke.Graph, fairness kripke.Fairness, f *temporal.Formula) bool {
	t.Helper()
	v, err := tableau.Check(context.Background(), g, fairness, f)
	if err != nil {
		t.Fatal(err)
	}
	if v.Counterexample != nil {
		follow(t, g, fairness, v.Counterexample, f)
	}
	m := kripke.Remember(g.System)
	onTheFly, err := tableau.Check(context.Background(), m, fairness, f)
	switch {
	case err != nil:
		t.Fatal(err)
	case (onTheFly.Counterexample == nil) != (v.Counterexample == nil):
		t.Fatalf("%s, fairness %s: on the fly it holds: %v", f, fairness, onTheFly.Counterexample == nil)
	case onTheFly.Counterexample != nil:
		follow(t, g, fairness, onTheFly.Counterexample, f)
	case m.Expanded() != g.States():
		t.Fatalf("%s holds, but of %d states %d were looked at", f, g.States(), m.Expanded())
	}
	again, err := tableau.Check(context.Background(), m, fairness, f) // with the moves known so far
	if err != nil || (again.Counterexample == nil) != (v.Counterexample == nil) {
		t.Fatalf("%s, fairness %s: on the fly, once more: %v, %v", f, fairness, again, err)
	}
	return v.Counterexample == nil
}

// walker is a system of an endless chain of states, with dead ends and an error a few steps away,
// and a loop in the first state.
type walker struct {
	kripke.System
	states int
}

func (w *walker) States() int { return w.states }

func (w *walker) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	switch {
	case s == 2:
		return dst, nil
	case s == 5:
		return dst, errEnough
	case s == 0:
		dst = append(dst, kripke.Move{})
	}
	w.states = max(w.states, int(s)+2)
	return append(dst, kripke.Move{To: s + 1}), nil
}

// A search ends with the first violation. Only what holds is said of all states.
func TestCheckEndsEarly(t *testing.T) {
	label := map[string]bool{"a": true}
	for formula, want := range map[string]string{"F !a": "", "X F !a": "", "a": "has no successor"} {
		w := &walker{&structure{initial: []kripke.State{0},
			labels: []map[string]bool{label, label, label, label, label, label}}, 1}
		m := kripke.Remember(w)
		v, err := tableau.Check(t.Context(), m, kripke.Unfair, parse(t, formula))
		switch {
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", formula, err, want)
		case want == "" && (err != nil || v.Counterexample == nil || m.Expanded() != 1):
			t.Errorf("%s: %v, %v after %d states", formula, v, err, m.Expanded())
		}
	}
}

// TestCheckFindsLassos compares with all short paths: a formula that Check finds true holds on all
// fair ones.
func TestCheckFindsLassos(t *testing.T) {
	formula := temporaltest.Formula(temporal.InfiniteLTL, temporaltest.Atoms(names...), 3)
	rapid.Check(t, func(t *rapid.T) {
		g := explored(t, structures(4).Draw(t, "structure"))
		short := lassos(g, 5)
		for range 5 {
			f := formula.Draw(t, "formula")
			for _, fairness := range fairnesses {
				if !check(t, g, fairness, f) {
					continue
				}
				for _, p := range short {
					if p.fair(g, fairness) && !p.word(g).satisfies(f) {
						t.Fatalf("%s is said to hold, fairness %s; it does not on %+v", f, fairness, p)
					}
				}
			}
		}
	})
}

// lassoPath is a path of a graph by its states and moves; the last move leads to state again.
type lassoPath struct {
	states []kripke.State
	by     []int32
	again  int
}

// lassos returns the infinite paths of at most so many moves.
func lassos(g *kripke.Graph, most int) (all []lassoPath) {
	var extend func(p lassoPath)
	extend = func(p lassoPath) {
		at := p.states[len(p.states)-1]
		for i, to := range g.Successors(at) {
			by := append(slices.Clone(p.by), g.MovedBy(at)[i])
			for again, s := range p.states {
				if s == to {
					all = append(all, lassoPath{p.states, by, again})
				}
			}
			if len(by) < most {
				extend(lassoPath{states: append(slices.Clone(p.states), to), by: by})
			}
		}
	}
	for _, s := range g.Initial() {
		extend(lassoPath{states: []kripke.State{s}})
	}
	return all
}

func (p lassoPath) fair(g *kripke.Graph, fairness kripke.Fairness) bool {
	for by := range int32(len(g.Processes())) {
		always, sometimes := true, false
		for _, s := range p.states[p.again:] {
			able := slices.Contains(g.MovedBy(s), by)
			always, sometimes = always && able, sometimes || able
		}
		moves := slices.Contains(p.by[p.again:], by)
		if !moves && (fairness == kripke.Process || fairness == kripke.Strong && sometimes ||
			fairness == kripke.Weak && always) {
			return false
		}
	}
	return true
}

func (p lassoPath) word(g *kripke.Graph) lasso {
	l := lasso{again: p.again}
	for _, s := range p.states {
		letter := map[string]bool{}
		for i, name := range names {
			letter[name] = g.Holds(kripke.Atom(i), s)
		}
		l.letters = append(l.letters, letter)
	}
	return l
}

// TestCheckAgreesWithCTL compares on formulas that both logics have. .ci/long tableau does it for
// 100,000 structures.
func TestCheckAgreesWithCTL(t *testing.T) {
	pairs := []struct{ linear, branching string }{
		{"G (a | b)", "AG (a | b)"},
		{"F a", "AF a"},
		{"a U b", "A[a U b]"},
		{"a R b", "A[a R b]"},
		{"a W b", "A[a W b]"},
		{"X a", "AX a"},
		{"G F a", "AG AF a"},
		{"G (a -> F b)", "AG (a -> AF b)"},
		{"G (a -> X (b U c))", "AG (a -> AX A[b U c])"},
		{"F G (a | b)", "AFG (a | b)"},
		{"G a | F !a", "true"},
		{"false", "AF false"},
	}
	holds := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		g := explored(t, structures(6).Draw(t, "structure"))
		for _, fairness := range fairnesses {
			c, err := ctl.New(g, fairness)
			if err != nil {
				t.Fatal(err)
			}
			for _, pair := range pairs {
				f, err := temporal.Parse("formula", pair.branching, temporal.CTL)
				if err != nil {
					t.Fatal(err)
				}
				r, err := c.Check(context.Background(), f)
				if err != nil {
					t.Fatal(err)
				}
				if got := check(t, g, fairness, parse(t, pair.linear)); got != r.Holds {
					t.Fatalf("%s is %v, %s is %v, fairness %s", pair.linear, got, pair.branching, r.Holds, fairness)
				}
				holds[r.Holds]++
			}
		}
	})
	if holds[true] == 0 || holds[false] == 0 {
		t.Errorf("holds or not: %v", holds)
	}
}

func TestCheckErrors(t *testing.T) {
	dead := explored(t, &structure{initial: []kripke.State{0}, labels: []map[string]bool{{}},
		moves: [][]kripke.Move{nil}})
	var end *kripke.DeadEndError
	if _, err := tableau.Check(t.Context(), dead, kripke.Unfair, parse(t, "a")); !errors.As(err, &end) {
		t.Errorf("a dead end: %v", err)
	}
	g := explored(t, kripke.Stutter(dead.System))
	_, err := tableau.Check(t.Context(), g, kripke.Unfair, parse(t, "a |\n  d"))
	if want := `2:3: no atom "d": there are ["a" "b" "c"]`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	left := 0
	if _, err := tableau.Check(countdown{t.Context(), &left}, g, kripke.Unfair,
		parse(t, "F a")); !errors.Is(err, errEnough) {
		t.Errorf("a context that has ended: %v", err)
	}
}

// crowd is a structure that ends a context when its first state is expanded.
type crowd struct {
	structure
	end      context.CancelFunc
	expanded int
}

func (c *crowd) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	c.end()
	c.expanded++
	return c.structure.Moves(dst, s)
}

// States may have thousands of moves each. Then a context is not looked at after thousands of
// states only.
func TestCheckStopsBetweenStates(t *testing.T) {
	const states, moves = 200, 10_000
	for _, text := range []string{"F false", "G true"} {
		ctx, end := context.WithCancel(t.Context())
		c := &crowd{structure: structure{initial: []kripke.State{0}}, end: end}
		for s := range states {
			c.labels = append(c.labels, nil)
			row := make([]kripke.Move, moves)
			for i := range row {
				row[i] = kripke.Move{To: kripke.State(min(s+1, states-1))}
			}
			c.moves = append(c.moves, row)
		}
		f, err := temporal.Parse("formula", text, temporal.InfiniteLTL)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tableau.Check(ctx, kripke.Remember(c), kripke.Unfair, f); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want %v", text, err, context.Canceled)
		}
		if c.expanded > 2 { // a state may be expanded again
			t.Errorf("%s: %d states were expanded when the context had ended", text, c.expanded)
		}
	}
}
