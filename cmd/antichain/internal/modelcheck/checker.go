// Package modelcheck checks formulas of temporal logic on models and prints the results as text and
// as JSON.
//
// A Checker is for linear time (NewLTL) or branching time (NewCTL); its verdicts have
// counterexamples and witnesses. A StepFinder looks for sequences of states that satisfy a formula
// over finite words. Both take single questions and those of a batch. A question that runs out of
// its budget gets the answer unknown.
package modelcheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
)

// Options are settings for checking formulas.
type Options struct {
	Model      *models.Model    // for questions without a model; may be nil
	Parameters map[string]int64 // for programs in questions
	Fairness   kripke.Fairness
	Stutter    bool          // a state without successors stutters
	Limits     limits.Limits // for each question
}

// Checker checks formulas of one logic on models.
type Checker struct {
	Options
	logic temporal.Logic
	// decide checks a formula on a model.
	decide func(ctx context.Context, model *models.Model, f *temporal.Formula) (result, error)

	progress  *terminal.Progress // of a single question; nil in a batch
	questions models.QuestionReader
}

// result is the result of checking a formula on a model.
type result interface {
	verdict() tlcheck.Verdict
	answer(id json.RawMessage) any // the JSON object
	write(io.Writer) error         // the text
}

// formulaQuestion is a line of a batch.
type formulaQuestion struct {
	ID      json.RawMessage `json:"id"`
	Formula *string         `json:"formula"`
	models.Keys
}

// Answer answers a line of a batch.
func (c *Checker) Answer(ctx context.Context, line []byte) (any, json.RawMessage, error) {
	var q formulaQuestion
	if err := c.questions.Parse(line, &q, &q.Keys); err != nil {
		return nil, q.ID, err
	}
	if q.Formula == nil {
		return nil, q.ID, errors.New(`the key "formula" is missing`)
	}
	model, err := q.Model(c.Model, c.Parameters)
	if err != nil {
		return nil, q.ID, err
	}
	r, err := c.checkText(ctx, model, *q.Formula)
	if err != nil {
		return nil, q.ID, err
	}
	return r.answer(q.ID), q.ID, nil
}

// Check checks a formula on the model and prints the verdict.
func (c *Checker) Check(ctx context.Context, s terminal.Streams, formula string, asJSON bool) error {
	c.progress = terminal.Working(s.Err, "looking at states")
	r, err := c.checkText(ctx, c.Model, formula)
	c.progress.Done()
	c.sayUndefined(s.Err)
	switch {
	case batch.OverBudget(err):
		return batch.WriteUnknown(s, asJSON, err)
	case err != nil:
		return err
	case asJSON:
		err = report.WriteObject(s.Out, r.answer(nil))
	default:
		err = r.write(s.Out)
	}
	if err == nil && r.verdict() == tlcheck.Violated {
		err = exit.Code(exit.Violated)
	}
	return err
}

// checkText parses a formula and checks it on a model, within the budget.
func (c *Checker) checkText(ctx context.Context, model *models.Model, formula string) (result, error) {
	ctx, stop := c.Limits.Bound(ctx)
	defer stop()
	f, err := temporal.Parse("formula", formula, c.logic)
	if err != nil {
		return nil, err
	}
	r, err := c.decide(ctx, model, f)
	var unknown *temporal.NameError
	var end *kripke.DeadEndError
	switch {
	case errors.As(err, &unknown):
		err = unknown.In("formula", formula)
	case errors.As(err, &end):
		err = fmt.Errorf("%s has no successor, but the formula is about infinite paths: add --stutter, or a successor", end.Text)
	}
	return r, err
}

// sayUndefined prints the expressions that could not be evaluated in the states of a run. They
// count as false.
func (c *Checker) sayUndefined(w io.Writer) {
	if c.Model.Run == nil {
		return
	}
	for _, t := range c.Model.Run.EvalErrors() {
		fmt.Fprintf(w, "antichain: formula: %s is undefined in %s: %s\n", event.Printable(wording.Excerpt(t.Expr)),
			wording.Plural(t.Count, "local state"), event.Printable(t.Reason))
	}
}
