package tlcheck_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

func TestMonitorable(t *testing.T) {
	const both = "l3 frey96"
	tests := []struct {
		formula string
		accepts string // the dialects in which it is accepted
		blames  string // the subformula that the refusal names
	}{
		// The formulas of the papers.
		{"not (t1:(in.append) and t2:(in.append)) if t1 != t2", both, ""},
		{"t1:(term.append) implies (t2:(b.data[1]==21) until t3:(start.remove))", "",
			"t2:(b.data[1] == 21) until t3:(start.remove)"},
		{"(t1:(in.get and term.update) before t2:(in.put and start.update)) if t1 != t2", both, ""},
		{"t:(start.split) -> (t':(term.sort and is_e) before t'':(start.merge))", both, ""},
		{"t:(start.merge) -> all_next t:(term.merge)", both, ""},

		// A property is refused for what its negation becomes.
		{"always t:(x)", both, ""},
		{"not always t:(x)", "", "always t:(x)"},
		{"sometime t:(x)", "", "sometime t:(x)"},
		{"not sometime t:(x)", both, ""},
		{"always sometime t:(x)", "", "sometime t:(x)"},
		{"always not sometime t:(x)", both, ""},
		{"t:(x) until u:(y)", "", "t:(x) until u:(y)"},
		{"not (t:(x) until u:(y))", both, ""},
		{"not ((sometime t:(x)) until u:(y))", "", "sometime t:(x)"},
		{"not (t:(x) until sometime u:(y))", both, ""},
		{"t:(x) before always u:(y)", "", "always u:(y)"},
		{"t:(x) before sometime u:(y)", both, ""},
		{"(next t:(x)) before u:(y)", both, ""},
		{"(exists v (v:(x))) before u:(y)", "", "exists v (v:(x))"},
		{"forall t (t:(x))", both, ""},
		{"exists t (t:(x))", "", "exists t (t:(x))"},
		{"not exists t (t:(x))", both, ""},
		{"not forall t (t:(x))", "", "forall t (t:(x))"},

		// Bounded formulas are accepted with either sign.
		{"next t:(x) and not all_next^3 (t:(x) -> next t:(y))", both, ""},
		{"next always t:(x)", "", "next always t:(x)"},
		{"all_next always t:(x)", both, ""},
		{"not all_next sometime t:(x)", "", "all_next sometime t:(x)"},

		// frey96 reads "or" from the left; the negated property has an "or" where this has an
		// "and".
		{"always t:(x) and t:(y)", "l3", "always t:(x)"},
		{"t:(y) and always t:(x)", both, ""},
		{"not (sometime t:(x) or sometime t:(y))", "l3", "sometime t:(x)"},
		{"not (sometime t:(x) and sometime t:(y))", both, ""},
		{"not ((t:(y) or sometime t:(x)) and t:(z))", both, ""},
		{"not (sometime t:(x) or t:(z))", "l3", "sometime t:(x)"},

		// henceforth p is (always p) and p.
		{"henceforth t:(x)", "l3", "henceforth t:(x)"},
		{"eventually t:(x)", "", "eventually t:(x)"},
		{"not eventually t:(x)", "l3", "eventually t:(x)"},

		{"t:(s.f > 1)", "", "t:(s.f > 1)"},
		{"t:(x and not q.s > 1 and sx)", both, ""},
		{"next (t:(x) or t:(s))", "", "t:(s)"},
	}
	for _, test := range tests {
		for _, logic := range []lsl.Logic{lsl.L3, lsl.Frey96} {
			err := tlcheck.Monitorable(property(t, test.formula), logic, []string{"s"})
			if strings.Contains(test.accepts, logic.String()) {
				if err != nil {
					t.Errorf("%v: %s: %v", logic, test.formula, err)
				}
				continue
			}
			var refused *tlcheck.UnsupportedError
			if !errors.As(err, &refused) {
				t.Errorf("%v: %s: accepted", logic, test.formula)
				continue
			}
			if got := spec.Format(refused.Formula); got != test.blames ||
				!strings.Contains(err.Error(), "on-the-fly") || !strings.Contains(err.Error(), got) {
				t.Errorf("%v: %s: blames %s: %v", logic, test.formula, got, err)
			}
		}
	}
}

// Each formula is looked at once, however often it occurs: here 2^64 times.
func TestStableOfSharedFormulas(t *testing.T) {
	prop := property(t, "sometime t:(x)")
	for op, f := range map[spec.NaryOp]spec.Formula{spec.And: prop.Formula, spec.Or: prop.Formula} {
		for range 64 {
			f = &spec.Nary{Op: op, Xs: []spec.Formula{f, f}}
		}
		if why := tlcheck.NewClassifier(prop, lsl.L3).Unstable(f); why != nil {
			t.Error(why)
		}
	}
}

// What a formula is part of says nothing about itself.
func TestReasonsAreNotShared(t *testing.T) {
	prop := property(t, "sometime t:(x) or t:(y)")
	c := tlcheck.NewClassifier(prop, lsl.Frey96)
	left := &spec.Not{X: prop.Formula.(*spec.Nary).Xs[0]}
	const because = "because in frey96"
	if why := c.Unstable(prop.Formula); why == nil || !strings.Contains(why.Reason, because) {
		t.Errorf("%v", why)
	}
	if why := c.Unstable(left); why == nil || strings.Contains(why.Reason, because) {
		t.Errorf("%v", why)
	}
}
