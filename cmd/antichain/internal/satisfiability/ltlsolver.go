package satisfiability

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
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// LTLQuestion has the formulas of a problem, and its word if the problem has one.
type LTLQuestion struct {
	ID       json.RawMessage `json:"id"`
	Formula  *string         `json:"formula"`
	Formula2 *string         `json:"formula2"`
	Word     *ltl.Word       `json:"word"`
}

// LTLSolver solves instances of a problem.
type LTLSolver struct {
	Problem *LTLProblem
	Finite  bool          // over finite words
	Limits  limits.Limits // for each question
}

// Answer answers a line of a batch.
func (p *LTLSolver) Answer(ctx context.Context, line []byte) (any, json.RawMessage, error) {
	var q LTLQuestion
	if err := batch.Parse(line, &q); err != nil {
		return nil, q.ID, err
	}
	a, err := p.decide(ctx, &q)
	return a, q.ID, err
}

// Solve prints the answer to a question.
func (p *LTLSolver) Solve(ctx context.Context, s terminal.Streams, q *LTLQuestion, asJSON bool) error {
	a, err := p.decide(ctx, q)
	if err == nil {
		err = p.print(s.Out, a, asJSON)
	}
	if batch.OverBudget(err) {
		return batch.WriteUnknown(s, asJSON, err)
	}
	return err
}

// maxAutomaton limits the states of an automaton in a picture.
const maxAutomaton = 300

// Draw draws the automaton of a formula over finite words. The error is that no word satisfies it.
func (p *LTLSolver) Draw(ctx context.Context, s terminal.Streams, q *LTLQuestion, svg bool) error {
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

// automaton draws the automaton of a formula.
func (p *LTLSolver) automaton(ctx context.Context, w io.Writer, text string, svg bool) error {
	formula, err := temporal.Parse("formula", text, temporal.FiniteLTL)
	if err != nil {
		return err
	}
	ctx, stop := p.Limits.Bound(ctx)
	defer stop()
	picture, err := ltl.Diagram(ctx, formula, maxAutomaton)
	if err != nil {
		return err
	}
	return picture.Write(w, svg)
}

// decide parses the formulas of a question and decides it, within the budget.
func (p *LTLSolver) decide(ctx context.Context, q *LTLQuestion) (*ltlAnswer, error) {
	instance := &ltlInstance{finite: p.Finite || p.Problem.Word}
	logic := temporal.InfiniteLTL
	if instance.finite {
		logic = temporal.FiniteLTL
	}
	for i, key := range []string{"formula", "formula2"}[:p.Problem.Formulas] {
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
	if p.Problem.Word {
		if q.Word == nil {
			return nil, errors.New(`the key "word" is missing`)
		}
		instance.word = *q.Word
	}
	ctx, stop := p.Limits.Bound(ctx)
	defer stop()
	a, err := p.Problem.decide(instance, ctx)
	if err != nil {
		return nil, err
	}
	a.ID = q.ID
	return a, nil
}

// print writes an answer. It returns an error for a no.
func (p *LTLSolver) print(w io.Writer, a *ltlAnswer, asJSON bool) error {
	yes := *a.verdict()
	write := func() error { return a.write(w, p.Problem) }
	if asJSON {
		write = func() error { return report.WriteObject(w, a) }
	}
	if err := write(); err != nil {
		return err
	}
	if !yes {
		return exit.Code(exit.Violated)
	}
	return nil
}
