package ctl_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// structure is an explicit system.
type structure struct {
	processes []string
	initial   []kripke.State
	labels    []map[string]bool
	moves     [][]kripke.Move
}

var names = []string{"a", "b", "c"}

func (m *structure) Processes() []string     { return m.processes }
func (m *structure) Initial() []kripke.State { return m.initial }
func (m *structure) States() int             { return len(m.moves) }

func (m *structure) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	return append(dst, m.moves[s]...), nil
}

func (m *structure) Atom(name string) (kripke.Atom, error) {
	for i, n := range names {
		if n == name {
			return kripke.Atom(i), nil
		}
	}
	return 0, fmt.Errorf("no atom %q: there are %q", name, names)
}

func (m *structure) Holds(a kripke.Atom, s kripke.State) bool { return m.labels[s][names[a]] }
func (m *structure) Describe(kripke.State) []kripke.Field     { return nil }
func (m *structure) Label(kripke.State, kripke.Move) string   { return "" }

// structures draws total systems of a few states and of processes "1" and "P0".
func structures(most int) *rapid.Generator[*structure] {
	return rapid.Custom(func(t *rapid.T) *structure {
		n := rapid.IntRange(1, most).Draw(t, "states")
		m := &structure{processes: []string{"1", "P0"}, initial: []kripke.State{0}}
		if n > 1 && rapid.Bool().Draw(t, "two initial states") {
			m.initial = append(m.initial, 1)
		}
		// with few moves a component has no moves of some process
		most := rapid.IntRange(1, 3).Draw(t, "most moves")
		for range n {
			label := map[string]bool{}
			for _, name := range names {
				label[name] = rapid.Bool().Draw(t, name)
			}
			m.labels = append(m.labels, label)
			m.moves = append(m.moves, rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) kripke.Move {
				to := rapid.IntRange(0, n-1).Draw(t, "to")
				return kripke.Move{To: kripke.State(to), Process: int32(rapid.IntRange(0, 1).Draw(t, "process"))}
			}), 1, min(most, 2*n), rapid.ID[kripke.Move]).Draw(t, "moves"))
		}
		return m
	})
}

func checker(t rapid.TB, sys kripke.System, fairness kripke.Fairness) ctl.Checker {
	t.Helper()
	g, err := kripke.Explore(context.Background(), sys)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ctl.New(g, fairness)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func evidence(t rapid.TB, r *ctl.Result, s kripke.State) *ctl.Evidence {
	t.Helper()
	e, err := r.Evidence(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func parse(t testing.TB, text string) *temporal.Formula {
	t.Helper()
	f, err := temporal.Parse("formula", text, temporal.CTL)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
