package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/spf13/pflag"
)

// modelFlags say what formulas are checked on.
type modelFlags struct {
	models.Source      // --model and --param
	stutter       bool // --stutter
}

func (f *modelFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.File, "model", "", "the `FILE` of a structure (JSON) or of a program, told by its content; - is standard input")
	f.parameter(flags)
	flags.BoolVar(&f.stutter, "stutter", false, "let what has no successor stay where it is, for ever")
}

// parameter is for the parameters of programs.
func (f *modelFlags) parameter(flags *pflag.FlagSet) {
	flags.StringToInt64Var(&f.Parameters, "param", nil, "a parameter of the program, as `NAME=VALUE`; may be repeated")
	flags.Lookup("param").DefValue = "" // not []
}

// arguments finds mistakes in what was given beside the flags: a formula about a model, or a batch.
func (f *modelFlags) arguments(verb string, args []string, batch bool) error {
	switch {
	case batch && len(args) > 0:
		return errors.New("with --batch the formulas come from standard input: leave the others out")
	case batch && f.File == "-":
		return errors.New("with --batch the questions come from standard input: give --model another FILE")
	case !batch && len(args) != 1:
		return fmt.Errorf("%s given: %s takes one formula, in quotes", report.Plural(len(args), "argument"), verb)
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
