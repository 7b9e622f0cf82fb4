package tlcheck

import (
	"context"
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// ExplainViolation returns the result for a violation that package onthefly has found: the property is
// false in the slice that the actions generate, for these tasks as TIVs. That slice is the witness, which need not be
// minimal. If a budget runs out, the witness has no reason. The net may grow later.
func ExplainViolation(ctx context.Context, net *san.Net, prop *spec.Property, actions []san.Action, tiva []Binding, opt Options) (*Result, error) {
	prop, err := admit(net, prop, opt)
	if err != nil {
		return nil, err
	}
	ctx, cancel := opt.limit(ctx)
	defer cancel()
	c, err := newCheck(ctx, net, prop, opt)
	v, missing := c.place(actions, tiva)
	if missing != nil {
		return nil, missing
	}
	r := &Result{Property: prop, Verdict: Violated, EvalErrors: c.atoms.log.EvalErrors()}
	if err != nil { // no time for a reason
		r.Witness = c.located(v)
	} else {
		r.Witness = c.witness(context.WithoutCancel(ctx), v)
	}
	return r, nil
}

// Evaluate returns the value of the property's formula in the slice that the actions generate, for
// these tasks as TIVs, and why it is that. What lies later is what the net has of it. The net may be
// one that grows later.
func Evaluate(ctx context.Context, net *san.Net, prop *spec.Property, actions []san.Action, tiva []Binding, opt Options) (*Explanation, error) {
	prop, err := admit(net, prop, opt)
	if err != nil {
		return nil, err
	}
	ctx, cancel := opt.limit(ctx)
	defer cancel()
	c, err := newCheck(ctx, net, prop, opt)
	v, missing := c.place(actions, tiva)
	if missing != nil {
		return nil, missing
	}
	var truth lsl.Truth
	if err == nil {
		x := c.search.explainer(v.tiva)
		truth, err = x.truth(c.search.tree.root, v.slice)
	}
	if err != nil {
		return nil, err
	}
	return c.reason(context.WithoutCancel(ctx), v, truth), nil
}

// place is the slice and the TIVA that are given. From then on TIVs are tried with the tasks of the TIVA, too, of which others
// may have stood for some: a condition can say that a bound TIV is one of them.
func (c *check) place(actions []san.Action, tiva []Binding) (*violation, error) {
	v := &violation{slice: generated(c.search.lat, actions), tiva: make([]san.Task, len(c.search.tree.tivs))}
	for i, tiv := range c.search.tree.tivs {
		task, ok := taskOf(tiva, tiv)
		if !ok {
			return nil, fmt.Errorf("no task is given for the TIV %s", tiv)
		}
		v.tiva[i] = task
		if at, found := stdslices.BinarySearch(c.search.tasks, task); !found {
			c.search.tasks = stdslices.Insert(c.search.tasks, at, task)
		}
	}
	return v, nil
}

// generated returns the slice of the actions and all that precedes them.
func generated(lat *slices.Lattice, actions []san.Action) slices.Ideal {
	slice := lat.Bottom()
	for _, a := range actions {
		slice = slice.Join(lat.Down(a))
	}
	return slice
}

func taskOf(tiva []Binding, tiv string) (san.Task, bool) {
	for _, b := range tiva {
		if b.TIV == tiv {
			return b.Task, true
		}
	}
	return 0, false
}
