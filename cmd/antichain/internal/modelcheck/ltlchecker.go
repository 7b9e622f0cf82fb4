package modelcheck

import (
	"context"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/stubborn"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// The methods of checking LTL.
const (
	MethodProduct        = "product"
	MethodSatisfiability = "satisfiability"
)

// ltlChecker checks formulas of LTL on models.
type ltlChecker struct {
	*Checker
	method string
	dot    bool // draw the path of a violation

	structures models.Cache[*kripke.Graph]
	memories   models.Cache[*kripke.Memory] // of programs and runs, with the states explored so far
}

// NewLTL returns a checker of LTL by a method. If dot is set, it prints results as graphs in DOT.
func NewLTL(o Options, method string, dot bool) *Checker {
	c := &ltlChecker{Checker: &Checker{Options: o, logic: temporal.InfiniteLTL}, method: method, dot: dot}
	c.decide = c.check
	return c.Checker
}

// check checks a formula on a model.
func (c *ltlChecker) check(ctx context.Context, model *models.Model, f *temporal.Formula) (result, error) {
	v, err := c.formula(ctx, model, f)
	if err == nil && v.counterexample == nil && c.Fairness != kripke.Unfair {
		v.noFairPath, err = c.vacuous(ctx, model)
	}
	if err != nil {
		return nil, err
	}
	v.dot, v.described = c.dot, model.Program || model.Run != nil
	return v, nil
}

// vacuous reports whether even false is true on all fair paths.
func (c *ltlChecker) vacuous(ctx context.Context, model *models.Model) (bool, error) {
	v, err := c.formula(ctx, model, &temporal.Formula{Op: temporal.False})
	return err == nil && v.counterexample == nil, err
}

// formula checks a formula by the selected method.
func (c *ltlChecker) formula(ctx context.Context, model *models.Model, f *temporal.Formula) (*ltlResult, error) {
	if c.method == MethodSatisfiability {
		return c.findViolatingWord(ctx, model, f)
	}
	if v, err := c.bySets(ctx, model, f); v != nil || err != nil {
		return v, err
	}
	if !model.Program && model.Run == nil {
		return c.onStructure(ctx, model, f)
	}
	find := c.memory
	if model.Program && stubborn.Applies(f, c.Fairness) {
		find = func(model *models.Model) (*kripke.Memory, error) { return c.reducedMemory(model, f) }
	}
	m, err := find(model)
	if err != nil {
		return nil, err
	}
	return c.onTheFly(ctx, model, m, f)
}

// reducedMemory returns the memory of a program without interleavings that are irrelevant to a
// formula.
func (c *ltlChecker) reducedMemory(model *models.Model, f *temporal.Formula) (*kripke.Memory, error) {
	program, err := model.OpenProgram()
	if err != nil {
		return nil, err
	}
	sys, err := stubborn.Reduce(program, f, c.Fairness)
	if err != nil {
		return nil, err
	}
	if c.Stutter {
		sys = kripke.Stutter(sys)
	}
	return kripke.Remember(sys), nil
}

// onTheFly checks a formula on a system that is explored on demand.
func (c *ltlChecker) onTheFly(ctx context.Context, model *models.Model, m *kripke.Memory,
	f *temporal.Formula) (*ltlResult, error) {
	before := memorySize(m)
	v, err := tableau.Check(ctx, m, c.Fairness, f)
	c.memories.Grown(memorySize(m) - before)
	if ctx.Err() != nil && err != nil {
		err = &kripke.StoppedError{States: m.States(), Moves: m.Len(), Cause: err}
		if model.Run != nil {
			err = fmt.Errorf("%w; formulas such as G p, F p or G (p -> F q) are checked without visiting each state", err)
		}
	}
	if err != nil {
		return nil, err
	}
	return &ltlResult{counterexample: v.Counterexample, system: m, looked: wording.Plural(m.States(), "state")}, nil
}

// memory returns the memory of a program or run.
func (c *ltlChecker) memory(model *models.Model) (*kripke.Memory, error) {
	return c.memories.Get(model, func() (*kripke.Memory, int, error) {
		sys, err := model.System(c.Stutter)
		return kripke.Remember(sys), 0, err
	})
}

// memorySize returns the approximate size of a memory in bytes.
func memorySize(m *kripke.Memory) int { return 64 * m.States() }

// onStructure checks a formula on an explicit structure.
func (c *ltlChecker) onStructure(ctx context.Context, model *models.Model, f *temporal.Formula) (*ltlResult, error) {
	g, err := c.structures.Get(model, func() (*kripke.Graph, int, error) {
		g, err := model.Explore(ctx, c.Stutter, kripke.MaxStates)
		if err != nil {
			return nil, 0, err
		}
		return g, 32 * (g.States() + g.Len()), nil
	})
	if err == nil {
		err = g.Total()
	}
	if err != nil {
		return nil, err
	}
	v, err := tableau.Check(ctx, g, c.Fairness, f)
	if err != nil {
		return nil, err
	}
	return &ltlResult{counterexample: v.Counterexample, system: g, looked: wording.Plural(g.States(), "state")}, nil
}

// bySets checks a formula on a run with very many states. It returns nil for other models, or if
// the formula is not suitable.
func (c *ltlChecker) bySets(ctx context.Context, model *models.Model, f *temporal.Formula) (*ltlResult, error) {
	if model.Run == nil {
		return nil, nil
	}
	linear, ok := ctl.Linear(f)
	if !ok {
		return nil, nil
	}
	space, err := model.RunSpace(ctx, c.Fairness)
	if err != nil || space == nil {
		return nil, err
	}
	checker := ctl.NewOnSpace(space.Space)
	path, err := ctl.Violation(ctx, checker, linear)
	switch {
	case space.VisitInstead(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &ltlResult{counterexample: path, system: checker.System(), looked: "sets of states"}, nil
}

// findViolatingWord looks for a word that satisfies the formula of a program and violates f.
func (c *ltlChecker) findViolatingWord(
	ctx context.Context, model *models.Model, f *temporal.Formula,
) (*ltlResult, error) {
	if model.Run != nil || c.Stutter {
		return nil, errors.New("--by satisfiability is for programs, and without --stutter: leave it out")
	}
	sys, err := model.Open()
	if err != nil {
		return nil, err
	}
	program, ok := sys.(*gcl.System)
	if !ok {
		return nil, fmt.Errorf("%s is a structure, but --by satisfiability needs a program: leave it out", model.Name)
	}
	theory, err := gcl.NewTheory(program)
	if err != nil {
		return nil, err
	}
	violation, err := theory.Violation(c.Fairness, f)
	if err != nil {
		return nil, err
	}
	a, err := tableau.Sat(ctx, violation)
	if err != nil {
		return nil, err
	}
	if a.Model == nil {
		return &ltlResult{system: program, looked: wording.Plural(a.Reason.Nodes, "node")}, nil
	}
	path, err := theory.Path(a.Model.Stem, a.Model.Loop)
	return &ltlResult{counterexample: path, system: program}, err
}
