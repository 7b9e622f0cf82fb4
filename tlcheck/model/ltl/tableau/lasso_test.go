package tableau_test

import (
	"context"
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// lasso is an infinite word with the truth of atoms. After the last letter the word continues at
// index letter.
type lasso struct {
	letters []map[string]bool
	again   int
}

func newLasso(m *tableau.Lasso) lasso {
	l := lasso{again: len(m.Stem)}
	for _, letter := range slices.Concat(m.Stem, m.Loop) {
		at := map[string]bool{}
		for _, name := range letter {
			at[name] = true
		}
		l.letters = append(l.letters, at)
	}
	return l
}

// next returns the place behind i.
func (l lasso) next(i int) int {
	if i+1 == len(l.letters) {
		return l.again
	}
	return i + 1
}

// satisfies is the definition of the report's §2, by the values of all subformulas at all
// places. An until is true if its right side comes up within as many steps as there are places.
func (l lasso) satisfies(f *temporal.Formula) bool { return l.values(f)[0] }

func (l lasso) values(f *temporal.Formula) []bool {
	var x, y []bool
	if f.X != nil {
		x = l.values(f.X)
	}
	if f.Y != nil {
		y = l.values(f.Y)
	}
	v := make([]bool, len(l.letters))
	for i := range v {
		v[i] = l.value(f, x, y, i)
	}
	return v
}

func (l lasso) value(f *temporal.Formula, x, y []bool, i int) bool {
	switch f.Op {
	case temporal.True:
		return true
	case temporal.False:
		return false
	case temporal.Atomic:
		return l.letters[i][f.Atom.Text]
	case temporal.Not:
		return !x[i]
	case temporal.And:
		return x[i] && y[i]
	case temporal.Or:
		return x[i] || y[i]
	case temporal.Implies:
		return !x[i] || y[i]
	case temporal.Iff:
		return x[i] == y[i]
	case temporal.Next:
		return x[l.next(i)]
	case temporal.Eventually:
		return l.until(nil, x, i)
	case temporal.Always:
		return !l.until(nil, not(x), i)
	case temporal.Until:
		return l.until(x, y, i)
	case temporal.WeakUntil: // not: !y until neither
		return !l.until(not(y), and(not(x), not(y)), i)
	case temporal.Release:
		return !l.until(not(x), not(y), i)
	case temporal.StrongRelease:
		return l.until(y, and(x, y), i)
	}
	panic(f.Op)
}

func (l lasso) until(x, y []bool, i int) bool {
	for range l.letters {
		if y[i] {
			return true
		}
		if x != nil && !x[i] {
			return false
		}
		i = l.next(i)
	}
	return false
}

func not(x []bool) []bool {
	r := make([]bool, len(x))
	for i := range x {
		r[i] = !x[i]
	}
	return r
}

func and(x, y []bool) []bool {
	r := make([]bool, len(x))
	for i := range x {
		r[i] = x[i] && y[i]
	}
	return r
}

// decide checks an answer, and that its model is one.
func decide(t testing.TB, name string, f *temporal.Formula,
	sat func(context.Context, *temporal.Formula) (*tableau.Answer, error), want bool) {
	t.Helper()
	a, err := sat(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	if (a.Model != nil) != want || (a.Reason == nil) != want {
		t.Errorf("%s: model %v, want satisfiable %v", name, a.Model, want)
		return
	}
	if want && !newLasso(a.Model).satisfies(f) {
		t.Errorf("%s: %v does not satisfy it", name, a.Model)
	}
}
