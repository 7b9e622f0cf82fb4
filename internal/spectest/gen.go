// Package spectest generates random formulas of the specification language for tests.
package spectest

import (
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// Words are the names in the atoms of a random formula. None may be empty.
type Words struct {
	TIVs      []string
	Functions []string
	Variables [][]string // dotted names
	Previous  [][]string // those whose previous values occur
	Full      bool       // every construct of expressions, meaningful or not
	Present   bool       // no temporal operators
	Depth     int        // of the temporal formula
}

// Formula draws a formula.
func Formula(w Words) *rapid.Generator[spec.Formula] {
	return rapid.Custom(func(t *rapid.T) spec.Formula { return w.formula(t, w.Depth) })
}

func (w Words) tiv(t *rapid.T) string { return rapid.SampledFrom(w.TIVs).Draw(t, "tiv") }

func (w Words) formula(t *rapid.T, depth int) spec.Formula {
	if depth <= 0 {
		return w.atom(t)
	}
	sub := func() spec.Formula { return w.formula(t, depth-1) }
	kind := rapid.IntRange(0, 12)
	if w.Present {
		kind = rapid.SampledFrom([]int{0, 1, 2, 3, 4, 11, 12})
	}
	switch kind.Draw(t, "formula") {
	case 0:
		return w.atom(t)
	case 1:
		return &spec.Not{X: sub()}
	case 2, 3:
		f := &spec.Nary{Op: rapid.SampledFrom([]spec.NaryOp{spec.And, spec.Or}).Draw(t, "op")}
		for range rapid.IntRange(2, 3).Draw(t, "n") {
			f.Xs = append(f.Xs, sub())
		}
		return f
	case 4:
		return &spec.Implies{L: sub(), R: sub()}
	case 5, 6:
		f := &spec.Future{Op: rapid.SampledFrom([]spec.FutureOp{spec.Next, spec.AllNext}).Draw(t, "op"), X: sub()}
		f.K = rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(t, "k")
		return f
	case 7, 8:
		ops := []spec.FutureOp{spec.Sometime, spec.Always, spec.Eventually, spec.Henceforth}
		return &spec.Future{Op: rapid.SampledFrom(ops).Draw(t, "op"), X: sub()}
	case 9, 10:
		op := rapid.SampledFrom([]spec.BinaryOp{spec.Until, spec.Before}).Draw(t, "op")
		return &spec.Binary{Op: op, L: sub(), R: sub()}
	case 11:
		f := &spec.If{X: sub()}
		for range rapid.IntRange(1, 2).Draw(t, "conds") {
			f.Conds = append(f.Conds, spec.Cond{Left: w.tiv(t), Right: w.tiv(t),
				Caller: rapid.Bool().Draw(t, "caller"), Differ: rapid.Bool().Draw(t, "differ")})
		}
		return f
	}
	op := rapid.SampledFrom([]spec.QuantOp{spec.Forall, spec.Exists}).Draw(t, "op")
	return &spec.Quant{Op: op, TIV: w.tiv(t), X: sub()}
}

func (w Words) atom(t *rapid.T) spec.Formula {
	return &spec.Atom{TIV: w.tiv(t), Local: w.local(t, rapid.IntRange(0, 2).Draw(t, "depth"))}
}

func (w Words) local(t *rapid.T, depth int) spec.Local {
	sub := func() spec.Local { return w.local(t, depth-1) }
	kind := 0
	if depth > 0 {
		kind = rapid.IntRange(0, 4).Draw(t, "local")
	}
	switch kind {
	case 1:
		return &spec.LocalNot{X: sub()}
	case 2, 3:
		op := rapid.SampledFrom([]spec.NaryOp{spec.And, spec.Or}).Draw(t, "op")
		return &spec.LocalNary{Op: op, Xs: []spec.Local{sub(), sub()}}
	case 4:
		return &spec.LocalImplies{L: sub(), R: sub()}
	}
	if rapid.Bool().Draw(t, "predicate") {
		return &spec.Predicate{
			Phase: rapid.SampledFrom([]spec.Phase{spec.AnyPhase, spec.StartPhase, spec.TermPhase}).Draw(t, "phase"),
			Func:  rapid.SampledFrom(w.Functions).Draw(t, "func"),
		}
	}
	if w.Full {
		return &spec.Test{X: w.expr(t, 3)}
	}
	return &spec.Test{X: w.comparison(t)}
}

func (w Words) comparison(t *rapid.T) spec.Expr {
	op := rapid.IntRange(int(spec.Equal), int(spec.GreaterEqual)).Draw(t, "op")
	return &spec.Operation{Op: spec.Operator(op), L: w.term(t), R: w.term(t)}
}

// term draws a variable, a small number, or a sum of both.
func (w Words) term(t *rapid.T) spec.Expr {
	v := &spec.Var{Path: rapid.SampledFrom(w.Variables).Draw(t, "var")}
	n := &spec.Literal{Value: event.IntValue(rapid.Int64Range(-1, 2).Draw(t, "int"))}
	switch rapid.IntRange(0, 6).Draw(t, "term") {
	case 0:
		return n
	case 1:
		return w.previous(t, n)
	case 2:
		return &spec.Operation{Op: rapid.SampledFrom([]spec.Operator{spec.Add, spec.Div, spec.Mod}).Draw(t, "op"),
			L: v, R: n}
	}
	return v
}

// previous draws the previous value of a variable; without such a variable it returns other.
func (w Words) previous(t *rapid.T, other spec.Expr) spec.Expr {
	if len(w.Previous) == 0 {
		return other
	}
	v := &spec.Var{Path: rapid.SampledFrom(w.Previous).Draw(t, "previous")}
	return &spec.Call{Func: spec.Prev, Args: []spec.Expr{v}}
}

func (w Words) expr(t *rapid.T, depth int) spec.Expr {
	sub := func() spec.Expr { return w.expr(t, depth-1) }
	kind := rapid.IntRange(0, 1).Draw(t, "leaf")
	if depth > 0 {
		kind = rapid.IntRange(0, 8).Draw(t, "expr")
	}
	switch kind {
	case 0:
		return &spec.Var{Path: rapid.SampledFrom(w.Variables).Draw(t, "var")}
	case 2:
		return &spec.Negate{X: sub()}
	case 3, 4:
		op := rapid.IntRange(int(spec.Equal), int(spec.Mod)).Draw(t, "op")
		return &spec.Operation{Op: spec.Operator(op), L: sub(), R: sub()}
	case 5:
		name := rapid.SampledFrom([]string{"len", "abs", "min", "max", "even", "odd", "sorted"}).Draw(t, "call")
		c := &spec.Call{Func: name}
		for range spec.Builtins[name] {
			c.Args = append(c.Args, sub())
		}
		return c
	case 6:
		return &spec.Index{X: sub(), I: sub()}
	case 7:
		return &spec.Field{X: sub(), Name: rapid.SampledFrom([]string{"f", "next", "not"}).Draw(t, "field")}
	case 8:
		return w.previous(t, &spec.Literal{Value: event.NullValue()})
	}
	return &spec.Literal{Value: w.literal(t)}
}

func (w Words) literal(t *rapid.T) event.Value {
	switch rapid.IntRange(0, 6).Draw(t, "literal") {
	case 0:
		return event.NullValue()
	case 1:
		return event.BoolValue(rapid.Bool().Draw(t, "bool"))
	case 2:
		return event.UintValue(rapid.Uint64().Draw(t, "uint"))
	case 3:
		return event.FloatValue(rapid.Float64().Draw(t, "float"))
	case 4:
		return event.StringValue(rapid.String().Draw(t, "string"))
	}
	return event.IntValue(rapid.Int64().Draw(t, "int"))
}
