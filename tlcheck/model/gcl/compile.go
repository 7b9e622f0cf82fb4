package gcl

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// evaluator is a compiled expression: a number, or a condition.
type evaluator struct {
	number    func(packedState) int64 // nil for a condition
	low, high int64                   // bounds of the number
	condition func(packedState) bool  // nil for a number
	constant  bool
}

// compiler turns expressions into functions. It bails on errors.
type compiler struct {
	file, text string
	variables  map[string]*variable
	outputs    map[string]bool
	names      []string // of all variables and outputs, for suggestions in errors

	read []*variable // variables that were read since this was emptied
}

func (c *compiler) fail(at Pos, msg, expected, hint string) {
	source.Abort(source.ErrorIn(c.file, c.text, at, msg, expected, hint))
}

// condition compiles a condition. fixed reports whether it is the same in all states.
func (c *compiler) condition(e Expr) (hold func(packedState) bool, fixed bool) {
	x := c.expr(e)
	if x.condition == nil {
		c.fail(e.position(), "this is a number", "a condition", "compare it with another number")
	}
	return x.condition, x.constant
}

// number compiles a numeric expression.
func (c *compiler) number(e Expr) evaluator {
	x := c.expr(e)
	if x.number == nil {
		c.fail(e.position(), "this is a condition", "a number", "")
	}
	return x
}

// variable returns the variable with this name, which must not be an output.
func (c *compiler) variable(n *Name) *variable {
	v := c.variables[n.Name]
	if v != nil {
		return v
	}
	if c.outputs[n.Name] {
		c.fail(n.Pos, source.Short(n.Name)+" is an output, which cannot be read", "", "declare it with a range")
	}
	hint := "declare it with its range, as [0..1]"
	if near := source.Closest(n.Name, c.names); near != "" {
		hint = fmt.Sprintf("did you mean %s?", near)
	}
	c.fail(n.Pos, "there is no variable "+source.Short(n.Name), "", hint)
	return nil
}

func (c *compiler) expr(e Expr) evaluator {
	switch e := e.(type) {
	case *Number:
		return fixedNumber(e.Value)
	case *Bool:
		return fixedCondition(e.Value)
	case *Name:
		v := c.variable(e)
		if v.low == v.high {
			return fixedNumber(v.low)
		}
		c.read = append(c.read, v)
		return evaluator{number: v.get, low: v.low, high: v.high}
	case *Unary:
		return c.unary(e)
	}
	return c.binary(e.(*Binary))
}

func fixedNumber(n int64) evaluator {
	return evaluator{number: func(packedState) int64 { return n }, low: n, high: n, constant: true}
}

func fixedCondition(value bool) evaluator {
	return evaluator{condition: func(packedState) bool { return value }, constant: true}
}

func (c *compiler) unary(e *Unary) evaluator {
	if e.Op == Minus {
		x := c.number(e.X)
		if x.constant {
			return fixedNumber(-x.low)
		}
		return evaluator{number: func(w packedState) int64 { return -x.number(w) }, low: -x.high, high: -x.low}
	}
	hold, fixed := c.condition(e.X)
	return evaluator{condition: func(w packedState) bool { return !hold(w) }, constant: fixed}
}

func (c *compiler) binary(e *Binary) evaluator {
	switch {
	case e.Op == Or || e.Op == And:
		return c.connective(e)
	case e.Op >= Add:
		return c.arithmetic(e)
	}
	l, r := c.number(e.L), c.number(e.R)
	x := evaluator{condition: comparison(e.Op, l.number, r.number)}
	if value, known := decideByBounds(e.Op, &l, &r); known {
		x = fixedCondition(value)
	}
	return x
}

func (c *compiler) connective(e *Binary) evaluator {
	l, leftFixed := c.condition(e.L)
	r, rightFixed := c.condition(e.R)
	decides := e.Op == Or // the value of one operand that determines the result
	if leftFixed && l(nil) == decides || rightFixed && r(nil) == decides {
		return fixedCondition(decides)
	}
	x := evaluator{condition: func(w packedState) bool { return l(w) && r(w) }, constant: leftFixed && rightFixed}
	if e.Op == Or {
		x.condition = func(w packedState) bool { return l(w) || r(w) }
	}
	return x
}

// comparison returns the function of a comparison. Each operator has its own, since a search
// evaluates comparisons most of all.
func comparison(op Op, l, r func(packedState) int64) func(packedState) bool {
	switch op {
	case Equal:
		return func(w packedState) bool { return l(w) == r(w) }
	case NotEqual:
		return func(w packedState) bool { return l(w) != r(w) }
	case Less:
		return func(w packedState) bool { return l(w) < r(w) }
	case LessEqual:
		return func(w packedState) bool { return l(w) <= r(w) }
	case Greater:
		return func(w packedState) bool { return l(w) > r(w) }
	}
	return func(w packedState) bool { return l(w) >= r(w) }
}

// decideByBounds returns the value of a comparison, if the bounds of the operands determine it.
func decideByBounds(op Op, l, r *evaluator) (value, known bool) {
	switch op {
	case Equal, NotEqual:
		if l.high < r.low || r.high < l.low {
			return op == NotEqual, true
		}
		// the bounds overlap, so the result is known only for two equal constants
		return op == Equal, l.constant && r.constant
	}
	lowest, highest := compare(op, l.low, r.high), compare(op, l.high, r.low)
	return lowest, lowest == highest
}

func (c *compiler) arithmetic(e *Binary) evaluator {
	l, r := c.number(e.L), c.number(e.R)
	if (e.Op == Div || e.Op == Mod) && (!r.constant || r.low < 1) {
		c.fail(e.R.position(), "this is not a positive constant", "a divisor that is one", "")
	}
	x := evaluator{constant: l.constant && r.constant}
	x.low, x.high = bounds(e.Op, &l, &r)
	if x.low < -MaxNumber || x.high > MaxNumber {
		c.fail(e.Pos, fmt.Sprintf("the result may be as large as %d", max(x.high, -x.low)),
			fmt.Sprintf("at most %d", MaxNumber), "")
	}
	if x.constant {
		return fixedNumber(arithmetic(e.Op, l.low, r.low))
	}
	op := e.Op
	x.number = func(w packedState) int64 { return arithmetic(op, l.number(w), r.number(w)) }
	return x
}

// bounds returns the bounds of a result. No operand exceeds MaxNumber, so nothing overflows.
func bounds(op Op, l, r *evaluator) (low, high int64) {
	switch op {
	case Add:
		return l.low + r.low, l.high + r.high
	case Sub:
		return l.low - r.high, l.high - r.low
	case Mul:
		corners := [...]int64{l.low * r.low, l.low * r.high, l.high * r.low, l.high * r.high}
		low, high = corners[0], corners[0]
		for _, x := range corners {
			low, high = min(low, x), max(high, x)
		}
		return low, high
	case Div:
		return floor(l.low, r.low), floor(l.high, r.low)
	}
	return 0, r.low - 1
}
