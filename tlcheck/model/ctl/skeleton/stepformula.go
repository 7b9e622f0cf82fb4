package skeleton

import "github.com/antichain-go/antichain/tlcheck/model/temporal"

// stepFormula is a formula about moves: a move from a state that satisfies one formula leads to a
// state that satisfies another one.
type stepFormula struct {
	process     string // of the move; "" for any process
	when, after *temporal.Formula
}

// stepOf reads f as a disjunction of a formula about the present and one AX. EX_i true -> AX_i f
// qualifies, as AX_i false | AX_i f equals AX_i f. A disjunction of several AX does not: no single
// move refutes it.
func stepOf(f *temporal.Formula) (*stepFormula, bool) {
	s := &stepFormula{when: constant(true)}
	ok := s.add(f, false)
	return s, ok && s.after != nil
}

func constant(value bool) *temporal.Formula {
	if value {
		return &temporal.Formula{Op: temporal.True}
	}
	return &temporal.Formula{Op: temporal.False}
}

// add adds an alternative, or its negation. It reports false if that is not a formula about moves.
func (s *stepFormula) add(f *temporal.Formula, negated bool) bool {
	switch {
	case propositional(f):
		s.when = and(s.when, negation(f, !negated))
		return true
	case f.Op == temporal.Not:
		return s.add(f.X, !negated)
	case f.Op == temporal.Implies && !negated:
		return s.add(f.X, true) && s.add(f.Y, false)
	case f.Op == temporal.Or && !negated, f.Op == temporal.And && negated:
		return s.add(f.X, negated) && s.add(f.Y, negated)
	case f.Op == temporal.AX && !negated, f.Op == temporal.EX && negated:
		return propositional(f.X) && s.next(f.Process, negation(f.X, negated))
	}
	return false
}

func (s *stepFormula) next(process string, f *temporal.Formula) bool {
	if s.after == nil || s.process == process && isFalse(s.after) {
		s.process, s.after = process, f
		return true
	}
	return s.process == process && isFalse(f)
}

func negation(f *temporal.Formula, negated bool) *temporal.Formula {
	switch {
	case !negated:
		return f
	case f.Op == temporal.Not:
		return f.X
	case f.Op == temporal.True || f.Op == temporal.False:
		return constant(f.Op == temporal.False)
	}
	return &temporal.Formula{Op: temporal.Not, X: f}
}

func and(f, g *temporal.Formula) *temporal.Formula {
	if f.Op == temporal.True {
		return g
	}
	return &temporal.Formula{Op: temporal.And, X: f, Y: g}
}

func isFalse(f *temporal.Formula) bool { return f.Op == temporal.False }
