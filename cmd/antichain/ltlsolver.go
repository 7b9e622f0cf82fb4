package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// ltlQuestion has the formulas of a problem, and a word if it is about one.
type ltlQuestion struct {
	ID       json.RawMessage `json:"id"`
	Formula  *string         `json:"formula"`
	Formula2 *string         `json:"formula2"`
	Word     *ltl.Word       `json:"word"`
}

// ltlSolver solves the instances of a problem.
type ltlSolver struct {
	problem *ltlProblem
	finite  bool          // over finite words
	limits  limits.Limits // of each question
}

// answer answers a line of a batch.
func (p *ltlSolver) answer(ctx context.Context, line []byte) (any, json.RawMessage, error) {
	var q ltlQuestion
	if err := batch.Parse(line, &q); err != nil {
		return nil, q.ID, err
	}
	a, err := p.decide(ctx, &q)
	return a, q.ID, err
}

// solve prints the answer to a question.
func (p *ltlSolver) solve(ctx context.Context, s terminal.Streams, q *ltlQuestion, asJSON bool) error {
	a, err := p.decide(ctx, q)
	if err == nil {
		err = p.print(s.Out, a, asJSON)
	}
	if batch.OverBudget(err) {
		return batch.WriteUnknown(s, asJSON, err)
	}
	return err
}

// maxAutomaton is how many states of an automaton a picture has at most.
const maxAutomaton = 300

// draw draws the automaton of a formula over finite words. An error says that no word satisfies it.
func (p *ltlSolver) draw(ctx context.Context, s terminal.Streams, q *ltlQuestion, svg bool) error {
	a, err := p.decide(ctx, q)
	if err == nil {
		err = p.automaton(ctx, s.Out, *q.Formula, svg)
	}
	switch {
	case batch.OverBudget(err):
		return batch.WriteUnknown(s, false, err)
	case err == nil && !*a.verdict():
		err = exit.Code(exit.Violated)
	}
	return err
}

// automaton draws the automaton of a formula that could be decided.
func (p *ltlSolver) automaton(ctx context.Context, w io.Writer, text string, svg bool) error {
	formula, err := temporal.Parse("formula", text, temporal.FiniteLTL)
	if err != nil {
		return err
	}
	ctx, stop := p.limits.Bound(ctx)
	defer stop()
	picture, err := ltl.Diagram(ctx, formula, maxAutomaton)
	if err != nil {
		return err
	}
	return report.WritePicture(w, picture, svg)
}

// decide parses the formulas of a question and decides it, within the budget.
func (p *ltlSolver) decide(ctx context.Context, q *ltlQuestion) (*ltlAnswer, error) {
	instance := &ltlInstance{finite: p.finite || p.problem.word}
	logic := temporal.InfiniteLTL
	if instance.finite {
		logic = temporal.FiniteLTL
	}
	for i, key := range []string{"formula", "formula2"}[:p.problem.formulas] {
		src := []*string{q.Formula, q.Formula2}[i]
		if src == nil {
			return nil, fmt.Errorf("the key %q is missing", key)
		}
		formula, err := temporal.Parse(key, *src, logic)
		if err != nil {
			return nil, err
		}
		instance.formulas = append(instance.formulas, formula)
	}
	if p.problem.word {
		if q.Word == nil {
			return nil, errors.New(`the key "word" is missing`)
		}
		instance.word = *q.Word
	}
	ctx, stop := p.limits.Bound(ctx)
	defer stop()
	a, err := p.problem.decide(instance, ctx)
	if err != nil {
		return nil, err
	}
	a.ID = q.ID
	return a, nil
}

// print writes an answer. An error says that it is no.
func (p *ltlSolver) print(w io.Writer, a *ltlAnswer, asJSON bool) error {
	yes := *a.verdict()
	write := func() error { return a.write(w, p.problem) }
	if asJSON {
		write = func() error { return report.WriteJSON(w, a) }
	}
	if err := write(); err != nil {
		return err
	}
	if !yes {
		return exit.Code(exit.Violated)
	}
	return nil
}
