package tableau

import (
	"context"
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/temporal"
)

// EGF and AFG say nothing of the present and of themselves in next states that would make them true, so a tableau has no rule for
// them. But between two formulas that it has rules for there they are:
//
//	EG AF f  implies  EGF f  implies  EG EF f
//	AF AG f  implies  AFG f  implies  AF EG f
//
// A model of the formula with the stronger ones is a model. If that with the weaker ones has none, there is none. What is between these
// is decided only if the model of the weaker happens to be one.

// UndecidedError says that it is not known whether a formula with EGF or AFG is satisfiable.
type UndecidedError struct{ Formula *temporal.Formula }

func (e *UndecidedError) Error() string {
	return fmt.Sprintf("whether this is satisfiable is not known: there is no rule for %s, and what comes close to it does not decide it", e.Formula.Op)
}

// firstInfinitary returns the first part of f that is an EGF or AFG; nil if there is none.
func firstInfinitary(f *temporal.Formula) *temporal.Formula {
	if f == nil || f.Op == temporal.EGF || f.Op == temporal.AFG {
		return f
	}
	if x := firstInfinitary(f.X); x != nil {
		return x
	}
	return firstInfinitary(f.Y)
}

// between decides a formula by stronger and weaker ones.
func between(ctx context.Context, f *temporal.Formula, o Options, most int) (*Outcome, error) {
	outcome, err := satisfy(ctx, without(f, true), o, most)
	if err != nil || outcome.Model != nil {
		return outcome, err
	}
	outcome, err = satisfy(ctx, without(f, false), o, most)
	if err != nil || outcome.Model == nil {
		return outcome, err
	}
	holds, err := holdsIn(ctx, outcome.Model, f)
	if err == nil && !holds {
		err = &UndecidedError{firstInfinitary(f)}
	}
	return outcome, err
}

// without returns a formula without EGF and AFG that is stronger than f, or weaker.
func without(f *temporal.Formula, stronger bool) *temporal.Formula {
	if firstInfinitary(f) == nil {
		return f
	}
	r := *f
	switch f.Op {
	case temporal.EGF:
		return twice(temporal.EG, temporal.AF, temporal.EF, without(f.X, stronger), stronger)
	case temporal.AFG:
		return twice(temporal.AF, temporal.AG, temporal.EG, without(f.X, stronger), stronger)
	case temporal.Not:
		r.X = without(f.X, !stronger)
		return &r
	case temporal.Implies:
		r.X, r.Y = without(f.X, !stronger), without(f.Y, stronger)
		return &r
	case temporal.Iff:
		there := &temporal.Formula{Op: temporal.Implies, X: f.X, Y: f.Y}
		back := &temporal.Formula{Op: temporal.Implies, X: f.Y, Y: f.X}
		return &temporal.Formula{Op: temporal.And, X: without(there, stronger), Y: without(back, stronger)}
	}
	r.X = without(f.X, stronger)
	if f.Y != nil {
		r.Y = without(f.Y, stronger)
	}
	return &r
}

// twice returns x under two operators, of which the inner one depends.
func twice(outer, strong, weak temporal.Op, x *temporal.Formula, stronger bool) *temporal.Formula {
	inner := weak
	if stronger {
		inner = strong
	}
	return &temporal.Formula{Op: outer, X: &temporal.Formula{Op: inner, X: x}}
}
