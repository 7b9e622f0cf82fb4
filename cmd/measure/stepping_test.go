//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/google/go-cmp/cmp"
)

// A formula is measured only if everything that is known of it comes out.
func TestPublicFormulas(t *testing.T) {
	all, err := jsonLines[publicFormula]("../../tlcheck/model/ltl/testdata/finite.jsonl")
	if err != nil || len(all) != 188 {
		t.Fatalf("%d formulas, %v", len(all), err)
	}
	p := publicFormula{ID: "right", Formula: "X X a & (b U c)", Sat: true, Shortest: 3}
	got, err := p.measure(1)
	if err != nil || got.decided <= 0 || got.whole <= 0 || got.size < 3 || got.size > got.nodes || got.cut {
		t.Errorf("%+v, %v", got, err)
	}
	for _, wrong := range []publicFormula{
		{Formula: p.Formula, Sat: false},
		{Formula: p.Formula, Sat: true, Shortest: 2},
		{Formula: "a & !a", Sat: true, Shortest: 1},
		{Formula: "a &", Sat: true},
	} {
		if _, err := wrong.measure(1); err == nil {
			t.Errorf("%+v is right", wrong)
		}
	}
}

func TestAutomataText(t *testing.T) {
	got := automataText([]translationResult{
		{decided: 2e-3, whole: 11, literal: 1, size: 3, nodes: 4000, cut: true},
		{decided: 1e-4, whole: 1e-4, literal: 3, size: 5, nodes: 7},
		{decided: 2e-4, whole: 1e-4, literal: 5, size: 4, nodes: 9},
	})
	want := `| satisfiable or not, and a model | 0.20 | 2.00 | median < 1, worst < 10000 | yes | - | - | 0 |
| the whole automaton | 0.10 | 11000 | median < 1, worst < 10000 | no | 4 | 5 | 0 |
| nodes by the literal algorithm | 3000 | 5000 | - | - | 9 | 4000 | 1 |
`
	if _, rows, _ := strings.Cut(got, "--: |\n"); rows != want {
		t.Error(cmp.Diff(want, rows))
	}
}

// Each row has a step; of Dekker's algorithm they are known.
func TestFoundRows(t *testing.T) {
	if testing.Short() {
		t.Skip("each row takes a second")
	}
	dekkers := []finding{
		{states: 7, steps: 1, all: true}, {states: 12, steps: 1, all: true}, {states: 27, steps: 3, all: true}, {states: 43, steps: 1, all: true},
		{states: 119, steps: 18, all: true}, {states: 13, steps: 344, all: true}, {states: 12, steps: 344, all: true},
	}
	for i, r := range foundRows {
		begin, err := r.open("../..")
		if err != nil {
			t.Fatal(err)
		}
		f, err := temporal.Parse("formula", r.formula, temporal.FiniteLTL)
		if err != nil {
			t.Fatal(err)
		}
		if r.options.Limit == 0 {
			r.options.Limit = foundLimit
		}
		got, err := r.find(begin, f)
		if err != nil || got.first <= 0 || got.first > got.seconds {
			t.Errorf("%s, %s: %+v, %v", r.system, r.formula, got, err)
		}
		got.first, got.seconds = 0, 0
		if i < len(dekkers) && got != dekkers[i] {
			t.Errorf("%s, %s: %+v", r.formula, r.kind(), got)
		}
	}
}

func TestLongRow(t *testing.T) {
	const noise = 1 // MiB that a collection of garbage finds more than another one
	got, err := longRows[0].measure()
	if err != nil || got.Known != longStates || got.MiB < got.Before-noise {
		t.Errorf("%+v, %v", got, err)
	}
	if err := runLong([]string{"another system"}, nil); err == nil {
		t.Error("another system is measured")
	}
}
