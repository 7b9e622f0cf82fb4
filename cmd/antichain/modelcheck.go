package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/pflag"
)

// modelChecking is what the verbs have in common that check formulas on models.
type modelChecking struct {
	budgetFlags
	modelFlags
	json, batch bool
	fair        string // --fair

	verb  string
	logic temporal.Logic
	// decide checks a formula on a model.
	decide func(ctx context.Context, model *modelText, f *temporal.Formula) (modelVerdict, error)

	showing   *terminal.Progress // of the question of the arguments; nil in a batch
	fairness  kripke.Fairness
	model     *modelText // --model; nil if there is none
	questions modelQuestions
}

// modelVerdict is what came of checking a formula on a model.
type modelVerdict interface {
	holds() bool
	answer(id json.RawMessage) any // for JSON
	write(io.Writer) error         // for people
}

func (c *modelChecking) register(f *pflag.FlagSet) {
	c.modelFlags.register(f)
	f.Lookup("model").Usage = "the `FILE` of a structure (JSON), of a program or of a trace, told by its content; - is standard input, which is no trace"
	f.StringVar(&c.fair, "fair", kripke.Unfair.String(), "which paths count, by `KIND`: none (all do), weak, strong or process")
	f.BoolVar(&c.json, "json", false, "print a JSON object")
	f.BoolVar(&c.batch, "batch", false, "answer questions from standard input")
	c.budgetFlags.register(f, time.Minute, "each question")
}

func (c *modelChecking) run(ctx context.Context, s terminal.Streams, args []string) (err error) {
	if err := c.validate(); err != nil {
		return err
	}
	if c.fairness, err = kripke.ParseFairness(c.fair); err != nil {
		return fmt.Errorf("--fair: %w", err)
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	if err := c.arguments(c.verb, args, c.batch); err != nil {
		return err
	}
	switch c.model, err = c.readAny(ctx, s, &c.budgetFlags); {
	case ranOut(err) && !c.batch:
		return gaveUp(s, c.json, err)
	case err != nil:
		return err
	}
	if c.batch {
		return (&batch{s: s, answer: c.answer}).run(ctx)
	}
	return c.single(ctx, s, args[0])
}

// modelQuestion is a line of a batch.
type modelQuestion struct {
	ID      json.RawMessage `json:"id"`
	Formula *string         `json:"formula"`
	modelKeys
}

// answer answers a line of a batch.
func (c *modelChecking) answer(ctx context.Context, line []byte) (any, json.RawMessage, error) {
	var q modelQuestion
	if err := c.questions.parse(line, &q, &q.modelKeys); err != nil {
		return nil, q.ID, err
	}
	if q.Formula == nil {
		return nil, q.ID, errors.New(`the key "formula" is missing`)
	}
	model, err := c.of(&q.modelKeys, c.model)
	if err != nil {
		return nil, q.ID, err
	}
	v, err := c.check(ctx, model, *q.Formula)
	if err != nil {
		return nil, q.ID, err
	}
	return v.answer(q.ID), q.ID, nil
}

// single answers the question of the arguments.
func (c *modelChecking) single(ctx context.Context, s terminal.Streams, formula string) error {
	c.showing = terminal.Working(s.Err, "looking at all states")
	v, err := c.check(ctx, c.model, formula)
	c.showing.Done()
	c.sayUndefined(s.Err)
	switch {
	case ranOut(err):
		return gaveUp(s, c.json, err)
	case err != nil:
		return err
	case c.json:
		err = report.WriteJSON(s.Out, v.answer(nil))
	default:
		err = v.write(s.Out)
	}
	if err == nil && !v.holds() {
		err = exit.Code(exit.Violated)
	}
	return err
}

// check reads a formula and checks it on a model, within the budget.
func (c *modelChecking) check(ctx context.Context, model *modelText, formula string) (modelVerdict, error) {
	ctx, stop := c.Bound(ctx)
	defer stop()
	f, err := temporal.Parse("formula", formula, c.logic)
	if err != nil {
		return nil, err
	}
	v, err := c.decide(ctx, model, f)
	var unknown *temporal.NameError
	if errors.As(err, &unknown) {
		err = unknown.In("formula", formula)
	}
	return v, err
}

// sayUndefined says what could not be evaluated in the states of a run. It counts as false.
func (c *modelChecking) sayUndefined(w io.Writer) {
	if c.model.run == nil {
		return
	}
	for _, t := range c.model.run.EvalErrors() {
		fmt.Fprintf(w, "antichain: formula: %s is undefined in %s: %s\n", event.Printable(check.Shorten(t.Expr)), report.Plural(t.Count, "local state"), event.Printable(t.Reason))
	}
}
