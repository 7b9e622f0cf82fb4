package slices

import (
	"cmp"
	"context"
)

// Budget bounds an operation on sets of slices. A set can need more intervals than there is time or
// memory for, and one operation on two large sets can take minutes. An operation that is stopped
// returns an error with the reason: the cause of the context's end (context.Cause), or an
// *IntervalsError. The zero Budget has no bounds.
type Budget struct {
	Context   context.Context // its end stops an operation; may be nil
	Intervals int             // maximal number of intervals in a set; 0 is no bound
}

// IntervalsError reports that a set of slices needs more intervals than the budget has.
type IntervalsError struct{ Limit int }

func (e *IntervalsError) Error() string {
	return "the sets of slices outgrew the budget of intervals"
}

// Err returns why an operation must stop; nil while it may continue.
func (b Budget) Err() error {
	if b.Context == nil {
		return nil
	}
	if err := b.Context.Err(); err != nil {
		return cmp.Or(context.Cause(b.Context), err)
	}
	return nil
}

// Allow is Err for an operation whose result has n intervals so far.
func (b Budget) Allow(n int) error {
	if b.Intervals > 0 && n > b.Intervals {
		return &IntervalsError{b.Intervals}
	}
	return b.Err()
}
