package tlcheck_test

import (
	"cmp"
	"fmt"
	stdslices "slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

var words = spectest.Words{
	TIVs:      []string{"t1", "t2"},
	Functions: []string{"f", "g"},
	Variables: [][]string{{"x"}, {"y"}, {"z"}, {"r", "x"}, {"r", "y"}},
	Previous:  [][]string{{"x"}, {"r", "x"}},
	Depth:     3,
}

// row is a line of a table.
type row struct {
	slice slices.Ideal
	tiva  []tlcheck.Binding
	value lsl.Truth
}

func table(t *rapid.T, net *san.Net, f spec.Formula, logic lsl.Logic) []row {
	var rows []row
	err := tlcheck.Table(t.Context(), net, f, logic,
		func(slice slices.Ideal, tiva []tlcheck.Binding, v lsl.Truth) error {
			rows = append(rows, row{slice, stdslices.Clone(tiva), v})
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// first returns the violation that a check must find: fewest actions, or the most for last, then
// the first TIVA, then the first index vector.
func first(net *san.Net, rows []row, initially, last bool) (row, bool) {
	var violations []row
	for _, r := range rows {
		if r.value == lsl.False && (!initially || r.slice.Events() == 0) {
			violations = append(violations, r)
		}
	}
	if len(violations) == 0 {
		return row{}, false
	}
	return stdslices.MinFunc(violations, func(a, b row) int {
		c := cmp.Compare(a.slice.Size(), b.slice.Size())
		if last {
			c = -c
		}
		for i := range a.tiva {
			c = cmp.Or(c, cmp.Compare(a.tiva[i].Task, b.tiva[i].Task))
		}
		for task := range san.Task(net.Tasks()) {
			c = cmp.Or(c, cmp.Compare(a.slice.At(task), b.slice.At(task)))
		}
		return c
	}), true
}

// TestSetsAgainstEnumeration compares the values of random formulas in random nets,
// slice by slice and TIVA by TIVA, and the witness with the first violation.
func TestSetsAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 10}).MustBuild()
		for range 10 {
			f := spectest.Formula(words).Draw(t, "formula")
			for _, logic := range []lsl.Logic{lsl.L3, lsl.Frey96} {
				rows := table(t, net, f, logic)
				compareSets(t, net, f, logic, rows)
				compareWitness(t, net, f, logic, rows)
			}
		}
	})
}

// TestConjunctions compares witnesses of conjunctions over several tasks, which are
// searched without sets and with lower bounds.
func TestConjunctions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 12}).MustBuild()
		atoms := rapid.SampledFrom([]string{"in.f", "in.g", "start.f", "term.f or start.g", "x == 1", "x > 0 and in.f",
			"not in.f"})
		for range 10 {
			var parts, conds []string
			for _, tiv := range []string{"t1", "t2", "t3"}[:rapid.IntRange(1, 3).Draw(t, "TIVs")] {
				parts = append(parts, tiv+":("+atoms.Draw(t, "atom")+")")
			}
			cond := rapid.SampledFrom([]string{"t1 != t2", "t2 != t3", "t1 != t3", "t1 == t2", "t2 == caller(t1)",
				"t1 == caller(t2)", "t3 != caller(t1)"})
			for range rapid.IntRange(1, 3).Draw(t, "conditions") {
				conds = append(conds, cond.Draw(t, "condition"))
			}
			f := property(t, "not ("+strings.Join(parts, " and ")+") if "+strings.Join(conds, " and ")).Formula
			compareWitness(t, net, f, lsl.L3, table(t, net, f, lsl.L3))
		}
	})
}

// TestUntil compares sets and witnesses of until and before between local predicates, which
// are searched span by span.
func TestUntil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 12}).MustBuild()
		atoms := rapid.SampledFrom([]string{"in.f", "in.g", "start.f", "term.f or start.g", "x == 1", "x > 0 and in.f",
			"not in.f"})
		tivs := rapid.SampledFrom([]string{"t1", "t2", "t3"})
		operand := func(label string) string { return tivs.Draw(t, label) + ":(" + atoms.Draw(t, "atom") + ")" }
		for range 10 {
			text := operand("left") + rapid.SampledFrom([]string{" until ", " before "}).Draw(t, "operator") +
				operand("right")
			if rapid.Bool().Draw(t, "negated") {
				text = "not (" + text + ")"
			}
			for range rapid.IntRange(0, 2).Draw(t, "premises") {
				text = operand("premise") + " -> (" + text + ")"
			}
			if rapid.Bool().Draw(t, "conditional") {
				var conds []string
				for range rapid.IntRange(1, 2).Draw(t, "conditions") {
					is := rapid.SampledFrom([]string{"%s == %s", "%s != %s", "%s == caller(%s)",
						"%s != caller(%s)"}).Draw(t, "is")
					conds = append(conds, fmt.Sprintf(is, tivs.Draw(t, "one"), tivs.Draw(t, "other")))
				}
				text = "(" + text + ") if " + strings.Join(conds, " and ")
			}
			f := property(t, text).Formula
			rows := table(t, net, f, lsl.L3)
			compareSets(t, net, f, lsl.L3, rows)
			compareWitness(t, net, f, lsl.L3, rows)
		}
	})
}

func compareSets(t *rapid.T, net *san.Net, f spec.Formula, logic lsl.Logic, rows []row) {
	err := tlcheck.Sets(t.Context(), net, f, logic, func(tiva []tlcheck.Binding, isTrue, isFalse slices.Set) {
		for len(rows) > 0 && stdslices.Equal(rows[0].tiva, tiva) {
			r := rows[0]
			rows = rows[1:]
			if isTrue.Contains(r.slice) != (r.value == lsl.True) ||
				isFalse.Contains(r.slice) != (r.value == lsl.False) {
				t.Fatalf("%v %s is %v in %s; by sets true: %v, false: %v", logic, spec.Format(f), r.value,
					key(net, r.slice, tiva), isTrue.Contains(r.slice), isFalse.Contains(r.slice))
			}
		}
	})
	if err != nil || len(rows) > 0 {
		t.Fatalf("%v, %d rows left", err, len(rows))
	}
}

// compareWitness compares the witness with the first violation, and looks at its explanation.
func compareWitness(t *rapid.T, net *san.Net, f spec.Formula, logic lsl.Logic, rows []row) {
	for _, initially := range []bool{false, true} {
		for _, last := range []bool{false, true} {
			r := compareFirst(t, net, &spec.Property{Formula: f, Initially: initially}, logic, last, rows)
			if r.Witness != nil && initially == last { // enumerates for each part
				checkExplanation(t, net, r.Witness.Reason, logic)
			}
		}
	}
}

// compareFirst compares the witness with the first violation.
func compareFirst(
	t *rapid.T, net *san.Net, prop *spec.Property, logic lsl.Logic, last bool, rows []row,
) *tlcheck.Result {
	r, err := tlcheck.Check(t.Context(), net, prop, tlcheck.Options{Logic: logic, Last: last})
	if err != nil {
		t.Fatal(err)
	}
	want, violated := first(net, rows, prop.Initially, last)
	if violated != (r.Verdict == tlcheck.Violated) || r.Verdict == tlcheck.Unknown {
		t.Fatalf("%v %s: %v, want violated %v", logic, spec.Format(prop.Formula), r.Verdict, violated)
	}
	if violated && (!r.Witness.Slice.Equal(want.slice) || !stdslices.Equal(r.Witness.TIVA, want.tiva)) {
		t.Fatalf("%v %s: witness %s, want %s; last %v", logic, spec.Format(prop.Formula),
			key(net, r.Witness.Slice, r.Witness.TIVA), key(net, want.slice, want.tiva), last)
	}
	return r
}

// checkExplanation checks that every part of an explanation has the value that the table of
// its formula has there, and that in the witness itself every part of the formula has one.
func checkExplanation(t *rapid.T, net *san.Net, e *tlcheck.Explanation, logic lsl.Logic) {
	checkParts(t, net, e, logic)
	checkPresent(t, e)
}

func checkParts(t *rapid.T, net *san.Net, e *tlcheck.Explanation, logic lsl.Logic) {
	for _, r := range table(t, net, e.Source, logic) {
		if r.slice.Equal(e.Slice) && stdslices.Equal(r.tiva, e.TIVA) && r.value != e.Truth {
			t.Fatalf("%s is %v in %s, explained as %v", spec.Format(e.Source), r.value, key(net, r.slice, r.tiva),
				e.Truth)
		}
	}
	for _, p := range stdslices.Concat(e.Parts, e.Here) {
		if p.Slice.Size()-e.Slice.Size() != len(p.Path) || !e.Slice.Leq(p.Slice) {
			t.Fatalf("%s: a path of %d actions from %v to %v", spec.Format(e.Source), len(p.Path), e.Slice, p.Slice)
		}
		checkParts(t, net, p, logic)
	}
}

// checkPresent checks that every operand has a value in the slice of its formula.
func checkPresent(t *rapid.T, e *tlcheck.Explanation) {
	present := map[spec.Formula]bool{}
	for _, p := range stdslices.Concat(e.Parts, e.Here) {
		if p.Slice.Equal(e.Slice) {
			present[p.Source] = true
			checkPresent(t, p)
		}
	}
	for _, f := range spec.Operands(e.Source) {
		if !present[f] {
			t.Fatalf("in %s no value of %s", spec.Format(e.Source), spec.Format(f))
		}
	}
}
