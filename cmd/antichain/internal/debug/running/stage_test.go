package running

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

func TestStage(t *testing.T) {
	for _, tt := range []struct {
		formula string
		true_   []string // atoms
		held    []string
	}{
		{"F (a:(p) & b:(q))", nil, nil},
		{"F (a:(p) & b:(q))", []string{"a:(p)"}, []string{"a"}},
		{"F (a:(p) & b:(q))", []string{"b:(q)"}, []string{"b"}},
		{"F (a:(p) & b:(q) & c:(p))", []string{"b:(q)", "c:(p)"}, []string{"b", "c"}},
		// All claims about a task have to hold, in any order.
		{"F (a:(p) & b:(q) & !a:(q))", []string{"a:(p)"}, []string{"a"}},
		{"F (a:(p) & b:(q) & !a:(q))", []string{"a:(p)", "a:(q)"}, nil},
		{"F ((a:(p) | a:(q)) & (b:(p) <-> b:(q)))", []string{"a:(q)"}, []string{"a", "b"}},
		{"F ((a:(p) -> a:(q)) & b:(p) & true)", []string{"a:(p)"}, nil},
		// Each way to satisfy a formula has parts of its own.
		{"F (a:(p) & (b:(q) | c:(q)))", []string{"a:(p)"}, []string{"a"}},
		{"F (a:(p) & b:(p) | a:(q) & c:(q))", []string{"a:(q)"}, []string{"a"}},
		{"F (a:(p) & b:(p) | a:(q) & c:(q))", []string{"b:(p)", "c:(q)"}, []string{"b", "c"}},
		{"F (a:(p) <-> b:(p))", []string{"a:(p)"}, []string{"a", "b"}},
		{"F !(a:(p) <-> b:(p))", []string{"a:(p)"}, []string{"a", "b"}},
		{"F !(a:(p) -> b:(q))", []string{"a:(p)", "b:(q)"}, []string{"a"}},
		{"F !(a:(p) | b:(q))", []string{"a:(p)"}, []string{"b"}},
		{"F !!(a:(p) & b:(q))", []string{"a:(p)"}, []string{"a"}},
		// A task does not wait for others if it alone is enough, or for claims that are not about
		// states alone.
		{"F (a:(p) | b:(q))", []string{"a:(p)"}, nil},
		{"F (a:(p) -> b:(q))", []string{"a:(p)"}, nil},
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
		s := newStage(f)
		held := s.heldTasks(func(text string) bool { return slices.Contains(tt.true_, text) })
		slices.Sort(held)
		if !slices.Equal(held, tt.held) {
			t.Errorf("%s with %v: %v are held, not %v", tt.formula, tt.true_, held, tt.held)
		}
	}
}

// A normal form that is too large is none.
func TestManyWays(t *testing.T) {
	text := "true"
	for i := range 7 {
		text += fmt.Sprintf(" & (a%d:(p) | b%d:(p))", i, i)
		f, err := temporal.Parse("formula", "F ("+text+")", temporal.FiniteLTL)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if n := 2 << i; n > 2 && n <= maxWays {
			want = n
		}
		if got := len(newStage(f).ways); got != want {
			t.Errorf("%s: %d ways, not %d", text, got, want)
		}
	}
}

// The ways are where the formula is true, whatever it is made of.
func TestWaysAreTheFormula(t *testing.T) {
	names := []string{"a:(p)", "a:(q)", "b:(p)", "b:(q)", "c:(p)"}
	var atoms []*temporal.Atom
	for _, n := range names {
		f, err := temporal.Parse("formula", n, temporal.FiniteLTL)
		if err != nil {
			t.Fatal(err)
		}
		atoms = append(atoms, f.Atom)
	}
	rapid.Check(t, func(t *rapid.T) {
		f := temporaltest.Formula(temporal.FiniteLTL, atoms,
			4).Filter((*temporal.Formula).Propositional).Draw(t, "formula")
		all, ok := disjuncts(f, false)
		if !ok {
			t.Skip("too many")
		}
		for set := range 1 << len(names) {
			atom := func(text string) bool { return set>>slices.Index(names, text)&1 == 1 }
			some := slices.ContainsFunc(all, func(says []*temporal.Formula) bool {
				return !slices.ContainsFunc(says, func(x *temporal.Formula) bool { return !isTrue(x, atom) })
			})
			if some != isTrue(f, atom) {
				t.Fatalf("%s is %v by its ways, %v, with the atoms %b", f, some, all, set)
			}
		}
	})
}
