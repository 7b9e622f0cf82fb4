package lsl

// Truth is a truth value of the logic. The zero value is Undefined.
type Truth int8

// The truth values.
const (
	Undefined Truth = 0
	True      Truth = 1
	False     Truth = -1
)

// String returns "true", "false" or "undefined".
func (t Truth) String() string {
	switch t {
	case True:
		return "true"
	case False:
		return "false"
	}
	return "undefined"
}

// Not returns the negation: true and false swapped.
func (t Truth) Not() Truth { return -t }

// TruthOf returns True or False.
func TruthOf(b bool) Truth {
	if b {
		return True
	}
	return False
}

// Logic is a dialect: the treatment of undefined by "and" and "or". The zero value is L3.
type Logic uint8

// The dialects. L3 is Łukasiewicz's logic (Frey and Schlingloff 1998): false and undefined is
// false. Frey96 (Frey 1996) is weak in local formulas: undefined if one side is. In the temporal
// logic it evaluates "and" and "or" from left to right.
const (
	L3 Logic = iota
	Frey96
)

// String returns the name of the dialect.
func (l Logic) String() string {
	if l == Frey96 {
		return "frey96"
	}
	return "l3"
}

// ParseLogic returns the dialect with this name.
func ParseLogic(name string) (Logic, bool) {
	for _, l := range []Logic{L3, Frey96} {
		if name == l.String() {
			return l, true
		}
	}
	return L3, false
}

// local is "or", else "and", of local formulas in the dialect. In the order false, undefined, true,
// Kleene's "and" is the minimum.
func (l Logic) local(or bool, a, b Truth) Truth {
	switch {
	case or:
		return l.local(false, a.Not(), b.Not()).Not()
	case l == Frey96 && (a == Undefined || b == Undefined):
		return Undefined
	}
	return min(a, b)
}

// Global is "or", else "and", of the temporal logic in the dialect. Frey96 evaluates from left to
// right, so an undefined left side determines the result.
func (l Logic) Global(or bool, a, b Truth) Truth {
	switch {
	case or:
		return l.Global(false, a.Not(), b.Not()).Not()
	case l == Frey96 && a == Undefined:
		return Undefined
	}
	return min(a, b)
}

// Truths is a set of truth values.
type Truths uint8

// AnyTruth has all truth values.
const AnyTruth Truths = 1<<3 - 1

// Only returns the set of one truth value.
func Only(t Truth) Truths { return 1 << (t + 1) }

func (ts Truths) Has(t Truth) bool { return ts&Only(t) != 0 }

// With returns the set with t.
func (ts Truths) With(t Truth) Truths { return ts | Only(t) }

// Not returns the negations.
func (ts Truths) Not() Truths {
	return ts.Combine(ts, func(t, _ Truth) Truth { return t.Not() })
}

// Combine returns the results of a connective for a value of each set.
func (ts Truths) Combine(us Truths, connective func(t, u Truth) Truth) Truths {
	var all Truths
	for t := False; t <= True; t++ {
		for u := False; u <= True; u++ {
			if ts.Has(t) && us.Has(u) {
				all = all.With(connective(t, u))
			}
		}
	}
	return all
}
