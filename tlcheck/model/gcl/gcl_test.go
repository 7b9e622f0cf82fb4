package gcl_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// examples are the programs that users see first.
const examples = "../../../examples/programs"

// load returns the system of an example, or of a program in testdata.
func load(tb testing.TB, name string, parameters map[string]int64) *gcl.System {
	tb.Helper()
	s, err := gcl.New(parse(tb, name), parameters)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func parse(tb testing.TB, name string) *gcl.File {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(examples, name))
	if errors.Is(err, fs.ErrNotExist) {
		text, err = os.ReadFile(filepath.Join("testdata", name))
	}
	if err != nil {
		tb.Fatal(err)
	}
	f, err := gcl.Parse(name, string(text))
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func explore(tb testing.TB, s kripke.System) *kripke.Graph {
	tb.Helper()
	g, err := kripke.Explore(tb.Context(), s)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// The numbers of states and moves are those of SPIN and of another explorer; those of X1 and X2
// also follow from the table of Sherman and Pnueli, §6.3.
var seeds = []struct {
	name, critical string // the labels of the critical sections in the first two processes
	n              int64
	states, moves  int
	safe           bool
}{
	{"dekker.gcl", "P0.at.m8 P1.at.n8", 0, 228, 433, true},
	{"peterson.gcl", "P1.at.L3 P2.at.M3", 0, 20, 52, true},
	{"challenge.gcl", "P1.at.L3 P2.at.M3", 0, 32, 80, false},
	{"x1.gcl", "P1.at.L3 P2.at.L3", 2, 21, 52, true},
	{"x1.gcl", "P1.at.L3 P2.at.L3", 4, 297, 1512, true},
	{"x1.gcl", "P1.at.L3 P2.at.L3", 5, 1053, 6750, true},
	{"x1.gcl", "P1.at.L3 P2.at.L3", 6, 3645, 28188, true},
	{"x1.gcl", "P1.at.L3 P2.at.L3", 8, 41553, 431568, true},
	{"x1printed.gcl", "P1.at.L3 P2.at.M3", 0, 36, 96, false},
	{"x2.gcl", "P1.at.L3 P2.at.L3", 2, 37, 92, true},
	{"x2printed.gcl", "P1.at.L3 P2.at.M3", 0, 37, 92, true},
	{"x2.gcl", "P1.at.L3 P2.at.L3", 4, 857, 4360, true},
	{"x2.gcl", "P1.at.L3 P2.at.L3", 5, 3593, 23010, true},
	{"x2.gcl", "P1.at.L3 P2.at.L3", 6, 14277, 110268, true},
}

func parameters(n int64) map[string]int64 {
	if n == 0 {
		return nil
	}
	return map[string]int64{"n": n}
}

func TestSeeds(t *testing.T) {
	for _, seed := range seeds {
		g := explore(t, load(t, seed.name, parameters(seed.n)))
		if g.States() != seed.states || g.Len() != seed.moves {
			t.Errorf("%s, n=%d: %d states and %d moves, want %d and %d", seed.name, seed.n, g.States(), g.Len(),
				seed.states, seed.moves)
		}
		first, second, _ := strings.Cut(seed.critical, " ")
		if safe := !together(t, g, first, second); safe != seed.safe {
			t.Errorf("%s, n=%d: mutual exclusion is %v, want %v", seed.name, seed.n, safe, seed.safe)
		}
	}
}

// together reports whether two propositions hold in one state.
func together(t *testing.T, g *kripke.Graph, first, second string) bool {
	t.Helper()
	a, err := g.Atom(first)
	if err != nil {
		t.Fatal(err)
	}
	b, err := g.Atom(second)
	if err != nil {
		t.Fatal(err)
	}
	for s := range kripke.State(g.States()) {
		if g.Holds(a, s) && g.Holds(b, s) {
			return true
		}
	}
	return false
}
