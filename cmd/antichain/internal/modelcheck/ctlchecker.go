package modelcheck

import (
	"context"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/sliced"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/symbolic"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// The methods of checking CTL.
const (
	MethodAuto  = "auto"
	methodGraph = "graph"
	methodSets  = "sets"
)

// CTLMethods lists them.
var CTLMethods = []string{MethodAuto, methodGraph, methodSets}

// maxExplored limits the states of a program that methodAuto explores one by one, which take a
// second or two.
const maxExplored = 1 << 20

// ctlChecker checks formulas of CTL on models.
type ctlChecker struct {
	*Checker
	method   string
	checkers models.Cache[ctl.Checker]
	graphs   models.Cache[ctl.Checker] // for sets of states with too many parts
}

// NewCTL returns a checker of CTL by a method.
func NewCTL(o Options, method string) *Checker {
	c := &ctlChecker{Checker: &Checker{Options: o, logic: temporal.CTL}, method: method}
	c.decide = c.check
	return c.Checker
}

// check checks a formula on a model.
func (c *ctlChecker) check(ctx context.Context, model *models.Model, f *temporal.Formula) (result, error) {
	checker, err := c.checkers.Get(model, func() (ctl.Checker, int, error) { return c.checker(ctx, model) })
	if err != nil {
		return nil, err
	}
	v, err := newCTLResult(ctx, checker, f)
	if c.method == MethodAuto && model.Sets.VisitInstead(err) {
		if checker, err = c.graphs.Get(model, func() (ctl.Checker, int,
			error) {
			return c.explicitChecker(ctx, model, kripke.MaxStates)
		}); err == nil {
			v, err = newCTLResult(ctx, checker, f)
		}
	}
	return v, err
}

// checker returns the checker of a model, and its approximate size in bytes.
func (c *ctlChecker) checker(ctx context.Context, model *models.Model) (ctl.Checker, int, error) {
	if c.method == methodSets {
		return c.symbolicChecker(ctx, model)
	}
	if c.method == MethodAuto && model.Program {
		return c.program(ctx, model)
	}
	if c.method == MethodAuto && model.Run != nil {
		space, err := model.RunSpace(ctx, c.Fairness)
		switch {
		case err != nil:
			return nil, 0, err
		case space != nil:
			return ctl.NewOnSpace(space.Space), 0, nil
		}
	}
	return c.explicitChecker(ctx, model, kripke.MaxStates)
}

// program returns a checker that explores the states of a program one by one, unless they are too
// many or take half of the memory.
func (c *ctlChecker) program(ctx context.Context, model *models.Model) (ctl.Checker, int, error) {
	half, stop := budget.WithMemory(ctx, int64(c.Limits.Memory)/2)
	defer stop()
	checker, size, err := c.explicitChecker(half, model, maxExplored)
	full := errors.As(err, new(*budget.MemoryError)) && ctx.Err() == nil
	if full || errors.Is(err, kripke.ErrMany) {
		return c.symbolicChecker(ctx, model)
	}
	return checker, size, err
}

// explicitChecker returns a checker that explores states one by one. If there are more than most,
// the error is kripke.ErrMany.
func (c *ctlChecker) explicitChecker(ctx context.Context, model *models.Model, most int) (ctl.Checker, int, error) {
	g, err := model.Explore(ctx, c.Stutter, most)
	if err != nil {
		return nil, 0, err
	}
	checker, err := ctl.New(g, c.Fairness)
	return checker, 32 * (g.States() + g.Len()), err
}

// symbolicChecker returns a checker that uses sets of states.
func (c *ctlChecker) symbolicChecker(ctx context.Context, model *models.Model) (ctl.Checker, int, error) {
	switch {
	case model.Run != nil:
		space, err := sliced.New(model.Run, c.Fairness, models.MaxIntervals)
		if err != nil {
			return nil, 0, err
		}
		return ctl.NewOnSpace(space), 0, nil
	case !model.Program:
		return nil, 0, fmt.Errorf("--by %s needs a program or a run, but %s is a structure: leave it out", methodSets,
			model.Name)
	}
	program, err := model.OpenProgram()
	if err != nil {
		return nil, 0, err
	}
	largest := 0
	space, err := symbolic.New(ctx, program, symbolic.Options{Fairness: c.Fairness, Stutter: c.Stutter,
		Progress: func(nodes int) {
			largest = max(largest, nodes)
			c.progress.Doing("looking at sets of states, " + wording.Plural(nodes, "node") + " of decision diagrams")
		}})
	if err != nil {
		return nil, 0, err
	}
	return ctl.NewOnSpace(space), 64 * largest, nil
}
