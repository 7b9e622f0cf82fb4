package symbolic

import (
	"github.com/antichain-go/antichain/tlcheck/model/bdd"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
)

// number is a symbolic integer: bits in two's complement, the lowest first, the last one the sign.
// It has at least the sign bit. Nothing overflows, as operations add the bits that they may need.
type number []*bdd.Function

func constant(t *bdd.Table, value int64) number {
	var n number
	for {
		n = append(n, t.Constant(value&1 == 1))
		if value == 0 || value == -1 {
			return n
		}
		value >>= 1
	}
}

// sign returns the states in which the number is negative.
func (n number) sign() *bdd.Function { return n[len(n)-1] }

// bit returns a bit. Those behind the last one repeat the sign.
func (n number) bit(i int) *bdd.Function { return n[min(i, len(n)-1)] }

// trimSign returns the number without redundant sign bits.
func (n number) trimSign() number {
	for len(n) > 1 && n[len(n)-2].Equal(n.sign()) {
		n = n[:len(n)-1]
	}
	return n
}

// plus returns n + m, or n + m + 1.
func (n number) plus(m number, one *bdd.Function) number {
	width := max(len(n), len(m)) + 1
	sum, carry := make(number, width), one
	for i := range width {
		x, y := n.bit(i), m.bit(i)
		differ := x.Xor(y)
		sum[i] = differ.Xor(carry)
		carry = differ.Choose(carry, x)
	}
	return sum.trimSign()
}

func (n number) complement() number {
	c := make(number, len(n))
	for i := range n {
		c[i] = n[i].Not()
	}
	return c
}

func (n number) minus(t *bdd.Table, m number) number {
	return n.plus(m.complement(), t.Constant(true))
}

// times adds the products with the bits of m, and subtracts that with its sign.
func (n number) times(t *bdd.Table, m number) number {
	product := constant(t, 0)
	for i, bit := range m {
		part := make(number, 0, i+len(n))
		for range i {
			part = append(part, t.Constant(false))
		}
		for _, x := range n {
			part = append(part, x.And(bit))
		}
		if i < len(m)-1 {
			product = product.plus(part, t.Constant(false))
		} else {
			product = product.minus(t, part)
		}
	}
	return product
}

// divide returns the quotient by a positive number, rounded down, and the remainder. It is long
// division from the highest bit of n down. The first bit is the sign, so the dividend begins with
// -1 where it is set, and so does the quotient.
func (n number) divide(t *bdd.Table, by int64) (quotient, remainder number) {
	divisor := constant(t, by)
	quotient = make(number, len(n))
	// -1 = -1*by + by-1
	quotient[len(n)-1] = n.sign()
	remainder = choose(n.sign(), constant(t, by-1), constant(t, 0))
	for i := len(n) - 2; i >= 0; i-- {
		remainder = append(number{n[i]}, remainder...)
		rest := remainder.minus(t, divisor)
		quotient[i] = rest.sign().Not()
		remainder = choose(rest.sign(), remainder, rest)
	}
	return quotient.trimSign(), remainder.trimSign()
}

// choose returns the number that is n where f is true, and otherwise m.
func choose(f *bdd.Function, n, m number) number {
	c := make(number, max(len(n), len(m)))
	for i := range c {
		c[i] = f.Choose(n.bit(i), m.bit(i))
	}
	return c.trimSign()
}

// less returns the states in which n < m.
func (n number) less(t *bdd.Table, m number) *bdd.Function { return n.minus(t, m).sign() }

// equal returns the states in which n == m.
func (n number) equal(t *bdd.Table, m number) *bdd.Function {
	same := t.Constant(true)
	for i := range max(len(n), len(m)) {
		same = same.Minus(n.bit(i).Xor(m.bit(i)))
	}
	return same
}

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
