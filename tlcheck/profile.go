package tlcheck

import (
	"context"
	"math/big"
	"time"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Costs are the costs of making a plan and executing it.
type Costs struct {
	TIVAs *big.Int // number of TIVAs

	Plan    time.Duration // making the plan
	Values  time.Duration // finding the values of the atoms in every local state
	Search  time.Duration // searching, with the time of the nodes
	Reasons time.Duration // explaining the witness
}

// Total returns the sum of all durations.
func (c *Costs) Total() time.Duration { return c.Plan + c.Values + c.Search + c.Reasons }

// Profile checks like Check and also returns the plan with its costs. It fails where Check fails,
// and with a *PlanStoppedError if a budget runs out before there is a plan.
func Profile(ctx context.Context, net *san.Net, prop *spec.Property, opt Options) (*Plan, *Result, error) {
	resolved, err := admit(net, prop, opt)
	if err == nil {
		err = isAboutStates(prop, "explained")
	}
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := opt.limitContext(ctx)
	defer cancel()
	var planning, values, searching, explaining cost
	clock := newClock(time.Now, &planning)
	c := plannedCheck(ctx, net, formula.Compile(resolved, opt.Logic), opt)
	c.measure(clock)
	plan, err := newPlan(ctx, c.search.formula, c.search.branches, sharedNames(net))
	if err != nil {
		return nil, nil, err
	}
	clock.switchTo(&values)
	err = c.begin()
	clock.switchTo(&searching)
	if err == nil {
		err = c.search.run()
	}
	clock.switchTo(&explaining)
	explained := clock.since
	search := searching.Own
	for i := range plan.Nodes {
		n := &plan.Nodes[i]
		// explaining adds to the cost of the check
		n.Cost = c.search.memos[n.node.Number].cost.NodeCost
		search += n.Cost.Own
	}
	result := c.result(prop, err)
	reasons := time.Since(explained)
	plan.Costs = &Costs{TIVAs: power(net.Tasks(), len(c.search.formula.TIVs)),
		Plan: planning.Own, Values: values.Own, Search: search, Reasons: reasons}
	return plan, result, nil
}

// measure starts the clock for the nodes of the formula.
func (c *check) measure(k *clock) {
	for _, n := range c.search.formula.Nodes {
		c.search.memos[n.Number].cost = &cost{clock: k}
	}
}

func power(n, k int) *big.Int {
	return new(big.Int).Exp(big.NewInt(int64(n)), big.NewInt(int64(k)), nil)
}

// cost is the time and space that a node takes in a profiled check. It is nil in other checks: the
// methods of a nil cost do nothing.
type cost struct {
	NodeCost
	clock *clock
}

// clock attributes elapsed time to the current computation.
type clock struct {
	now     func() time.Time
	running *cost
	since   time.Time
}

// newClock returns a clock that attributes time to running until a node is entered.
func newClock(now func() time.Time, running *cost) *clock {
	return &clock{now: now, running: running, since: now()}
}

// switchTo stops the time of the running cost and starts that of c.
func (k *clock) switchTo(c *cost) (before *cost) {
	now := k.now()
	before = k.running
	before.Own += now.Sub(k.since)
	k.running, k.since = c, now
	return before
}

// enter begins the computation of one set. It returns the argument for leave.
func (c *cost) enter() (outer *cost) {
	if c == nil {
		return nil
	}
	return c.clock.switchTo(c)
}

// leave ends the computation of one set with that many intervals.
func (c *cost) leave(outer *cost, intervals int) {
	if c == nil {
		return
	}
	c.clock.switchTo(outer)
	c.Sets++
	c.Intervals += intervals
	c.Largest = max(c.Largest, intervals)
}
