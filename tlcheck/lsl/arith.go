package lsl

import (
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

var errDivision = errors.New("divides by zero")

// operate evaluates an infix operator.
func operate(op spec.Operator, a, b event.Value) (event.Value, error) {
	switch op {
	case spec.Equal, spec.NotEqual:
		eq, err := equal(a, b)
		return event.BoolValue(eq == (op == spec.Equal)), err
	case spec.Less, spec.LessEqual, spec.Greater, spec.GreaterEqual:
		order, ok, err := compareOrdered(a, b)
		return event.BoolValue(ok && inOrder(op, order)), err
	}
	switch {
	case a.Kind() == event.Float && b.Kind() == event.Float:
		return floatArithmetic(op, a.Float(), b.Float())
	case a.Kind() == event.Int && b.Kind() == event.Int:
		n, err := integerArithmetic(op, a.Int(), b.Int())
		return event.IntValue(n), err
	case isInteger(a) && isInteger(b):
		return uintArithmetic(op, a, b)
	case isNumber(a) && isNumber(b):
		return event.Value{}, fmt.Errorf("%s mixes an integer and a float", op)
	}
	return event.Value{}, fmt.Errorf("%s of %s and %s", op, nameOf(a), nameOf(b))
}

func inOrder(op spec.Operator, order int) bool {
	switch op {
	case spec.Less:
		return order < 0
	case spec.LessEqual:
		return order <= 0
	case spec.Greater:
		return order > 0
	}
	return order >= 0
}

// integerArithmetic follows Go, including wrap-around.
func integerArithmetic[T int64 | uint64](op spec.Operator, a, b T) (T, error) {
	switch op {
	case spec.Add:
		return a + b, nil
	case spec.Sub:
		return a - b, nil
	case spec.Mul:
		return a * b, nil
	}
	if b == 0 {
		return 0, errDivision
	}
	if op == spec.Div {
		return a / b, nil
	}
	return a % b, nil
}

// uintArithmetic is for two integers if one is above the range of int64, and so was unsigned in the
// program.
func uintArithmetic(op spec.Operator, a, b event.Value) (event.Value, error) {
	if a.Kind() == event.Int && a.Int() < 0 || b.Kind() == event.Int && b.Int() < 0 {
		return event.Value{}, fmt.Errorf("%s mixes a negative integer and one above the range of int64", op)
	}
	n, err := integerArithmetic(op, a.Uint(), b.Uint())
	return event.UintValue(n), err
}

func floatArithmetic(op spec.Operator, a, b float64) (event.Value, error) {
	switch op {
	case spec.Add:
		return event.FloatValue(a + b), nil
	case spec.Sub:
		return event.FloatValue(a - b), nil
	case spec.Mul:
		return event.FloatValue(a * b), nil
	case spec.Div:
		if b == 0 {
			return event.Value{}, errDivision
		}
		return event.FloatValue(a / b), nil
	}
	return event.Value{}, fmt.Errorf("%s of floats", op)
}

func negate(v event.Value) (event.Value, error) {
	switch v.Kind() {
	case event.Int:
		return event.IntValue(-v.Int()), nil
	case event.Uint:
		return event.UintValue(-v.Uint()), nil
	case event.Float:
		return event.FloatValue(-v.Float()), nil
	}
	return event.Value{}, fmt.Errorf("- of %s", nameOf(v))
}

func indexOf(x, i event.Value) (event.Value, error) {
	switch {
	case x.Kind() == event.List && isInteger(i):
		list := x.List()
		if i.Kind() == event.Uint || i.Int() < 0 || i.Int() >= int64(len(list)) {
			return event.Value{}, fmt.Errorf("index out of range of a list of %d", len(list))
		}
		return list[i.Int()], nil
	case x.Kind() == event.Object && i.Kind() == event.String:
		return field(x, i.Str())
	}
	return event.Value{}, fmt.Errorf("%s indexed with %s", nameOf(x), nameOf(i))
}

func field(x event.Value, name string) (event.Value, error) {
	if x.Kind() != event.Object {
		return event.Value{}, fmt.Errorf("field %q of %s", name, nameOf(x))
	}
	v, ok := x.Field(name)
	if !ok {
		return event.Value{}, fmt.Errorf("no field %q in the object", name)
	}
	return v, nil
}
