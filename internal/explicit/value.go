package explicit

import (
	"context"

	"github.com/bits-and-blooms/bitset"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// TIVA is an assignment of tasks to task variables.
type TIVA map[string]san.Task

// Values returns the value of a formula in every slice for one assignment.
func (e *Evaluator) Values(ctx context.Context, f spec.Formula, tiva TIVA) ([]lsl.Truth, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sub := func(x spec.Formula) ([]lsl.Truth, error) { return e.Values(ctx, x, tiva) }
	switch f := f.(type) {
	case *spec.Atom:
		return e.atom(f, tiva[f.TIV]), nil
	case *spec.Not:
		p, err := sub(f.X)
		return negated(p), err
	case *spec.Nary:
		return e.chain(ctx, f.Xs, f.Op == spec.Or, tiva)
	case *spec.Implies:
		return e.chain(ctx, []spec.Formula{&spec.Not{X: f.L}, f.R}, true, tiva)
	case *spec.If:
		p, err := sub(f.X)
		for _, c := range f.Conds {
			if err == nil && !e.condition(c, tiva) {
				p = make([]lsl.Truth, e.Len())
			}
		}
		return p, err
	case *spec.Future:
		p, err := sub(f.X)
		if err != nil {
			return nil, err
		}
		for range max(f.K, 1) {
			p = e.future(f.Op, p)
		}
		return p, nil
	case *spec.Binary:
		p, err := sub(f.L)
		if err != nil {
			return nil, err
		}
		q, err := sub(f.R)
		if err != nil {
			return nil, err
		}
		if f.Op == spec.Before {
			u, err := e.until(ctx, negated(p), q)
			return negated(u), err
		}
		return e.until(ctx, p, q)
	}
	return e.quantifier(ctx, f.(*spec.Quant), tiva)
}

func negated(p []lsl.Truth) []lsl.Truth {
	r := make([]lsl.Truth, len(p))
	for i, t := range p {
		r[i] = t.Not()
	}
	return r
}

func (e *Evaluator) atom(f *spec.Atom, task san.Task) []lsl.Truth {
	local := e.local(f.Local)[task]
	r := make([]lsl.Truth, e.Len())
	for i, s := range e.slices {
		if e.Created(i, task) {
			r[i] = local[s[task]]
		}
	}
	return r
}

// connective is the truth table of "or" in the temporal logic; "and" is dual to it.
func (e *Evaluator) connective(or bool, p, q lsl.Truth) lsl.Truth {
	if !or {
		return e.connective(true, p.Not(), q.Not()).Not()
	}
	switch {
	case p == lsl.True:
		return lsl.True
	case p == lsl.False:
		return q
	case e.logic == lsl.L3 && q == lsl.True:
		return lsl.True
	}
	return lsl.Undefined
}

func (e *Evaluator) chain(ctx context.Context, xs []spec.Formula, or bool, tiva TIVA) ([]lsl.Truth, error) {
	var r []lsl.Truth
	for i, x := range xs {
		p, err := e.Values(ctx, x, tiva)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			r = append([]lsl.Truth(nil), p...)
			continue
		}
		for j := range r {
			r[j] = e.connective(or, r[j], p[j])
		}
	}
	return r, nil
}

func (e *Evaluator) condition(c spec.Cond, tiva TIVA) bool {
	same := tiva[c.Left] == tiva[c.Right]
	if c.Caller {
		parent, ok := e.net.Parent(tiva[c.Right])
		same = ok && parent == tiva[c.Left]
	}
	return same != c.Differ
}

// slicesWith returns the slices in which a formula has a value.
func slicesWith(p []lsl.Truth, value lsl.Truth) *bitset.BitSet {
	b := bitset.New(uint(len(p)))
	for i, t := range p {
		if t == value {
			b.Set(uint(i))
		}
	}
	return b
}

func (e *Evaluator) future(op spec.FutureOp, p []lsl.Truth) []lsl.Truth {
	r := make([]lsl.Truth, e.Len())
	isTrue, isFalse := slicesWith(p, lsl.True), slicesWith(p, lsl.False)
	for i := range r {
		switch op {
		case spec.Next:
			r[i] = lsl.TruthOf(e.someSuccessor(i, isTrue))
		case spec.AllNext:
			r[i] = lsl.TruthOf(!e.someSuccessor(i, isFalse))
		case spec.Sometime:
			r[i] = lsl.TruthOf(e.above[i].IntersectionCardinality(isTrue) > 0)
		case spec.Always:
			r[i] = lsl.TruthOf(e.above[i].IntersectionCardinality(isFalse) == 0)
		case spec.Eventually:
			r[i] = lsl.TruthOf(p[i] == lsl.True || e.above[i].IntersectionCardinality(isTrue) > 0)
		case spec.Henceforth:
			r[i] = lsl.TruthOf(p[i] != lsl.False && e.above[i].IntersectionCardinality(isFalse) == 0)
		}
	}
	return r
}

func (e *Evaluator) someSuccessor(i int, in *bitset.BitSet) bool {
	for _, j := range e.after[i] {
		if in.Test(uint(j)) {
			return true
		}
	}
	return false
}

// until: some l' > l with q true, and p not false in any slice strictly between.
func (e *Evaluator) until(ctx context.Context, p, q []lsl.Truth) ([]lsl.Truth, error) {
	r := make([]lsl.Truth, e.Len())
	isFalse := slicesWith(p, lsl.False)
	for i := range r {
		r[i] = lsl.False
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		falseAbove := e.above[i].Intersection(isFalse)
		for j, ok := e.above[i].NextSet(0); ok; j, ok = e.above[i].NextSet(j + 1) {
			if q[j] == lsl.True && e.below[j].IntersectionCardinality(falseAbove) == 0 {
				r[i] = lsl.True
				break
			}
		}
	}
	return r, nil
}

func (e *Evaluator) quantifier(ctx context.Context, f *spec.Quant, tiva TIVA) ([]lsl.Truth, error) {
	outer, hidden := tiva[f.TIV]
	defer func() {
		delete(tiva, f.TIV)
		if hidden {
			tiva[f.TIV] = outer
		}
	}()
	decisive := lsl.TruthOf(f.Op == spec.Exists) // one such task determines the result
	r := make([]lsl.Truth, e.Len())
	for i := range r {
		r[i] = decisive.Not()
	}
	for t := range san.Task(e.net.Tasks()) {
		tiva[f.TIV] = t
		p, err := e.Values(ctx, f.X, tiva)
		if err != nil {
			return nil, err
		}
		for i := range r {
			if p[i] == decisive {
				r[i] = decisive
			}
		}
	}
	return r, nil
}
