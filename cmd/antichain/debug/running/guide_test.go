package running

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/temporal"
)

func TestGuide(t *testing.T) {
	for _, tt := range []struct {
		formula string
		true_   []string // atoms
		held    []string
	}{
		{"F (a:(p) & b:(q))", nil, nil},
		{"F (a:(p) & b:(q))", []string{"a:(p)"}, []string{"a"}},
		{"F (a:(p) & b:(q))", []string{"b:(q)"}, []string{"b"}},
		{"F (a:(p) & b:(q) & c:(p))", []string{"b:(q)", "c:(p)"}, []string{"b", "c"}},
		// All that is said of a task has to hold, in whatever order it is said.
		{"F (a:(p) & b:(q) & !a:(q))", []string{"a:(p)"}, []string{"a"}},
		{"F (a:(p) & b:(q) & !a:(q))", []string{"a:(p)", "a:(q)"}, nil},
		{"F ((a:(p) | a:(q)) & (b:(p) <-> b:(q)))", []string{"a:(q)"}, []string{"a", "b"}},
		{"F ((a:(p) -> a:(q)) & b:(p) & true)", []string{"a:(p)"}, nil},
		// Nobody can be held for what is about two tasks at once, or not about states alone.
		{"F (a:(p) & (b:(q) | c:(q)))", []string{"a:(p)"}, nil},
		{"F (a:(p) & X b:(q))", []string{"a:(p)"}, nil},
		{"F a:(p)", []string{"a:(p)"}, nil},
		{"G (a:(p) & b:(q))", []string{"a:(p)"}, nil},
		// Those of q wait from the beginning.
		{"!b:(q) U a:(p)", nil, []string{"b"}},
		{"!(b:(q) | c:(q)) U (a:(p) & d:(p))", nil, []string{"b", "c"}},
		{"!a:(q) U a:(p)", nil, nil},
		{"!X b:(q) U a:(p)", nil, nil},
		{"b:(q) U a:(p)", nil, nil},
	} {
		f, err := temporal.Parse("formula", tt.formula, temporal.FiniteLTL)
		if err != nil {
			t.Fatal(err)
		}
		g := newGuide(f)
		held := g.held(func(text string) bool { return slices.Contains(tt.true_, text) })
		slices.Sort(held)
		if !slices.Equal(held, tt.held) {
			t.Errorf("%s with %v: %v are held, not %v", tt.formula, tt.true_, held, tt.held)
		}
	}
}
