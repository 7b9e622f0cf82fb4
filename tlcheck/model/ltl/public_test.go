package ltl_test

import (
	"testing"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// question is a formula of a public collection with its answer.
type question struct {
	ID       string `json:"id"`
	Formula  string `json:"formula"`
	Sat      bool   `json:"sat"`
	Shortest int    `json:"shortest"` // length of the shortest words that satisfy it

	formula *temporal.Formula
}

// public returns the formulas of testdata/finite.jsonl.
func public(t testing.TB) []question {
	t.Helper()
	questions := temporaltest.Lines[question](t, "testdata/finite.jsonl")
	for i := range questions {
		q := &questions[i]
		var err error
		if q.formula, err = temporal.Parse(q.ID, q.Formula, temporal.FiniteLTL); err != nil {
			t.Fatal(err)
		}
	}
	return questions
}

func TestSatOfPublicFormulas(t *testing.T) {
	for _, q := range public(t) {
		word, sat, err := ltl.Sat(t.Context(), q.formula)
		if err != nil {
			t.Fatal(err)
		}
		if sat != q.Sat {
			t.Errorf("%s: satisfiable %v, want %v", q.ID, sat, q.Sat)
			continue
		}
		if !sat {
			continue
		}
		if len(word) != q.Shortest {
			t.Errorf("%s: a word of %d letters, want %d", q.ID, len(word), q.Shortest)
		}
		if holds, err := ltl.Holds(t.Context(), q.formula, word); !holds || err != nil {
			t.Errorf("%s: %v does not satisfy it (%v)", q.ID, word, err)
		}
	}
}

// BenchmarkPublic is the time of a formula, read and decided.
func BenchmarkPublic(b *testing.B) {
	for _, q := range public(b) {
		b.Run(q.ID, func(b *testing.B) {
			for b.Loop() {
				f, err := temporal.Parse(q.ID, q.Formula, temporal.FiniteLTL)
				if err != nil {
					b.Fatal(err)
				}
				if _, _, err := ltl.Sat(b.Context(), f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
