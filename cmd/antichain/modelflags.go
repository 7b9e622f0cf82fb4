package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/modelcheck"
	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/spf13/pflag"
)

// modelFlags say what formulas are checked on.
type modelFlags struct {
	models.Source      // --model and --param
	stutter       bool // --stutter
}

func (f *modelFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.File, "model", "", "`FILE` with a structure (JSON) or a program, recognized by its content; - is standard input")
	f.parameter(flags)
	flags.BoolVar(&f.stutter, "stutter", false, "make a state without successors its own successor")
}

func (f *modelFlags) parameter(flags *pflag.FlagSet) {
	flags.StringToInt64Var(&f.Parameters, "param", nil, "set a parameter of the program, as `NAME=VALUE`; may be repeated")
	flags.Lookup("param").DefValue = "" // not []
}

// arguments finds mistakes in what was given beside the flags: a formula about a model, or a batch.
func (f *modelFlags) arguments(verb string, args []string, batch bool) error {
	switch {
	case batch && len(args) > 0:
		return errors.New("--batch reads formulas from standard input: leave out those on the command line")
	case batch && f.File == "-":
		return errors.New("--batch reads questions from standard input, so the model cannot come from there: give --model a FILE")
	case !batch && len(args) != 1:
		return fmt.Errorf("%s given: %s takes one formula, in quotes", wording.Plural(len(args), "argument"), verb)
	case !batch && f.File == "":
		return errors.New("no model given: add --model FILE")
	}
	return nil
}

// readModelTrace returns a reader of the traces that formulas are checked on, within the budget.
func (f *budgetFlags) readModelTrace(s terminal.Streams) models.TraceReader {
	return func(ctx context.Context, path string) (*san.Net, error) {
		return input.ReadOne(ctx, &f.Limits, path, s, &input.Flags{Single: true})
	}
}

// formulaFlags are the flags of the verbs that check formulas on models.
type formulaFlags struct {
	budgetFlags
	modelFlags
	json, batch bool
	fair        string // --fair
}

func (f *formulaFlags) register(flags *pflag.FlagSet) {
	f.modelFlags.register(flags)
	flags.Lookup("model").Usage = "`FILE` with a structure (JSON), a program or a trace, recognized by its content; - is standard input (no trace)"
	flags.StringVar(&f.fair, "fair", kripke.Unfair.String(), "count only paths that are fair in this `KIND`: none (all paths count), weak, strong or process")
	flags.BoolVar(&f.json, "json", false, "print a JSON object")
	flags.BoolVar(&f.batch, "batch", false, "answer questions from standard input")
	f.budgetFlags.register(flags, time.Minute, "each question")
}

// run checks the formula of the arguments, or those of a batch, with a checker of a logic.
func (f *formulaFlags) run(ctx context.Context, s terminal.Streams, verb string, args []string, newChecker func(modelcheck.Options) *modelcheck.Checker) error {
	if err := f.validate(); err != nil {
		return err
	}
	fairness, err := kripke.ParseFairness(f.fair)
	if err != nil {
		return fmt.Errorf("--fair: %w", err)
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	if err := f.arguments(verb, args, f.batch); err != nil {
		return err
	}
	model, err := f.ReadAny(ctx, s.In, f.readModelTrace(s))
	switch {
	case batch.OverBudget(err) && !f.batch:
		return batch.WriteUnknown(s, f.json, err)
	case err != nil:
		return err
	}
	c := newChecker(modelcheck.Options{Model: model, Parameters: f.Parameters, Fairness: fairness, Stutter: f.stutter, Limits: f.Limits})
	if f.batch {
		return batch.Run(ctx, s, c.Answer)
	}
	return c.Check(ctx, s, args[0], f.json)
}
