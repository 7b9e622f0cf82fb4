package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/gcl"
	"github.com/antichain-go/antichain/tlcheck/kripke"
	"github.com/antichain-go/antichain/tlcheck/tableau"
	"github.com/antichain-go/antichain/tlcheck/temporal"
)

// ltlChecked is a formula that was checked.
type ltlChecked struct {
	counterexample *kripke.Path // nil if there is none
	system         kripke.System
	looked         string // at what
	noFairPath     bool   // begins in an initial state, so everything is true of all of them
}

// check checks a formula on the model of a question, or on that of the flags.
func (c *ltlChecking) check(ctx context.Context, model *modelKeys, formula string) (*ltlChecked, error) {
	ctx, stop := c.bound(ctx)
	defer stop()
	f, err := temporal.Parse("formula", formula, temporal.InfiniteLTL)
	if err != nil {
		return nil, err
	}
	checked, err := c.decide(ctx, model, f)
	if err == nil && checked.counterexample == nil && c.fairness != kripke.Unfair {
		checked.noFairPath, err = c.vacuous(ctx, model)
	}
	var unknown *temporal.NameError
	if errors.As(err, &unknown) {
		err = unknown.In("formula", formula)
	}
	return checked, err
}

// vacuous reports whether even false is true on all fair paths.
func (c *ltlChecking) vacuous(ctx context.Context, model *modelKeys) (bool, error) {
	checked, err := c.decide(ctx, model, &temporal.Formula{Op: temporal.False})
	return err == nil && checked.counterexample == nil, err
}

func (c *ltlChecking) decide(ctx context.Context, model *modelKeys, f *temporal.Formula) (*ltlChecked, error) {
	if c.by == bySatisfiability {
		return c.satisfy(ctx, model, f)
	}
	g, err := c.graph(ctx, model)
	if err != nil {
		return nil, err
	}
	v, err := tableau.Check(ctx, g, c.fairness, f)
	if err != nil {
		return nil, err
	}
	return &ltlChecked{counterexample: v.Counterexample, system: g, looked: report.Plural(g.States(), "state")}, nil
}

// satisfy looks for a word that satisfies the formula of a program and violates f.
func (c *ltlChecking) satisfy(ctx context.Context, question *modelKeys, f *temporal.Formula) (*ltlChecked, error) {
	if c.trace != nil || c.stutter {
		return nil, errors.New("--by satisfiability is for programs, and without --stutter: leave it out")
	}
	model, err := c.of(question, c.model)
	if err != nil {
		return nil, err
	}
	sys, err := model.open()
	if err != nil {
		return nil, err
	}
	program, ok := sys.(*gcl.System)
	if !ok {
		return nil, fmt.Errorf("%s: --by satisfiability is for programs, and this is a structure: leave it out", model.name)
	}
	theory, err := gcl.NewTheory(program)
	if err != nil {
		return nil, err
	}
	violation, err := theory.Violation(c.fairness, f)
	if err != nil {
		return nil, err
	}
	a, err := tableau.Sat(ctx, violation)
	if err != nil {
		return nil, err
	}
	if a.Model == nil {
		return &ltlChecked{system: program, looked: report.Plural(a.Reason.Nodes, "node")}, nil
	}
	path, err := theory.Path(a.Model.Stem, a.Model.Loop)
	return &ltlChecked{counterexample: path, system: program}, err
}

// graph returns the model of a question, or that of the flags.
func (c *ltlChecking) graph(ctx context.Context, question *modelKeys) (*kripke.Graph, error) {
	own, err := question.text()
	if err != nil {
		return nil, err
	}
	if own == nil && c.trace != nil {
		return c.trace, nil
	}
	model, err := c.of(question, c.model)
	if err != nil {
		return nil, err
	}
	return c.graphs.of(model, func() (*kripke.Graph, int, error) {
		g, err := model.explore(ctx, c.stutter)
		if err != nil {
			return nil, 0, err
		}
		return g, 32 * (g.States() + g.Len()), nil
	})
}

func (r *ltlChecked) answer() *ltlCheckAnswer {
	a := &ltlCheckAnswer{Holds: r.counterexample == nil, NoFairPath: r.noFairPath}
	if !a.Holds {
		stem, loop := r.counterexample.States()
		a.Counterexample = &ltlLasso{stem, loop}
	}
	return a
}

// print writes the verdict and the path for people.
func (r *ltlChecked) print(w io.Writer) error {
	path := r.counterexample
	switch {
	case r.noFairPath:
		_, err := fmt.Fprintln(w, "holds on all fair paths: there is none, so everything does")
		return err
	case path == nil:
		_, err := fmt.Fprintf(w, "holds on all paths: %s were looked at\n", r.looked)
		return err
	}
	p := &evidencePrinter{system: r.system, shown: map[kripke.State]bool{}}
	fmt.Fprintf(&p.text, "does not hold on a path that begins in %s\n", p.state(path.Start))
	p.path("  ", path.Start, path.Steps, path.Loop)
	_, err := io.WriteString(w, p.text.String())
	return err
}

// draw draws the path. There is none if the formula holds.
func (r *ltlChecked) draw(w io.Writer) error {
	path := r.counterexample
	if path == nil {
		_, err := fmt.Fprintln(w, "// holds on all paths: there is nothing to draw\ndigraph {}")
		return err
	}
	p := &evidencePrinter{system: r.system}
	from := path.Start
	var states []kripke.State
	var moves []string
	for _, step := range path.Steps {
		states = append(states, from)
		moves = append(moves, p.move(from, step))
		from = step.To
	}
	_, err := io.WriteString(w, kripke.LassoDiagram(r.system, states, moves, path.Loop).DOT())
	return err
}
