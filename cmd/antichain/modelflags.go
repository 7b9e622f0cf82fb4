package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/san"
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

// parameter is for the parameters of programs.
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
