package symbolic

import "github.com/antichain-go/antichain/tlcheck/model/bdd"

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

// short returns the number without redundant sign bits.
func (n number) short() number {
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
	return sum.short()
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
	return quotient.short(), remainder.short()
}

// choose returns the number that is n where f is true, and otherwise m.
func choose(f *bdd.Function, n, m number) number {
	c := make(number, max(len(n), len(m)))
	for i := range c {
		c[i] = f.Choose(n.bit(i), m.bit(i))
	}
	return c.short()
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
