package ltl_test

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// word is a word as sets of the indexes of atoms that are true.
type word []map[string]bool

// satisfies is §2 of Gunter and Peled, word for word: operators that it does not define by
// themselves are replaced by their definitions.
func satisfies(w word, f *temporal.Formula) bool {
	not := func(f *temporal.Formula) *temporal.Formula { return &temporal.Formula{Op: temporal.Not, X: f} }
	make := func(op temporal.Op, x, y *temporal.Formula) *temporal.Formula {
		return &temporal.Formula{Op: op, X: x, Y: y}
	}
	top := &temporal.Formula{Op: temporal.True}
	switch f.Op {
	case temporal.Next:
		return len(w) > 1 && satisfies(w[1:], f.X)
	case temporal.Until:
		for j := range w {
			if satisfies(w[j:], f.Y) {
				return true
			}
			if !satisfies(w[j:], f.X) {
				return false
			}
		}
		return false
	case temporal.Not:
		return !satisfies(w, f.X)
	case temporal.Or:
		return satisfies(w, f.X) || satisfies(w, f.Y)
	case temporal.Atomic:
		return len(w) > 0 && w[0][f.Atom.Text]
	case temporal.True:
		return true
	case temporal.False:
		return false
	case temporal.WeakNext:
		return satisfies(w, not(make(temporal.Next, not(f.X), nil)))
	case temporal.And:
		return satisfies(w, not(make(temporal.Or, not(f.X), not(f.Y))))
	case temporal.Implies:
		return satisfies(w, make(temporal.Or, not(f.X), f.Y))
	case temporal.Iff:
		return satisfies(w, f.X) == satisfies(w, f.Y)
	case temporal.Release:
		return satisfies(w, not(make(temporal.Until, not(f.X), not(f.Y))))
	case temporal.Always:
		return satisfies(w, not(make(temporal.Until, top, not(f.X))))
	case temporal.Eventually:
		return satisfies(w, make(temporal.Until, top, f.X))
	case temporal.WeakUntil:
		return satisfies(w, make(temporal.Or, make(temporal.Until, f.X, f.Y), make(temporal.Always, f.X, nil)))
	case temporal.StrongRelease:
		return satisfies(w, make(temporal.And, make(temporal.Release, f.X, f.Y), make(temporal.Eventually, f.X, nil)))
	}
	panic("no operator of LTL")
}

// progresses decides by progression: after every letter the formula is rewritten into its
// obligations on the rest, until the last letter decides.
func progresses(w word, f *temporal.Formula) bool {
	for i, letter := range w {
		f = progress(f, letter, i == len(w)-1)
	}
	return f.Op == temporal.True
}

var (
	top    = &temporal.Formula{Op: temporal.True}
	bottom = &temporal.Formula{Op: temporal.False}
)

func progress(f *temporal.Formula, letter map[string]bool, last bool) *temporal.Formula {
	rest := func(f *temporal.Formula, ifLast bool) *temporal.Formula {
		if last {
			return constant(ifLast)
		}
		return f
	}
	switch f.Op {
	case temporal.True, temporal.False:
		return f
	case temporal.Atomic:
		return constant(letter[f.Atom.Text])
	case temporal.Next:
		return rest(f.X, false)
	case temporal.WeakNext:
		return rest(f.X, true)
	}
	x := progress(f.X, letter, last)
	switch f.Op {
	case temporal.Not:
		return negation(x)
	case temporal.Eventually:
		return disjunction(x, rest(f, false))
	case temporal.Always:
		return conjunction(x, rest(f, true))
	}
	y := progress(f.Y, letter, last)
	switch f.Op {
	case temporal.And:
		return conjunction(x, y)
	case temporal.Or:
		return disjunction(x, y)
	case temporal.Implies:
		return disjunction(negation(x), y)
	case temporal.Iff:
		return disjunction(conjunction(x, y), conjunction(negation(x), negation(y)))
	case temporal.Until:
		return disjunction(y, conjunction(x, rest(f, false)))
	case temporal.WeakUntil:
		return disjunction(y, conjunction(x, rest(f, true)))
	case temporal.Release:
		return conjunction(y, disjunction(x, rest(f, true)))
	case temporal.StrongRelease:
		return conjunction(y, disjunction(x, rest(f, false)))
	}
	panic("no operator of LTL")
}

func constant(value bool) *temporal.Formula {
	if value {
		return top
	}
	return bottom
}

func negation(x *temporal.Formula) *temporal.Formula {
	switch x.Op {
	case temporal.True:
		return bottom
	case temporal.False:
		return top
	}
	return &temporal.Formula{Op: temporal.Not, X: x}
}

func conjunction(x, y *temporal.Formula) *temporal.Formula {
	switch {
	case x.Op == temporal.False || y.Op == temporal.True || x == y:
		return x
	case y.Op == temporal.False || x.Op == temporal.True:
		return y
	}
	return &temporal.Formula{Op: temporal.And, X: x, Y: y}
}

func disjunction(x, y *temporal.Formula) *temporal.Formula {
	switch {
	case x.Op == temporal.True || y.Op == temporal.False || x == y:
		return x
	case y.Op == temporal.True || x.Op == temporal.False:
		return y
	}
	return &temporal.Formula{Op: temporal.Or, X: x, Y: y}
}

// words returns all words of n letters over atoms.
func words(atoms []string, n int) []word {
	if n == 0 {
		return []word{{}}
	}
	var all []word
	for _, w := range words(atoms, n-1) {
		for set := range 1 << len(atoms) {
			letter := map[string]bool{}
			for i, a := range atoms {
				letter[a] = set>>i&1 == 1
			}
			all = append(all, append(slices.Clone(w), letter))
		}
	}
	return all
}
