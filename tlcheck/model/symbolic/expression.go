package symbolic

import (
	"github.com/antichain-go/antichain/tlcheck/model/bdd"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
)

// values are the values of fields, by number.
type values func(field int) number

// condition returns the states in which a condition is true.
func (p *program) condition(of values, e gcl.Expr) *bdd.Function {
	switch e := e.(type) {
	case *gcl.Bool:
		return p.table.Constant(e.Value)
	case *gcl.Unary:
		return p.condition(of, e.X).Not()
	}
	b := e.(*gcl.Binary)
	switch b.Op {
	case gcl.And:
		return p.condition(of, b.L).And(p.condition(of, b.R))
	case gcl.Or:
		return p.condition(of, b.L).Or(p.condition(of, b.R))
	}
	l, r := p.numeric(of, b.L), p.numeric(of, b.R)
	switch b.Op {
	case gcl.Equal:
		return l.equal(p.table, r)
	case gcl.NotEqual:
		return l.equal(p.table, r).Not()
	case gcl.Less:
		return l.less(p.table, r)
	case gcl.LessEqual:
		return r.less(p.table, l).Not()
	case gcl.Greater:
		return r.less(p.table, l)
	}
	return l.less(p.table, r).Not()
}

// numeric returns the value of a numeric expression.
func (p *program) numeric(of values, e gcl.Expr) number {
	switch e := e.(type) {
	case *gcl.Number:
		return constant(p.table, e.Value)
	case *gcl.Name:
		return of(p.number[e.Name])
	case *gcl.Unary:
		return constant(p.table, 0).minus(p.table, p.numeric(of, e.X))
	}
	b := e.(*gcl.Binary)
	l := p.numeric(of, b.L)
	switch b.Op {
	case gcl.Add:
		return l.plus(p.numeric(of, b.R), p.table.Constant(false))
	case gcl.Sub:
		return l.minus(p.table, p.numeric(of, b.R))
	case gcl.Mul:
		return l.times(p.table, p.numeric(of, b.R))
	}
	quotient, remainder := l.divide(p.table, b.R.(*gcl.Number).Value) // divisors are constants
	if b.Op == gcl.Div {
		return quotient
	}
	return remainder
}
