package tlcheck_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// TestExchangeableAgainstEnumeration exchanges the tasks in tables of formulas.
func TestExchangeableAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 6}).MustBuild()
		for range 5 {
			f := spectest.Formula(words).Draw(t, "formula")
			if rapid.Bool().Draw(t, "symmetric") {
				f = symmetric(t, f)
			}
			for _, logic := range []lsl.Logic{lsl.L3, lsl.Frey96} {
				classes := tlcheck.Exchangeable(t.Context(), f, logic)
				if len(classes) == 0 {
					continue
				}
				if len(classes) > 1 || fmt.Sprint(classes[0]) != "[t1 t2]" {
					t.Fatalf("%v of t1, t2", classes)
				}
				violations := map[string]bool{}
				rows := table(t, net, f, logic)
				for _, r := range rows {
					violations[fmt.Sprint(r.slice, r.tiva[0].Task, r.tiva[1].Task)] = r.value == lsl.False
				}
				for _, r := range rows {
					if (r.value == lsl.False) != violations[fmt.Sprint(r.slice, r.tiva[1].Task, r.tiva[0].Task)] {
						t.Fatalf("%v %s: %v differs from what is exchanged in %v", logic, spec.Format(f), r.tiva,
							r.slice)
					}
				}
			}
		}
	})
}

// Formulas made to be symmetric are found to be.
func TestExchangeableIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := symmetric(t, spectest.Formula(words).Draw(t, "formula"))
		if len(spec.TIVs(f)) < 2 {
			t.Skip("one TIV")
		}
		for _, logic := range []lsl.Logic{lsl.L3, lsl.Frey96} {
			if classes := tlcheck.Exchangeable(t.Context(), f, logic); fmt.Sprint(classes) != "[[t1 t2]]" {
				t.Fatalf("%v %s: %v", logic, spec.Format(f), classes)
			}
		}
	})
}

func TestExchangeable(t *testing.T) {
	for _, c := range []struct {
		formula    string
		l3, frey96 string
	}{
		{"not (a:(x) and b:(x)) if a != b", "[[a b]]", "[[a b]]"},
		{"not (a:(x) and b:(y)) if a != b", "[]", "[]"},
		{"not (a:(x) and b:(x)) if a == caller(b)", "[]", "[]"},
		{"not (a:(x) and b:(x) and c:(x)) if a != b", "[[a b]]", "[[a b]]"},
		{"not (a:(x) and b:(x) and c:(x)) if a != b and a != c and b != c", "[[a b c]]", "[[a b c]]"},
		{"a:(x) and b:(x)", "[[a b]]", "[]"}, // in frey96 b counts only where a is not undefined
		{"a:(x) and b:(x) and c:(y)", "[[a b]]", "[]"},
		{"a:(x) or b:(x) or c:(y) or d:(y)", "[[a b] [c d]]", "[[a b] [c d]]"},
		{"a:(x) until b:(x)", "[]", "[]"},
		{"exists u (u:(x) and a:(y)) or exists v (v:(x) and b:(y))", "[[a b]]", "[[a b]]"},
		{"exists u (forall v (u:(x) or v:(y) or a:(x))) or exists u (forall v (v:(x) or u:(y) or b:(x)))", "[]", "[]"},
		{"exists u (u:(x)) or exists v (exists u (u:(x) and u:(y) and a:(x))) or exists v (exists u (v:(x) and u:(y) and b:(x)))", "[]", "[]"},
		{"always a:(x) or sometime b:(x)", "[]", "[]"},
		{"next a:(x) or next^2 b:(x)", "[]", "[]"},
	} {
		for logic, want := range map[lsl.Logic]string{lsl.L3: c.l3, lsl.Frey96: c.frey96} {
			if got := fmt.Sprint(tlcheck.Exchangeable(t.Context(), property(t, c.formula).Formula,
				logic)); got != want {
				t.Errorf("%v %s: %v, want %v", logic, c.formula, got, want)
			}
		}
	}
}
