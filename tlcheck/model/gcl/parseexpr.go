package gcl

import (
	"fmt"
	"strconv"
)

// MaxNumber is the largest number of a program. The smallest is its negative.
const MaxNumber = 1 << 31

func (p *parser) expr() Expr { return nested(p, p.disjunction) }

func (p *parser) disjunction() Expr {
	l := p.conjunction()
	for p.is("or", "|", "||") {
		pos := p.tok().pos
		p.at++
		l = &Binary{Or, l, p.conjunction(), pos}
	}
	return l
}

func (p *parser) conjunction() Expr {
	l := p.negation()
	for p.is("and") {
		pos := p.tok().pos
		p.at++
		l = &Binary{And, l, p.negation(), pos}
	}
	return l
}

func (p *parser) negation() Expr {
	pos := p.tok().pos
	if !p.accept("not") {
		return p.comparison()
	}
	return &Unary{Not, nested(p, p.negation), pos}
}

var comparisons = map[string]Op{"=": Equal, "/=": NotEqual, "<": Less, "<=": LessEqual, ">": Greater,
	">=": GreaterEqual}

func (p *parser) comparison() Expr {
	l := p.sum()
	t := p.tok()
	op := comparisons[t.text]
	if op == 0 {
		return l
	}
	p.at++
	l = &Binary{op, l, p.sum(), t.pos}
	if comparisons[p.tok().text] != 0 {
		p.failAt(p.tok().pos, "comparisons do not chain", "", `write "a < b and b < c"`)
	}
	return l
}

var (
	sums     = map[string]Op{"+": Add, "-": Sub}
	products = map[string]Op{"*": Mul, "/": Div, "%": Mod}
)

func (p *parser) sum() Expr     { return p.leftToRight(sums, p.product) }
func (p *parser) product() Expr { return p.leftToRight(products, p.factor) }

// leftToRight reads operands with left-associative operators of one precedence.
func (p *parser) leftToRight(ops map[string]Op, operand func() Expr) Expr {
	l := operand()
	for {
		t := p.tok()
		op := ops[t.text]
		if op == 0 || t.kind != tokPunct {
			return l
		}
		p.at++
		l = &Binary{op, l, operand(), t.pos}
	}
}

func (p *parser) factor() Expr {
	t := p.tok()
	switch {
	case p.accept("-"):
		return &Unary{Minus, nested(p, p.factor), t.pos}
	case p.accept("("):
		e := p.expr()
		p.expect(")", "or an operator")
		return e
	case p.accept("true"), p.accept("false"):
		return &Bool{t.text == "true", t.pos}
	case t.kind == tokNumber:
		p.at++
		return p.number(t)
	case t.kind == tokName:
		return p.name("")
	}
	p.unexpected("a number, a variable or a condition")
	return nil
}

func (p *parser) number(t *token) Expr {
	n, err := strconv.ParseInt(t.text, 10, 64)
	if err != nil || n > MaxNumber {
		p.failAt(t.pos, fmt.Sprintf("%s is not a number of at most %d", t.describe(), MaxNumber), "", "")
	}
	return &Number{n, t.pos}
}
