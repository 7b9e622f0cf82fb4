package tlcheck

import (
	"context"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// NewHolds returns the result for a property that package onthefly found to hold; f is its formula.
func NewHolds(net *san.Net, prop *spec.Property, f *formula.Formula, vacuous string) *Result {
	return &Result{Property: prop, Net: net, Verdict: Holds, Vacuous: vacuous, compiled: f}
}

// NewViolation returns the result for a violation that package onthefly found: f, the property's
// formula, is false in the slice that the actions generate, for these tasks as TIVs, in order of
// their names. That slice is the witness, which need not be minimal. It has no reason: see
// ExplainViolation.
func NewViolation(net *san.Net, prop *spec.Property, f *formula.Formula, actions []san.Action, tiva []Binding) *Result {
	lat := slices.NewLattice(net)
	return &Result{Property: prop, Net: net, Verdict: Violated, compiled: f,
		Witness: newWitness(lat, generatedSlice(lat, actions), tiva)}
}

// ExplainViolation adds the reason to the witness of a result of NewViolation, and the evaluation
// errors. If a budget runs out, the witness has no reason. The logic is that of the formula. The
// net may grow later. Any other result is an error.
func ExplainViolation(ctx context.Context, r *Result, opt Options) error {
	if r.compiled == nil {
		return errors.New("tlcheck: only a result of NewViolation can be explained")
	}
	ctx, cancel := opt.limitContext(ctx)
	defer cancel()
	c, err := r.check(ctx, opt)
	v, missing := c.sliceAndTIVA(c.search.lat.Maximal(r.Witness.Slice), r.Witness.TIVA)
	if missing != nil {
		return missing
	}
	r.EvalErrors = c.atoms.log.EvalErrors()
	if err == nil { // else there is no time for a reason
		r.Witness.Reason = c.reason(context.WithoutCancel(ctx), v, lsl.False)
	}
	return nil
}

// check returns a check of the result's property alone, whose parts have positions in its own text.
func (r *Result) check(ctx context.Context, opt Options) (*check, error) {
	f := r.compiled
	if len(f.Set.Formulas) > 1 {
		f = formula.Compile(f.Property, f.Set.Logic)
	}
	return newCheck(ctx, r.Net, f, opt)
}

// Evaluate returns the value of the property's formula, and why it has it, in the slice that the
// actions generate, for these tasks as TIVs. Temporal operators look at the present net, which may
// grow later.
func Evaluate(
	ctx context.Context, net *san.Net, prop *spec.Property, actions []san.Action, tiva []Binding, opt Options,
) (*Explanation, error) {
	prop, err := admit(net, prop, opt)
	if err == nil {
		err = isAboutStates(prop, "evaluated in a state")
	}
	if err != nil {
		return nil, err
	}
	ctx, cancel := opt.limitContext(ctx)
	defer cancel()
	c, err := newCheck(ctx, net, formula.Compile(prop, opt.Logic), opt)
	v, missing := c.sliceAndTIVA(actions, tiva)
	if missing != nil {
		return nil, missing
	}
	var truth lsl.Truth
	if err == nil {
		x := c.search.explainer(v.tiva)
		truth, err = x.truth(c.search.formula.Root, v.slice)
	}
	if err != nil {
		return nil, err
	}
	return c.reason(context.WithoutCancel(ctx), v, truth), nil
}

// sliceAndTIVA returns the slice and the TIVA that are given.
func (c *check) sliceAndTIVA(actions []san.Action, tiva []Binding) (*violation, error) {
	v := &violation{slice: generatedSlice(c.search.lat, actions), tiva: make([]san.Task, len(c.search.formula.TIVs))}
	for i, tiv := range c.search.formula.TIVs {
		task, ok := taskOf(tiva, tiv)
		if !ok {
			return nil, fmt.Errorf("no task given for the task variable %s", tiv)
		}
		v.tiva[i] = task
		c.search.include(task)
	}
	return v, nil
}

// generatedSlice returns the slice of the actions and all that precedes them.
func generatedSlice(lat *slices.Lattice, actions []san.Action) slices.Ideal {
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
