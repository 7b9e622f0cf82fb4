package tableau_test

import (
	"testing"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// question is a formula of a public collection with its answers.
type question struct {
	ID      string `json:"id"`
	Formula string `json:"formula"`
	Sat     bool   `json:"sat"`
	Valid   *bool  `json:"valid"` // nil if undecided

	formula *temporal.Formula
}

// public returns the formulas of testdata/infinite.jsonl.
func public(t testing.TB) []question {
	t.Helper()
	questions := temporaltest.Lines[question](t, "testdata/infinite.jsonl")
	for i := range questions {
		q := &questions[i]
		var err error
		if q.formula, err = temporal.Parse(q.ID, q.Formula, temporal.InfiniteLTL); err != nil {
			t.Fatal(err)
		}
	}
	return questions
}

func TestPublicFormulas(t *testing.T) {
	for _, q := range public(t) {
		if testing.Short() && len(q.Formula) > 500 { // the race detector makes these take minutes
			continue
		}
		decide(t, q.ID, q.formula, tableau.Sat, q.Sat)
		if q.Valid != nil {
			decide(t, q.ID, &temporal.Formula{Op: temporal.Not, X: q.formula}, tableau.Sat, !*q.Valid)
		}
	}
}

// BenchmarkPublic is the time of a formula, read and decided.
func BenchmarkPublic(b *testing.B) {
	for _, q := range public(b) {
		b.Run(q.ID, func(b *testing.B) {
			for b.Loop() {
				f, err := temporal.Parse(q.ID, q.Formula, temporal.InfiniteLTL)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := tableau.Sat(b.Context(), f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
