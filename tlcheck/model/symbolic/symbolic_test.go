package symbolic_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/ctltest"
	"github.com/antichain-go/antichain/tlcheck/model/internal/gcltest"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/symbolic"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/source"
)

// atoms are propositions of the programs of gcltest, which all have a process Q.
var atoms = temporaltest.Atoms("a==1", "b==2", "a<b", "a*b-1 > b/2 % 2 and not a = 1", "Q.at.L1", "Q.at.m2",
	"Q.at.n2", "Q.at.L0")

// twin is a program with all states explored, and one whose states come in sets.
type twin struct {
	explicit, symbolic *gcl.System
	graph              *kripke.Graph
	number             map[string]kripke.State // in the graph, by the key of a state
	hurry              bool                    // ways need not be shortest ones
}

// key is unique for each state of the program, even if locations have equal names.
func key(program *gcl.System, s kripke.State) string { return fmt.Sprint(program.Values(nil, s)) }

// drawTwin draws a program of a few states without range errors, which may stutter.
func drawTwin(t *rapid.T, most int) (w *twin, space *symbolic.Space, fairness kripke.Fairness) {
	f := gcltest.File.Draw(t, "program")
	f, err := gcl.Parse("random.gcl", gcl.Format(f))
	if err != nil {
		t.Fatal(err)
	}
	w = &twin{number: map[string]kripke.State{}}
	if w.explicit, err = gcl.New(f, nil); err != nil {
		t.Fatal(err)
	}
	if w.symbolic, err = gcl.New(f, nil); err != nil {
		t.Fatal(err)
	}
	o := symbolic.Options{
		Stutter: rapid.IntRange(0, 3).Draw(t, "stutter") > 0,
		Fairness: rapid.SampledFrom([]kripke.Fairness{kripke.Unfair, kripke.Weak, kripke.Strong,
			kripke.Process}).Draw(t, "fairness"),
	}
	sys := kripke.System(w.explicit)
	if o.Stutter {
		sys = kripke.Stutter(sys)
	}
	graph, want := kripke.Explore(context.Background(), sys)
	if want == nil {
		want = graph.Total()
	}
	space, err = symbolic.New(context.Background(), w.symbolic, o)
	if !sameError(err, want) {
		t.Fatalf("error %v, want %v\n%s", err, want, gcl.Format(f))
	}
	if err != nil || graph.States() > most {
		return nil, nil, 0
	}
	w.graph = graph
	for s := range kripke.State(w.graph.States()) {
		w.number[key(w.explicit, s)] = s
	}
	return w, space, o.Fairness
}

// sameError compares errors, which may be about different states.
func sameError(got, want error) bool {
	var mistake, other *source.Error
	var end, otherEnd *kripke.DeadEndError
	return (got == nil) == (want == nil) &&
		errors.As(got, &mistake) == errors.As(want, &other) &&
		(other == nil || strings.Contains(mistake.Msg, "outside of its range")) &&
		errors.As(got, &end) == errors.As(want, &otherEnd)
}

// drawFormula draws a formula about a program of gcltest.
func drawFormula(t *rapid.T, sys *gcl.System) *temporal.Formula {
	f := temporaltest.Formula(temporal.CTL, atoms, 3).Draw(t, "formula")
	names := sys.Processes()
	var adapt func(f *temporal.Formula) *temporal.Formula
	adapt = func(f *temporal.Formula) *temporal.Formula {
		if f == nil {
			return nil
		}
		g := *f
		g.X, g.Y = adapt(f.X), adapt(f.Y)
		switch f.Process {
		case "1":
			g.Process = names[0]
		case "P0":
			g.Process = names[len(names)-1]
		}
		if f.Op == temporal.Atomic {
			if _, err := sys.Atom(f.Atom.Text); err != nil { // it has no such place
				g = temporal.Formula{Op: temporal.Atomic, Atom: atoms[0]}
			}
		}
		return &g
	}
	return adapt(f)
}

// TestSymbolic compares all labels, and the evidence with the labels of the graph.
func TestSymbolic(t *testing.T) {
	programs, formulas := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		w, space, fairness := drawTwin(t, 400)
		if w == nil {
			return
		}
		programs++
		explicit, err := ctl.New(w.graph, fairness)
		if err != nil {
			t.Fatal(err)
		}
		if w.hurry = rapid.IntRange(0, 2).Draw(t, "hurry") == 0; w.hurry {
			symbolic.Hurry(space)
		}
		checker := ctl.NewOnSpace(space)
		for range 6 {
			formulas++
			w.compare(t, explicit, checker, fairness, drawFormula(t, w.explicit))
		}
		for _, text := range []string{"EG a==1", "AF b==2", "EGF (a==1 | b==2)", "E[a==1 W b==0]"} {
			w.compare(t, explicit, checker, fairness, parse(t, text))
		}
	})
	t.Logf("%d formulas on %d programs", formulas, programs)
	if !testing.Short() && programs < 20 {
		t.Error("too few programs")
	}
}

func (w *twin) compare(t *rapid.T, explicit, checker ctl.Checker, fairness kripke.Fairness, f *temporal.Formula) {
	want, err := explicit.Check(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	got, err := checker.Check(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	if got.Holds != want.Holds || got.Fair != want.Fair || got.Count.Cmp(want.Count) != 0 ||
		got.States.Cmp(want.States) != 0 {
		t.Fatalf("%s with fairness %v: %v in %d of %d, fair %v; want %v in %d of %d, fair %v",
			f, fairness, got.Holds, got.Count, got.States, got.Fair, want.Holds, want.Count, want.States, want.Fair)
	}
	in := map[kripke.State]bool{}
	for s := range want.All() {
		in[s] = true
	}
	some := got.Witness
	for s := range got.All() {
		n, ok := w.number[key(w.symbolic, s)]
		if !ok || !in[n] {
			t.Fatalf("%s is true in %s", f, kripke.Text(checker.System(), s))
		}
		if rapid.IntRange(0, 5).Draw(t, "explained") == 0 {
			some = s
		}
	}
	known := map[string]map[kripke.State]bool{}
	witness := &ctltest.Witness{System: checker.System(), Fairness: fairness, T: t,
		Holds: func(f *temporal.Formula, s kripke.State) bool {
			if known[f.String()] == nil {
				known[f.String()] = w.where(t, explicit, f)
			}
			return known[f.String()][w.number[key(w.symbolic, s)]]
		}}
	for _, s := range []kripke.State{got.Witness, some} {
		e, err := got.Evidence(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		witness.Check(e)
		explained, err := want.Evidence(context.Background(), w.number[key(w.symbolic, s)])
		if err != nil {
			t.Fatal(err)
		}
		longer := e.Loop < 0 && len(e.Path) != len(explained.Path) && (!w.hurry || len(e.Path) < len(explained.Path))
		if e.Looked == nil != (explained.Looked == nil) ||
			e.Looked != nil && e.Looked.Cmp(explained.Looked) != 0 || longer {
			t.Fatalf("%s: looked in %v for a path of %v; want %v, %v", f, e.Looked, e.Path, explained.Looked,
				explained.Path)
		}
	}
}

// where returns where a formula is true.
func (w *twin) where(t *rapid.T, c ctl.Checker, f *temporal.Formula) map[kripke.State]bool {
	r, err := c.Check(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	in := map[kripke.State]bool{}
	for s := range r.All() {
		in[s] = true
	}
	return in
}

func parse(tb rapid.TB, formula string) *temporal.Formula {
	tb.Helper()
	f, err := temporal.Parse("formula", formula, temporal.CTL)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func load(tb testing.TB, name string, n int64) *gcl.System {
	tb.Helper()
	text, err := os.ReadFile("../../../examples/programs/" + name + ".gcl")
	if errors.Is(err, os.ErrNotExist) {
		text, err = os.ReadFile("testdata/" + name + ".gcl")
	}
	if err != nil {
		tb.Fatal(err)
	}
	f, err := gcl.Parse(name, string(text))
	if err != nil {
		tb.Fatal(err)
	}
	parameters := map[string]int64{}
	if n > 0 {
		parameters["n"] = n
	}
	s, err := gcl.New(f, parameters)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
