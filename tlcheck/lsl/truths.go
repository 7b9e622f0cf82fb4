package lsl

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
