package gcl_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/gcltest"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/source"
)

// The interpreter finds the same states and moves in the seeds' programs.
func TestReference(t *testing.T) {
	for _, seed := range seeds {
		if seed.states > 2000 {
			continue
		}
		f := parse(t, seed.name)
		states, moves, err := newInterpreter(f, parameters(seed.n)).explore(seed.states)
		if err != nil {
			t.Fatal(err)
		}
		g := explore(t, load(t, seed.name, parameters(seed.n)))
		if diff := cmp.Diff(moves, movesOf(g)); diff != "" || states != g.States() {
			t.Errorf("%s, n=%d: %d states, want %d\n%s", seed.name, seed.n, g.States(), states, diff)
		}
	}
}

// movesOf returns how often there is each move, as the interpreter does.
func movesOf(g *kripke.Graph) map[string]int {
	all := map[string]int{}
	text := func(s kripke.State) string {
		_, fields, _ := strings.Cut(kripke.Text(g, s), ": ")
		return fields
	}
	for s := range kripke.State(g.States()) {
		for i, to := range g.Successors(s) {
			all[text(s)+" | "+g.Processes()[g.MovedBy(s)[i]]+" | "+text(to)]++
		}
	}
	return all
}

// sameProgram compares programs but for positions.
var sameProgram = cmp.Options{cmpopts.IgnoreTypes(gcl.Pos{}), cmpopts.IgnoreUnexported(gcl.File{}),
	cmpopts.EquateEmpty()}

// A program that is printed and read again is the same.
func TestFormat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := gcltest.File.Draw(t, "program")
		text := gcl.Format(f)
		again, err := gcl.Parse("random.gcl", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(f, again, sameProgram); diff != "" {
			t.Fatalf("%s\n%s", diff, text)
		}
		noted, err := gcl.Parse("random.gcl", gcl.FormatNodes(again))
		if err != nil {
			t.Fatalf("%v\n%s", err, gcl.FormatNodes(again))
		}
		if diff := cmp.Diff(f, noted, sameProgram); diff != "" {
			t.Fatalf("%s\n%s", diff, gcl.FormatNodes(again))
		}
	})
}

// Random programs have the states and moves that the interpreter finds, or leave a range in both.
func TestRandom(t *testing.T) {
	var good, bad, total int
	enough := func() bool { return testing.Short() || good >= 30 && bad >= 1 && total >= 500 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		f, err := gcl.Parse("random.gcl", gcl.Format(gcltest.File.Draw(t, "program")))
		if err != nil {
			t.Fatal(err)
		}
		const limit = 3000
		states, moves, failed := newInterpreter(f, nil).explore(limit)
		if states > limit {
			return
		}
		s, err := gcl.New(f, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, gcl.Format(f))
		}
		g, err := kripke.Explore(t.Context(), s)
		if failed != nil {
			if mistake := (*source.Error)(nil); !errors.As(err, &mistake) ||
				!strings.Contains(mistake.Msg, "outside of its range") {
				t.Fatalf("a variable leaves its range, but %v\n%s", err, gcl.Format(f))
			}
			bad++
			return
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, gcl.Format(f))
		}
		good++
		total += states
		if diff := cmp.Diff(moves, movesOf(g)); diff != "" || states != g.States() {
			t.Fatalf("%d states, want %d\n%s\n%s", g.States(), states, diff, gcl.Format(f))
		}
	})
	t.Logf("%d programs ran with %d states, %d left a range", good, total, bad)
	if !enough() {
		t.Error("too few programs of a kind")
	}
}
