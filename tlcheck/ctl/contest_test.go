package ctl_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/ctl"
	"github.com/antichain-go/antichain/tlcheck/kripke"
)

// lines calls each with the lines of a compressed file in testdata.
func lines(t testing.TB, name string, each func(line []byte)) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
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

// contest returns the checkers of the contest's models, and its formulas of CTL.
func contest(t testing.TB) (map[string]*ctl.Checker, []contestFormula) {
	checkers := map[string]*ctl.Checker{}
	lines(t, "mcc_models.jsonl.gz", func(line []byte) {
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
	})
	var formulas []contestFormula
	lines(t, "mcc_formulas.jsonl.gz", func(line []byte) {
		var f contestFormula
		if err := json.Unmarshal(line, &f); err != nil {
			t.Fatal(err)
		}
		if f.Logic == "CTL" {
			formulas = append(formulas, f)
		}
	})
	return checkers, formulas
}

func TestContest(t *testing.T) {
	checkers, formulas := contest(t)
	if len(checkers) != 16 || len(formulas) != 16*32 {
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
		if e := r.Evidence(r.Witness); e.Holds != r.Holds {
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
			r.Evidence(r.Witness)
		}
	}
}
