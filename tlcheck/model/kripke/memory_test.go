package kripke_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// A memory that is expanded in any order, and more than once, has the moves that a graph has.
func TestMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, sys := drawStructure(t)
		g, err := kripke.Explore(t.Context(), sys)
		if err != nil {
			t.Fatal(err)
		}
		m := kripke.Remember(sys)
		order := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0)).Perm(g.States())
		var end *kripke.DeadEndError
		moves, expanded := 0, 0
		for _, i := range append(order, order...) {
			s := kripke.State(i)
			switch err := m.Expand(s); {
			case len(g.Successors(s)) == 0 &&
				(!errors.As(err, &end) || end.State != s || !errors.As(g.Expand(s), &end)):
				t.Fatalf("state %d has no moves: %v", s, err)
			case len(g.Successors(s)) == 0:
				continue
			case err != nil || g.Expand(s) != nil:
				t.Fatal(err)
			case !slices.Equal(m.Successors(s), g.Successors(s)) || !slices.Equal(m.MovedBy(s), g.MovedBy(s)):
				t.Fatalf("state %d: %v by %v, want %v by %v", s, m.Successors(s), m.MovedBy(s), g.Successors(s),
					g.MovedBy(s))
			}
			moves, expanded = moves+len(g.Successors(s)), expanded+1
		}
		if 2*m.Len() != moves || 2*m.Expanded() != expanded {
			t.Fatalf("%d moves of %d states, want %d of %d", m.Len(), m.Expanded(), moves/2, expanded/2)
		}
	})
}

func TestMemoryOfFailure(t *testing.T) {
	sys := &failingSystem{err: errors.New("no memory")}
	if err := kripke.Remember(sys).Expand(0); err != sys.err {
		t.Errorf("%v, want %v", err, sys.err)
	}
}

// wideSystem is a system of very many states with up to four moves each.
type wideSystem struct {
	kripke.System
	states int
}

func (w *wideSystem) States() int { return w.states }

func (w *wideSystem) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	for i := range 1 + s%4 {
		dst = append(dst, kripke.Move{To: kripke.State((int(s)*7 + int(i)) % w.states), Process: int32(s % 5)})
	}
	return dst, nil
}

// A memory of more states than it remembers has the moves of those that it has forgotten as well,
// and of those that are held.
func TestMemoryForgets(t *testing.T) {
	sys := &wideSystem{states: 100_000}
	m := kripke.Remember(sys)
	moves := 0
	for s := range kripke.State(sys.states) {
		if err := m.Expand(s); err != nil {
			t.Fatal(err)
		}
		moves += 1 + int(s%4)
	}
	for range sys.states {
		s := kripke.State(rand.IntN(sys.states))
		if err := m.Expand(s); err != nil {
			t.Fatal(err)
		}
		want, err := sys.Moves(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		to, by := m.Successors(s), m.MovedBy(s)
		if len(to) != len(want) || len(by) != len(want) {
			t.Fatalf("state %d: %v by %v, want %v", s, to, by, want)
		}
		for i, move := range want {
			if to[i] != move.To || by[i] != move.Process {
				t.Fatalf("state %d: %v by %v, want %v", s, to, by, want)
			}
		}
	}
	if m.Len() != moves || m.Expanded() != sys.states {
		t.Errorf("%d moves of %d states, want %d of %d", m.Len(), m.Expanded(), moves, sys.states)
	}
}
