package lsl

import (
	"fmt"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// Valuation is an expression compiled for the local states of one net. Only one goroutine may use
// it at a time.
type Valuation struct {
	of *test
	e  spec.Expr
}

// CompileValue prepares an expression for evaluation.
func CompileValue(net *san.Net, e spec.Expr) *Valuation {
	c := &compiler{net: net}
	return &Valuation{c.test(&spec.Test{X: e}), e}
}

// In returns the value in a local state. An error says why there is none, or no single one.
func (v *Valuation) In(s *san.State) (event.Value, error) {
	if !v.of.lookUp(s) {
		return event.Value{}, fmt.Errorf("%s is not visible", spec.FormatExpr(v.e))
	}
	if groups, _ := v.of.groups(); len(groups) > 0 {
		return event.Value{}, fmt.Errorf("%s has a set of values", spec.FormatExpr(v.e))
	}
	value, f := v.of.eval(v.of.vars)
	switch {
	case f == nil:
		if why, ok := unrecorded(value); ok {
			return value, &UnrecordedError{fmt.Sprintf("%s was not recorded (%s)", spec.FormatExpr(v.e), why)}
		}
		return value, nil
	case f.unseen:
		return value, &UnrecordedError{f.reason}
	}
	return value, fmt.Errorf("%s: %s", spec.FormatExpr(f.expr), f.reason)
}

// UnrecordedError reports that a value was not recorded.
type UnrecordedError struct{ text string }

func (e *UnrecordedError) Error() string { return e.text }
