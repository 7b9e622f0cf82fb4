package main

import (
	"context"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/modelcheck"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/model/steps"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type stepsFlags struct {
	budgetFlags
	modelFlags
	from, limit           int
	mode                  string
	allPaths, json, batch bool
}

// defaultStates bounds the states of a step, unless --limit says otherwise.
const defaultStates = 10_000

func newSteps(s terminal.Streams) *cobra.Command {
	var flags stepsFlags
	cmd := &cobra.Command{
		Use:   "steps [--from STATE] [--mode MODE] [--all-paths] [--limit N] [--json] {--model FILE FORMULA | --batch}",
		Short: "find sequences of states that satisfy a formula",
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.run(cmd.Context(), s, args)
		},
	}
	f := cmd.Flags()
	flags.modelFlags.register(f)
	f.IntVar(&flags.from, "from", modelcheck.InitialState, "begin in this `STATE` instead of the initial one")
	f.StringVar(&flags.mode, "mode", steps.Shortest.String(), "find steps of this `MODE`: shortest, min, max, every, literal-min or literal-max")
	f.BoolVar(&flags.allPaths, "all-paths", false, "find all steps of this mode")
	f.IntVar(&flags.limit, "limit", defaultStates, "find steps of at most `N` states")
	f.BoolVar(&flags.json, "json", false, "print a JSON object")
	f.BoolVar(&flags.batch, "batch", false, "answer questions from standard input")
	flags.budgetFlags.register(f, time.Minute, "each question")
	f.Lookup("from").DefValue = "0"
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		// all_paths is the key of a batch
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
	return cmd
}

func (f *stepsFlags) run(ctx context.Context, s terminal.Streams, args []string) error {
	if err := f.validate(); err != nil {
		return err
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	if err := f.arguments("steps", args, f.batch); err != nil {
		return err
	}
	model, err := f.Read(ctx, s.In)
	if err != nil {
		return err
	}
	finder := modelcheck.StepFinder{
		Model: model, Parameters: f.Parameters, Stutter: f.stutter, Limits: f.Limits,
		From: f.from, Limit: f.limit, Mode: f.mode, AllPaths: f.allPaths,
	}
	if f.batch {
		return batch.Run(ctx, s, finder.Answer)
	}
	return finder.Find(ctx, s, args[0], f.json)
}
