package satisfiability

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/skeleton"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// CTLSolver looks for models of formulas of CTL, and makes programs of them.
type CTLSolver struct {
	Options    tableau.Options
	Synthesize bool          // make a program
	Limits     limits.Limits // for each question
}

// maxProcesses limits --processes, since the kinds of next states grow with it.
const maxProcesses = 1000

// CheckProcesses returns an error for a number of processes out of range.
func CheckProcesses(n int) error {
	if n < 0 || n > maxProcesses {
		return fmt.Errorf("%d: must be from 0 to %d", n, maxProcesses)
	}
	return nil
}

// CTLQuestion has a formula, or the name of a file with one.
type CTLQuestion struct {
	ID        json.RawMessage `json:"id"`
	Formula   *string         `json:"formula"`
	File      string          `json:"file"`
	Processes *int            `json:"processes"`
}

// formula parses the formula of a question.
func (q *CTLQuestion) formula(ctx context.Context) (*temporal.Formula, error) {
	switch {
	case q.Formula != nil && q.File != "":
		return nil, errors.New("both a formula and a file given: leave one of them out")
	case q.Formula != nil:
		return temporal.Parse("formula", *q.Formula, temporal.CTL)
	case q.File == "":
		return nil, errors.New(`the key "formula" is missing`)
	}
	var text []byte
	var err error
	if !interrupt.Do(ctx, func() { text, err = limits.ReadFile(q.File, temporal.MaxSource) }) {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	return temporal.Parse(q.File, string(text), temporal.CTL)
}

// Answer answers a line of a batch.
func (c *CTLSolver) Answer(ctx context.Context, line []byte) (any, json.RawMessage, error) {
	var q CTLQuestion
	if err := batch.Parse(line, &q); err != nil {
		return nil, q.ID, err
	}
	found, err := c.decide(ctx, &q)
	if err != nil {
		return nil, q.ID, err
	}
	a := newCTLAnswer(found)
	a.ID = q.ID
	return a, q.ID, nil
}

// decide parses and decides the formula of a question, within the budget.
func (c *CTLSolver) decide(ctx context.Context, q *CTLQuestion) (*skeleton.Synthesis, error) {
	o := c.Options
	if q.Processes != nil {
		o.Processes = *q.Processes
		if err := CheckProcesses(o.Processes); err != nil {
			return nil, fmt.Errorf(`key "processes": %w`, err)
		}
	}
	f, err := q.formula(ctx)
	if err != nil {
		return nil, err
	}
	ctx, stop := c.Limits.Bound(ctx)
	defer stop()
	if c.Synthesize {
		return skeleton.Synthesize(ctx, f, o.Processes)
	}
	answer, err := tableau.Sat(ctx, f, o)
	return &skeleton.Synthesis{Answer: answer}, err
}

// Solve prints the answer to a question. The error is that there is no model.
func (c *CTLSolver) Solve(ctx context.Context, s terminal.Streams, q *CTLQuestion, form *Form) error {
	found, err := c.decide(ctx, q)
	switch {
	case batch.OverBudget(err):
		return batch.WriteUnknown(s, form.JSON, err)
	case err != nil:
		return err
	}
	if err := form.write(s.Out, found); err != nil {
		return err
	}
	if found.Model == nil {
		return exit.Code(exit.Violated)
	}
	return nil
}
