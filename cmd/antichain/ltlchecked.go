package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// ltlChecked is a formula that was checked.
type ltlChecked struct {
	counterexample *kripke.Path // nil if there is none
	system         kripke.System
	looked         string // at what
	noFairPath     bool   // begins in an initial state, so everything is true of all of them
	dot            bool   // --dot
}

// verdict checks a formula on a model.
func (c *ltlChecking) verdict(ctx context.Context, model *models.Model, f *temporal.Formula) (modelVerdict, error) {
	checked, err := c.formula(ctx, model, f)
	if err == nil && checked.counterexample == nil && c.fairness != kripke.Unfair {
		checked.noFairPath, err = c.vacuous(ctx, model)
	}
	if err != nil {
		return nil, err
	}
	checked.dot = c.dot
	return checked, nil
}

// vacuous reports whether even false is true on all fair paths.
func (c *ltlChecking) vacuous(ctx context.Context, model *models.Model) (bool, error) {
	checked, err := c.formula(ctx, model, &temporal.Formula{Op: temporal.False})
	return err == nil && checked.counterexample == nil, err
}

// formula checks a formula by the method that is wanted.
func (c *ltlChecking) formula(ctx context.Context, model *models.Model, f *temporal.Formula) (*ltlChecked, error) {
	if c.by == bySatisfiability {
		return c.satisfy(ctx, model, f)
	}
	if checked, err := c.bySets(ctx, model, f); checked != nil || err != nil {
		return checked, err
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

// bySets checks a formula on a run with very many states; nil if the model or the formula is another one.
func (c *ltlChecking) bySets(ctx context.Context, model *models.Model, f *temporal.Formula) (*ltlChecked, error) {
	if model.Run == nil {
		return nil, nil
	}
	linear, ok := ctl.Linear(f)
	if !ok {
		return nil, nil
	}
	space, err := model.RunSpace(ctx, c.fairness)
	if err != nil || space == nil {
		return nil, err
	}
	checker := ctl.Over(space.Space)
	path, err := ctl.Violation(ctx, checker, linear)
	switch {
	case space.VisitInstead(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &ltlChecked{counterexample: path, system: checker.System(), looked: "sets of states"}, nil
}

// satisfy looks for a word that satisfies the formula of a program and violates f.
func (c *ltlChecking) satisfy(ctx context.Context, model *models.Model, f *temporal.Formula) (*ltlChecked, error) {
	if model.Run != nil || c.stutter {
		return nil, errors.New("--by satisfiability is for programs, and without --stutter: leave it out")
	}
	sys, err := model.Open()
	if err != nil {
		return nil, err
	}
	program, ok := sys.(*gcl.System)
	if !ok {
		return nil, fmt.Errorf("%s: --by satisfiability is for programs, and this is a structure: leave it out", model.Name)
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

// graph finds all states of a model.
func (c *ltlChecking) graph(ctx context.Context, model *models.Model) (*kripke.Graph, error) {
	return c.graphs.Get(model, func() (*kripke.Graph, int, error) {
		g, err := model.Explore(ctx, c.stutter, kripke.MaxStates)
		if err != nil && model.Run != nil {
			err = fmt.Errorf("%w; a formula such as G p, F p or G (p -> F q) needs no states one by one", err)
		}
		if err != nil {
			return nil, 0, err
		}
		return g, 32 * (g.States() + g.Len()), nil
	})
}

func (r *ltlChecked) holds() bool { return r.counterexample == nil }

func (r *ltlChecked) answer(id json.RawMessage) any {
	a := &ltlCheckAnswer{Header: batch.Header{ID: id}, Holds: r.holds(), NoFairPath: r.noFairPath}
	if !a.Holds {
		stem, loop := r.counterexample.States()
		a.Counterexample = &ltlLasso{stem, loop}
	}
	return a
}

// write writes the verdict for people, or draws the path.
func (r *ltlChecked) write(w io.Writer) error {
	if r.dot {
		return r.draw(w)
	}
	return r.print(w)
}

// print writes the verdict and the path in words.
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
