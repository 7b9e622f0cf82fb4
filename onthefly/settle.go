package onthefly

import (
	"context"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
)

// Settle closes the checker and returns the results for the properties without a violation so far,
// in their order. Events added since the last Step can violate a property only if the run is over.
// tlcheck.ExplainViolation adds the reason. Settle also returns the net of the whole run. Errors
// are those of Step.
func (c *Checker) Settle(ctx context.Context, cut tlcheck.Truncation) ([]*tlcheck.Result, *san.Net, error) {
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
func (c *Checker) settle(r *root, net *san.Net, cut tlcheck.Truncation, stuck bool) *tlcheck.Result {
	if r.found != nil && cut == "" {
		return r.found.Result(net)
	}
	s := &tlcheck.Result{Property: r.property, Net: net}
	gaveUp := c.abandonedReason()
	switch {
	case r.found != nil:
		s.Covered = cut.Undecided()
	case gaveUp != "":
		s.Covered = gaveUp
	case stuck:
		s.Covered = "there are events that wait for others, which did not come"
	default:
		vacuous := tlcheck.Vacuous(r.formula, func(number int) *lsl.Formula { return c.locals[number].Formula })
		s = tlcheck.NewHolds(net, r.property, r.formula, vacuous)
		s.Truncate(cut)
	}
	s.EvalErrors = c.evalErrors(r)
	return s
}
