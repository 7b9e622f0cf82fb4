package tlcheck

import (
	"context"
	"math/big"
	"time"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Costs are what carrying out a plan has taken.
type Costs struct {
	TIVAs *big.Int // how many there are

	Values  time.Duration // finding the values of the atoms in every local state
	Search  time.Duration // searching, without the time of the nodes
	Reasons time.Duration // explaining the witness
	Total   time.Duration
}

// Profile checks like Check and also returns the plan with what it has taken. It fails where
// Check fails.
func Profile(ctx context.Context, net *san.Net, prop *spec.Property, opt Options) (*Plan, *Result, error) {
	prop, err := admit(net, prop, opt)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := opt.limit(ctx)
	defer cancel()
	var shared []string
	for _, b := range net.Header().Shared {
		shared = append(shared, b.Name)
	}
	begin := time.Now()
	c, err := newCheck(ctx, net, prop, opt)
	costs := &Costs{TIVAs: power(net.Tasks(), len(c.search.tree.tivs)), Values: time.Since(begin)}
	var search, rest cost
	clock := newClock(time.Now, &rest)
	plan := newPlan(prop, c.search.tree, c.measured(clock), c.search.branches, shared)
	plan.Costs = costs
	clock.turn(&search)
	if err == nil {
		err = c.search.run()
	}
	clock.turn(&rest)
	costs.Search = search.Own
	for i := range plan.Nodes {
		plan.Nodes[i].Cost = plan.Nodes[i].cost.NodeCost
	}
	costs.Total = time.Since(begin)
	result, err := c.result(prop, err)
	costs.Reasons = time.Since(begin) - costs.Total
	costs.Total += costs.Reasons
	return plan, result, err
}

// measured makes the clock run for the nodes of the tree and returns its root.
func (c *check) measured(k *clock) *node {
	t := c.search.tree
	root := t.node(t.root, false)
	todo := []*node{root}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n.cost == nil {
			n.cost = &cost{clock: k}
			todo = append(append(todo, n.kids...), n.guards...)
		}
	}
	return root
}

// power returns n to the power of k.
func power(n, k int) *big.Int {
	return new(big.Int).Exp(big.NewInt(int64(n)), big.NewInt(int64(k)), nil)
}
