package onthefly

import (
	"context"
	"fmt"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
)

// Truncation says what ended a run before its tasks had ended: it was
// "cut off". It is empty for a run that is over.
type Truncation string

// Undecided says why a verdict is unknown that depends on whether the run has ended.
func (c Truncation) Undecided() string {
	if c == "" {
		return ""
	}
	return fmt.Sprintf("the run was %s, and the verdict rests on what would have come next", string(c))
}

// SoFar says that a verdict is about the beginning of a run; it is empty if that is the whole.
func (c Truncation) SoFar() string {
	if c == "" {
		return ""
	}
	return "in what came before the run was " + string(c)
}

// Settle closes the checker and returns the results for the properties that have had no violation, in their order. What was
// added since the last Step is only known to be violated by a run that is over; tlcheck.ExplainViolation adds the reason. The
// net of what was read is returned, too. An error is that of Step.
func (c *Checker) Settle(ctx context.Context, cut Truncation) ([]*tlcheck.Result, *san.Net, error) {
	stuck := c.PendingError() != nil
	if stuck && cut == "" {
		cut = "cut off"
	}
	open := map[*root]bool{}
	for _, r := range c.roots {
		open[r] = r.found == nil
	}
	_, net, err := c.Close(ctx)
	if err != nil {
		return nil, nil, err
	}
	var all []*tlcheck.Result
	for _, r := range c.roots {
		if open[r] {
			all = append(all, c.settle(r, net, cut, stuck))
		}
	}
	return all, net, nil
}

// settle decides a property of a checker that is closed.
func (c *Checker) settle(r *root, net *san.Net, cut Truncation, stuck bool) *tlcheck.Result {
	if r.found != nil && cut == "" {
		return r.found.Result(net)
	}
	s := &tlcheck.Result{Property: r.property, Net: net, EvalErrors: c.evalErrors(r)}
	gaveUp := c.gaveUp()
	switch {
	case r.found != nil:
		s.Covered = cut.Undecided()
	case gaveUp != "":
		s.Covered = gaveUp
	case stuck:
		s.Covered = "there are events that wait for others, which did not come"
	default:
		s.Verdict, s.Covered = tlcheck.Holds, cut.SoFar()
		s.Vacuous = tlcheck.Vacuous(r.formula, func(number int) *lsl.Formula { return c.locals[number].Formula })
	}
	return s
}
