package ltl

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Word is a finite sequence of letters, each the texts of the atoms that are true.
type Word [][]string

// Holds reports whether the word satisfies the formula (Gunter and Peled 2002, §2). The word
// may be empty: then atoms, X and U are false, and N and R are true.
//
// The time is the size of the formula times the length of the word. The error is the cause of the
// end of the context.
func Holds(ctx context.Context, f *temporal.Formula, w Word) (bool, error) {
	e := &evaluator{ctx: ctx, n: len(w), atoms: map[string]smallset.Set{}}
	for _, a := range f.Atoms() {
		e.atoms[a.Text] = smallset.New(e.n)
	}
	for i, letter := range w {
		for _, name := range letter {
			if states, ok := e.atoms[name]; ok {
				states.Add(i)
			}
		}
	}
	if e.n == 0 {
		return e.empty(f), context.Cause(ctx)
	}
	v := e.states(f)
	return v != nil && v.Has(0), context.Cause(ctx)
}

// evaluator computes in which states of a word formulas hold, operands first.
type evaluator struct {
	ctx   context.Context
	n     int
	atoms map[string]smallset.Set
}

func (e *evaluator) empty(f *temporal.Formula) bool {
	switch f.Op {
	case temporal.True, temporal.WeakNext, temporal.Always, temporal.Release, temporal.WeakUntil:
		return true
	case temporal.Not:
		return !e.empty(f.X)
	case temporal.And:
		return e.empty(f.X) && e.empty(f.Y)
	case temporal.Or:
		return e.empty(f.X) || e.empty(f.Y)
	case temporal.Implies:
		return !e.empty(f.X) || e.empty(f.Y)
	case temporal.Iff:
		return e.empty(f.X) == e.empty(f.Y)
	}
	return false
}

// states returns the states in which f holds; nil if the context has ended.
func (e *evaluator) states(f *temporal.Formula) smallset.Set {
	if e.ctx.Err() != nil {
		return nil
	}
	if f.Op == temporal.Atomic {
		return e.atoms[f.Atom.Text]
	}
	var x, y smallset.Set
	if f.X != nil {
		if x = e.states(f.X); x == nil {
			return nil
		}
	}
	if f.Y != nil {
		if y = e.states(f.Y); y == nil {
			return nil
		}
	}
	v := smallset.New(e.n)
	// value of the formula in the next state; behind the last state, the base of the recursion
	later := false
	switch f.Op {
	case temporal.WeakNext, temporal.Always, temporal.Release, temporal.WeakUntil:
		later = true
	}
	for i := e.n - 1; i >= 0; i-- {
		here := holdsAt(f.Op, x != nil && x.Has(i), y != nil && y.Has(i), later)
		if here {
			v.Add(i)
		}
		later = here
		if f.Op == temporal.Next || f.Op == temporal.WeakNext {
			later = x.Has(i)
		}
	}
	return v
}

// holdsAt is the value of a formula in a state, where x and y are the values of its operands there.
// later is its own value in the next state, and for X and N that of the operand.
func holdsAt(op temporal.Op, x, y, later bool) bool {
	switch op {
	case temporal.True:
		return true
	case temporal.Not:
		return !x
	case temporal.And:
		return x && y
	case temporal.Or:
		return x || y
	case temporal.Implies:
		return !x || y
	case temporal.Iff:
		return x == y
	case temporal.Next, temporal.WeakNext:
		return later
	case temporal.Eventually:
		return x || later
	case temporal.Always:
		return x && later
	case temporal.Until, temporal.WeakUntil:
		return y || x && later
	case temporal.Release, temporal.StrongRelease:
		return y && (x || later)
	}
	return false
}
