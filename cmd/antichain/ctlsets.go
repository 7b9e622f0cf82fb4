package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/sliced"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/symbolic"
)

// The methods of ctl check.
const (
	byAny   = "auto"
	byGraph = "graph"
	bySets  = "sets"
)

var ctlMethods = []string{byAny, byGraph, bySets}

// mostExplored is how many states of a program are looked at one by one, where sets of states may do as well: as many as take a second or two.
const mostExplored = 1 << 20

// checker returns the checker of a model, and about how many bytes it takes.
func (c *ctlChecking) checker(ctx context.Context, model *models.Model) (ctl.Checker, int, error) {
	if c.by == bySets {
		return c.sets(ctx, model)
	}
	if c.by == byAny && model.Program {
		return c.program(ctx, model)
	}
	if c.by == byAny && model.Run != nil {
		space, err := model.RunSpace(ctx, c.fairness)
		switch {
		case err != nil:
			return nil, 0, err
		case space != nil:
			return ctl.Over(space.Space), 0, nil
		}
	}
	return c.graph(ctx, model, kripke.MaxStates)
}

// program returns a checker that looks at the states of a program one by one, unless they are too many or take half of the memory.
func (c *ctlChecking) program(ctx context.Context, model *models.Model) (ctl.Checker, int, error) {
	half, stop := budget.WithMemory(ctx, int64(c.Memory)/2)
	defer stop()
	checker, size, err := c.graph(half, model, mostExplored)
	full := errors.As(err, new(*budget.MemoryError)) && ctx.Err() == nil
	if full || errors.Is(err, kripke.ErrMany) {
		return c.sets(ctx, model)
	}
	return checker, size, err
}

// graph returns a checker that looks at states one by one. If there are more than most, the error is kripke.ErrMany.
func (c *ctlChecking) graph(ctx context.Context, model *models.Model, most int) (ctl.Checker, int, error) {
	g, err := model.Explore(ctx, c.stutter, most)
	if err != nil {
		return nil, 0, err
	}
	checker, err := ctl.New(g, c.fairness)
	return checker, 32 * (g.States() + g.Len()), err
}

// sets returns a checker that looks at sets of states.
func (c *ctlChecking) sets(ctx context.Context, model *models.Model) (ctl.Checker, int, error) {
	switch {
	case model.Run != nil:
		space, err := sliced.New(model.Run, c.fairness, models.MaxIntervals)
		if err != nil {
			return nil, 0, err
		}
		return ctl.Over(space), 0, nil
	case !model.Program:
		return nil, 0, fmt.Errorf("--by %s is for programs and runs, and %s is a structure: leave it out", bySets, model.Name)
	}
	program, err := model.OpenProgram()
	if err != nil {
		return nil, 0, err
	}
	largest := 0
	space, err := symbolic.New(ctx, program, symbolic.Options{Fairness: c.fairness, Stutter: c.stutter, Progress: func(nodes int) {
		largest = max(largest, nodes)
		c.showing.Doing("looking at sets of states, " + report.Plural(nodes, "node") + " of decision diagrams")
	}})
	if err != nil {
		return nil, 0, err
	}
	return ctl.Over(space), 64 * largest, nil
}

// describe adds the states of evidence.
func (r *ctlChecked) describe(e *ctl.Evidence, states map[kripke.State]string) {
	states[e.State] = kripke.Text(r.system, e.State)
	for _, s := range e.Path {
		states[s.To] = kripke.Text(r.system, s.To)
	}
	for _, b := range e.Because {
		r.describe(b, states)
	}
}
