package ctl_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// contestFormula is a formula of the Model Checking Contest.
type contestFormula struct {
	ID, Model, Logic, Formula string
	Holds                     bool
}

// contest returns the checkers of the contest's models, and its formulas of CTL.
func contest(t testing.TB) (map[string]ctl.Checker, []contestFormula) {
	checkers := map[string]ctl.Checker{}
	for _, line := range temporaltest.Lines[json.RawMessage](t, "testdata/mcc_models.jsonl.gz") {
		var named struct{ Model string }
		if err := json.Unmarshal(line, &named); err != nil {
			t.Fatal(err)
		}
		sys, err := kripke.ParseStructure(named.Model, line)
		if err != nil {
			t.Fatal(err)
		}
		g, err := kripke.Explore(context.Background(), sys)
		if err != nil {
			t.Fatal(err)
		}
		if checkers[named.Model], err = ctl.New(g, kripke.Unfair); err != nil {
			t.Fatal(err)
		}
	}
	var formulas []contestFormula
	for _, f := range temporaltest.Lines[contestFormula](t, "testdata/mcc_formulas.jsonl.gz") {
		if f.Logic == "CTL" {
			formulas = append(formulas, f)
		}
	}
	return checkers, formulas
}

func TestContest(t *testing.T) {
	checkers, formulas := contest(t)
	if len(checkers) != 24 || len(formulas) != 24*32 {
		t.Fatalf("%d models, %d formulas", len(checkers), len(formulas))
	}
	for _, f := range formulas {
		r, err := checkers[f.Model].Check(context.Background(), parse(t, f.Formula))
		if err != nil {
			t.Fatalf("%s: %v", f.ID, err)
		}
		if r.Holds != f.Holds {
			t.Errorf("%s: %v", f.ID, r.Holds)
		}
		if e := evidence(t, r, r.Witness); e.Holds != r.Holds {
			t.Errorf("%s: evidence for %v", f.ID, e.Holds)
		}
	}
}

// BenchmarkContest checks the formulas of the contest, and explains them.
func BenchmarkContest(b *testing.B) {
	checkers, formulas := contest(b)
	for b.Loop() {
		for _, f := range formulas {
			r, err := checkers[f.Model].Check(context.Background(), parse(b, f.Formula))
			if err != nil {
				b.Fatal(err)
			}
			evidence(b, r, r.Witness)
		}
	}
}
