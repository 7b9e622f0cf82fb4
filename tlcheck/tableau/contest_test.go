package tableau_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/kripke"
	"github.com/antichain-go/antichain/tlcheck/tableau"
	"github.com/antichain-go/antichain/tlcheck/temporal"
)

// lines calls each with the lines of a compressed file in the testdata of package ctl.
func lines(t testing.TB, name string, each func(line []byte)) {
	t.Helper()
	f, err := os.Open("../ctl/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(z)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		each(in.Bytes())
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
}

// contestFormula is a formula of the Model Checking Contest.
type contestFormula struct {
	ID, Model, Logic, Formula string
	Holds                     bool
}

// contest returns the models of the contest, and its formulas of LTL.
func contest(t testing.TB) (map[string]*kripke.Graph, []contestFormula) {
	models := map[string]*kripke.Graph{}
	lines(t, "mcc_models.jsonl.gz", func(line []byte) {
		var named struct{ Model string }
		if err := json.Unmarshal(line, &named); err != nil {
			t.Fatal(err)
		}
		sys, err := kripke.ParseStructure(named.Model, line)
		if err != nil {
			t.Fatal(err)
		}
		if models[named.Model], err = kripke.Explore(t.Context(), sys); err != nil {
			t.Fatal(err)
		}
	})
	var formulas []contestFormula
	lines(t, "mcc_formulas.jsonl.gz", func(line []byte) {
		var f contestFormula
		if err := json.Unmarshal(line, &f); err != nil {
			t.Fatal(err)
		}
		if f.Logic == "LTL" {
			formulas = append(formulas, f)
		}
	})
	return models, formulas
}

func TestContest(t *testing.T) {
	models, formulas := contest(t)
	if len(models) != 16 || len(formulas) != 16*32 {
		t.Fatalf("%d models, %d formulas", len(models), len(formulas))
	}
	for _, f := range formulas {
		g, formula := models[f.Model], parse(t, f.Formula)
		v, err := tableau.Check(t.Context(), g, kripke.Unfair, formula)
		if err != nil {
			t.Fatalf("%s: %v", f.ID, err)
		}
		if (v.Counterexample == nil) != f.Holds {
			t.Errorf("%s: want %v", f.ID, f.Holds)
			continue
		}
		if v.Counterexample != nil {
			follow(t, g, kripke.Unfair, v.Counterexample, formula)
		}
	}
}

// follow checks a counterexample.
func follow(t rapid.TB, g *kripke.Graph, fairness kripke.Fairness, p *kripke.Path, f *temporal.Formula) {
	t.Helper()
	l := lasso{again: p.Loop}
	at := p.Start
	able, unable, moves := map[int32]bool{}, map[int32]bool{}, map[int32]bool{}
	for i, step := range p.Steps {
		letter := map[string]bool{}
		for _, a := range f.Atoms() {
			n, err := g.Atom(a.Text)
			if err != nil {
				t.Fatal(err)
			}
			letter[a.Text] = g.Holds(n, at)
		}
		l.letters = append(l.letters, letter)
		there := false
		here := map[int32]bool{}
		for j, to := range g.Successors(at) {
			by := g.MovedBy(at)[j]
			here[by] = true
			there = there || to == step.To && by == step.Process
		}
		if !there {
			t.Fatalf("%s: no move from %d to %d by %d", f, at, step.To, step.Process)
		}
		if i >= p.Loop {
			moves[step.Process] = true
			for by := range int32(len(g.Processes())) {
				able[by] = able[by] || here[by]
				unable[by] = unable[by] || !here[by]
			}
		}
		at = step.To
	}
	if stem, loop := p.States(); len(loop) == 0 || at != loop[0] || len(stem)+len(loop) != len(p.Steps) {
		t.Fatalf("%s: %+v is no loop", f, p)
	}
	for by := range int32(len(g.Processes())) {
		if !moves[by] && (fairness == kripke.Process || fairness == kripke.Weak && !unable[by] || fairness == kripke.Strong && able[by]) {
			t.Fatalf("%s: %+v is not fair to process %d", f, p, by)
		}
	}
	if l.satisfies(f) {
		t.Fatalf("%s: it is true on %+v", f, p)
	}
}

// BenchmarkContest checks the formulas of the contest.
func BenchmarkContest(b *testing.B) {
	models, formulas := contest(b)
	for b.Loop() {
		for _, f := range formulas {
			if _, err := tableau.Check(b.Context(), models[f.Model], kripke.Unfair, parse(b, f.Formula)); err != nil {
				b.Fatal(err)
			}
		}
	}
}
