package gcl

import "iter"

// Names yields the names in an expression, which may be nil.
func Names(e Expr) iter.Seq[string] {
	return func(yield func(string) bool) { names(e, yield) }
}

func names(e Expr, yield func(string) bool) bool {
	switch e := e.(type) {
	case *Name:
		return yield(e.Name)
	case *Unary:
		return names(e.X, yield)
	case *Binary:
		return names(e.L, yield) && names(e.R, yield)
	}
	return true
}

// Fold evaluates an expression of an action for given values of some fields, as far as they
// determine it. The expression may be nil.
func Fold(e Expr, known map[string]int64) Expr {
	switch e := e.(type) {
	case *Name:
		if value, ok := known[e.Name]; ok {
			return &Number{value, e.Pos}
		}
	case *Unary:
		return foldUnary(&Unary{e.Op, Fold(e.X, known), e.Pos})
	case *Binary:
		return foldBinary(&Binary{e.Op, Fold(e.L, known), Fold(e.R, known), e.Pos})
	}
	return e
}

// foldUnary evaluates an operator if its operand is known.
func foldUnary(e *Unary) Expr {
	switch x := e.X.(type) {
	case *Number:
		if e.Op == Minus {
			return &Number{-x.Value, e.Pos}
		}
	case *Bool:
		if e.Op == Not {
			return &Bool{!x.Value, e.Pos}
		}
	}
	return e
}

// foldBinary evaluates an operator as far as its operands are known.
func foldBinary(e *Binary) Expr {
	if l, ok := e.L.(*Bool); ok {
		return foldConnective(e, l.Value, e.R)
	}
	if r, ok := e.R.(*Bool); ok {
		return foldConnective(e, r.Value, e.L)
	}
	l, ok := e.L.(*Number)
	r, also := e.R.(*Number)
	switch {
	case !ok || !also || e.Op == Or || e.Op == And:
		return e
	case e.Op >= Add:
		return &Number{arithmetic(e.Op, l.Value, r.Value), l.Pos}
	}
	return &Bool{compare(e.Op, l.Value, r.Value), l.Pos}
}

// foldConnective evaluates an "and" or "or" with one known operand. It keeps the operator if the
// other operand is not a condition.
func foldConnective(e *Binary, known bool, other Expr) Expr {
	_, isBool := other.(*Bool)
	if b, ok := other.(*Binary); !isBool && (!ok || b.Op >= Add) {
		if u, ok := other.(*Unary); !ok || u.Op != Not {
			return e
		}
	}
	switch {
	case e.Op == And && known, e.Op == Or && !known:
		return other
	case e.Op == And, e.Op == Or:
		return &Bool{known, e.position()}
	}
	return e
}

// arithmetic applies Op to numbers. A divisor must be positive.
func arithmetic(op Op, l, r int64) int64 {
	switch op {
	case Add:
		return l + r
	case Sub:
		return l - r
	case Mul:
		return l * r
	case Div:
		return floor(l, r)
	}
	return l - r*floor(l, r)
}

// floor returns l/r rounded down. r must be positive.
func floor(l, r int64) int64 {
	if l < 0 {
		return -((-l + r - 1) / r)
	}
	return l / r
}

func compare(op Op, l, r int64) bool {
	switch op {
	case Equal:
		return l == r
	case NotEqual:
		return l != r
	case Less:
		return l < r
	case LessEqual:
		return l <= r
	case Greater:
		return l > r
	}
	return l >= r
}
