package stubborn

import (
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Applies reports whether a formula has the same truth on the fair paths of a reduced program.
func Applies(f *temporal.Formula, fairness kripke.Fairness) bool {
	return (fairness == kripke.Unfair || fairness == kripke.Process) && !hasNext(f)
}

func hasNext(f *temporal.Formula) bool {
	return f != nil && (f.Op == temporal.Next || f.Op == temporal.WeakNext || hasNext(f.X) || hasNext(f.Y))
}

// safety reports whether a formula without X, or its negation, is a safety property: if it is false
// on a path, some prefix shows it. In negation normal form it has no operator that waits for
// something (Sistla, "Safety, Liveness and Fairness in Temporal Logic", 1994, theorem 3.1).
func safety(f *temporal.Formula, negated bool) bool {
	if f == nil {
		return true
	}
	switch f.Op {
	case temporal.Not:
		return safety(f.X, !negated)
	case temporal.Implies:
		return safety(f.X, !negated) && safety(f.Y, negated)
	case temporal.Iff: // both operands occur plain and negated
		return safety(f.X, false) && safety(f.X, true) && safety(f.Y, false) && safety(f.Y, true)
	case temporal.Eventually, temporal.Until, temporal.StrongRelease:
		if !negated {
			return false
		}
	case temporal.Always, temporal.Release, temporal.WeakUntil:
		if negated {
			return false
		}
	}
	return safety(f.X, negated) && safety(f.Y, negated)
}
