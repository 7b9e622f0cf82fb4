package tableau_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// contestFormula is a formula of the Model Checking Contest.
type contestFormula struct {
	ID, Model, Logic, Formula string
	Holds                     bool
}

// contest returns the models of the contest, and its formulas of LTL.
func contest(t testing.TB) (map[string]*kripke.Graph, []contestFormula) {
	models := map[string]*kripke.Graph{}
	for _, line := range temporaltest.Lines[json.RawMessage](t, "../../ctl/testdata/mcc_models.jsonl.gz") {
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
	}
	var formulas []contestFormula
	for _, f := range temporaltest.Lines[contestFormula](t, "../../ctl/testdata/mcc_formulas.jsonl.gz") {
		if f.Logic == "LTL" {
			formulas = append(formulas, f)
		}
	}
	return models, formulas
}

func TestContest(t *testing.T) {
	models, formulas := contest(t)
	if len(models) != 24 || len(formulas) != 24*32 {
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
		if !moves[by] && (fairness == kripke.Process || fairness == kripke.Weak && !unable[by] ||
			fairness == kripke.Strong && able[by]) {
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
