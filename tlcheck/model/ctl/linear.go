package ctl

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Linear translates f, a formula of LTL over infinite words, into CTL: the result is true in a
// state iff f is true on all paths from there. It reports false if f is not of a kind for which a
// translation is known.
//
// The translation puts A before each temporal operator. That preserves the meaning in the common
// fragment of both logics (Maidl, "The Common Fragment of CTL and LTL", 2000), in which
// a proposition decides which operand of a disjunction continues:
//
//	p | f    (p & f) | (!p & g)    X f    f U p    f W p    p R f
//
// and formulas with the same meaning, as p -> f, G f, F p, and negations. F G p is AFG p.
//
// The result is not much longer than f, except that <-> repeats both operands. Linear reports false
// if the result would be much too long.
func Linear(f *temporal.Formula) (*temporal.Formula, bool) {
	l := &ctlTranslator{left: maxLinear}
	return l.translate(f, true)
}

// maxLinear limits how many times a formula or a part of it is rewritten.
const maxLinear = 1 << 16

// ctlTranslator rewrites formulas of linear time as formulas of CTL, up to a limit of rewritten
// parts.
type ctlTranslator struct {
	left int // how many parts may still be rewritten
}

// translate translates f or, if value is false, !f.
func (l *ctlTranslator) translate(f *temporal.Formula, value bool) (*temporal.Formula, bool) {
	if l.left--; l.left < 0 {
		return nil, false
	}
	if f.Propositional() {
		return literal(f, value), true
	}
	switch f.Op {
	case temporal.Not:
		return l.translate(f.X, !value)
	case temporal.And:
		return l.translateBoth(value, f.X, value, f.Y, value)
	case temporal.Or:
		return l.translateBoth(!value, f.X, value, f.Y, value)
	case temporal.Implies:
		return l.translateBoth(!value, f.X, !value, f.Y, value)
	case temporal.Iff:
		return l.iff(f.X, f.Y, value)
	case temporal.Next:
		return l.unary(temporal.AX, f.X, value)
	case temporal.Always, temporal.Eventually:
		return l.always(f.X, value, value == (f.Op == temporal.Always))
	}
	return l.binary(f, value)
}

func literal(f *temporal.Formula, value bool) *temporal.Formula {
	if value {
		return f
	}
	return &temporal.Formula{Op: temporal.Not, X: f, Pos: f.Pos}
}

func (l *ctlTranslator) unary(op temporal.Op, x *temporal.Formula, value bool) (*temporal.Formula, bool) {
	y, ok := l.translate(x, value)
	return &temporal.Formula{Op: op, X: y}, ok
}

// translateBoth translates a conjunction, or a disjunction in which one side decides which operand
// is meant.
func (l *ctlTranslator) translateBoth(both bool, x *temporal.Formula, xValue bool, y *temporal.Formula,
	yValue bool) (*temporal.Formula, bool) {
	op := temporal.And
	if !both {
		op = temporal.Or
	}
	one, ok := l.translate(x, xValue)
	other, also := l.translate(y, yValue)
	return &temporal.Formula{Op: op, X: one, Y: other}, ok && also &&
		(both || x.Propositional() || y.Propositional() || complementary(one, other))
}

// complementary reports whether two conjunctions begin with a proposition and its negation.
func complementary(x, y *temporal.Formula) bool {
	if x.Op != temporal.And || y.Op != temporal.And || !x.X.Propositional() || !y.X.Propositional() {
		return false
	}
	p, q := x.X.String(), y.X.String()
	return literal(x.X, false).String() == q || literal(y.X, false).String() == p
}

// iff splits p <-> f into (p & f) | (!p & !f).
func (l *ctlTranslator) iff(x, y *temporal.Formula, value bool) (*temporal.Formula, bool) {
	if !x.Propositional() {
		x, y = y, x
	}
	yes, ok := l.translate(y, value)
	no, also := l.translate(y, !value)
	return &temporal.Formula{Op: temporal.Or,
		X: &temporal.Formula{Op: temporal.And, X: x, Y: yes},
		Y: &temporal.Formula{Op: temporal.And, X: literal(x, false), Y: no},
	}, ok && also && x.Propositional()
}

// always translates G, or F, of x or its negation.
func (l *ctlTranslator) always(x *temporal.Formula, value, always bool) (*temporal.Formula, bool) {
	for x.Op == temporal.Not {
		x, value = x.X, !value
	}
	switch inner := x.Op == temporal.Always && value || x.Op == temporal.Eventually && !value; {
	case always:
		return l.unary(temporal.AG, x, value)
	case x.Propositional():
		return l.unary(temporal.AF, x, value)
	case inner && x.X.Propositional(): // F G p
		return l.unary(temporal.AFG, x.X, value)
	}
	return nil, false
}

// binary translates until and its relatives. The negation of one is another one, of the negated
// operands.
func (l *ctlTranslator) binary(f *temporal.Formula, value bool) (*temporal.Formula, bool) {
	op := f.Op
	if !value {
		op = map[temporal.Op]temporal.Op{temporal.Until: temporal.Release, temporal.Release: temporal.Until,
			temporal.WeakUntil: temporal.StrongRelease, temporal.StrongRelease: temporal.WeakUntil}[op]
	}
	x, ok := l.translate(f.X, value)
	y, also := l.translate(f.Y, value)
	if !ok || !also {
		return nil, false
	}
	switch op {
	case temporal.Until:
		return &temporal.Formula{Op: temporal.AU, X: x, Y: y}, y.Propositional()
	case temporal.WeakUntil:
		return &temporal.Formula{Op: temporal.AW, X: x, Y: y}, y.Propositional()
	case temporal.Release:
		return &temporal.Formula{Op: temporal.AR, X: x, Y: y}, x.Propositional()
	case temporal.StrongRelease: // y until both
		both := &temporal.Formula{Op: temporal.And, X: x, Y: y}
		return &temporal.Formula{Op: temporal.AU, X: y, Y: both}, x.Propositional()
	}
	return nil, false // weak next, which only finite words need
}

// Violation returns a fair path from an initial state on which a formula of LTL is false; nil if it
// is true on all of them. The argument is the translation by Linear. The path joins the paths of
// nested evidence.
func Violation(ctx context.Context, c Checker, linear *temporal.Formula) (*kripke.Path, error) {
	// true where no fair path begins
	unfair := &temporal.Formula{Op: temporal.AF, X: &temporal.Formula{Op: temporal.False}}
	r, err := c.Check(ctx, &temporal.Formula{Op: temporal.Or, X: unfair, Y: linear})
	if err != nil || r.Holds {
		return nil, err
	}
	w := &violation{ctx, c}
	steps, loop, err := w.pathFrom(linear, r.Witness)
	if err != nil {
		return nil, err
	}
	if loop < 0 { // any continuation will do
		end := r.Witness
		if len(steps) > 0 {
			end = steps[len(steps)-1].To
		}
		more, at, err := w.pathFrom(unfair, end)
		if err != nil {
			return nil, err
		}
		steps, loop = append(steps, more...), len(steps)+at
	}
	return &kripke.Path{Start: r.Witness, Steps: steps, Loop: loop}, nil
}

type violation struct {
	ctx     context.Context
	checker Checker
}

// pathFrom returns the beginning of a path from s on which f is false. If loop is not negative, the
// path is complete.
func (w *violation) pathFrom(f *temporal.Formula, s kripke.State) (steps []Step, loop int, err error) {
	r, err := w.checker.Check(w.ctx, f)
	if err != nil {
		return nil, -1, err
	}
	e, err := r.Evidence(w.ctx, s)
	if err != nil {
		return nil, -1, err
	}
	return w.follow(e)
}

// follow returns the path of evidence, continued by the paths of its reasons.
func (w *violation) follow(e *Evidence) (steps []Step, loop int, err error) {
	if e.Omitted {
		return w.pathFrom(e.Formula, e.State)
	}
	if e.Loop >= 0 {
		return e.Path, e.Loop, nil
	}
	end := e.State
	if len(e.Path) > 0 {
		end = e.Path[len(e.Path)-1].To
	}
	for _, b := range e.Because {
		if b.State != end || b.Holds || b.Formula.Propositional() {
			continue
		}
		more, loop, err := w.follow(b)
		if err != nil {
			return nil, -1, err
		}
		if len(more) > 0 {
			if loop >= 0 {
				loop += len(e.Path)
			}
			return slices.Concat(e.Path, more), loop, nil
		}
	}
	return e.Path, -1, nil
}
