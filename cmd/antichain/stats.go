package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/statistics"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

func newStats(s terminal.Streams) *cobra.Command {
	var from input.Flags
	var json bool
	var budgets budgetFlags
	cmd := &cobra.Command{
		Use:   "stats [--json] TRACE...",
		Short: "print how large a trace is, and how many global states it has",
		RunE: func(cmd *cobra.Command, traces []string) error {
			if len(traces) == 0 {
				return errors.New("no TRACE given: name a trace file, or - for standard input")
			}
			if err := budgets.validate(); err != nil {
				return err
			}
			if err := from.Validate(); err != nil {
				return err
			}
			v := &statistician{s: s, input: &from, budgets: &budgets, json: json}
			return v.traces(cmd.Context(), traces)
		},
	}
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON object for each trace")
	budgets.register(cmd.Flags(), time.Minute, "the width, and on the number of slices,")
	from.Register(cmd.Flags())
	return cmd
}

// statistician prints the numbers of traces.
type statistician struct {
	s       terminal.Streams
	input   *input.Flags
	budgets *budgetFlags
	json    bool
	printed bool // a table

	exit.Outcomes
}

func (v *statistician) traces(ctx context.Context, paths []string) error {
	reading := limits.Limits{Memory: v.budgets.Memory} // some numbers are there without any time
	for _, path := range paths {
		for r := range input.Read(ctx, &reading, path, v.s, v.input, false) {
			if err := v.trace(ctx, r); err != nil {
				if _, ok := errors.AsType[*limits.ReadStoppedError](err); ok {
					v.Unknown = true
				} else {
					v.Failed = true
				}
				fmt.Fprintln(v.s.Err, "antichain:", err)
			}
		}
	}
	return v.Outcomes.Err()
}

func (v *statistician) trace(ctx context.Context, r *input.Reading) error {
	if r.Err != nil {
		return r.Err
	}
	if r.Useless != "" {
		return fmt.Errorf("%s: %s", r.Name, r.Useless)
	}
	counting := terminal.Working(v.s.Err, "counting "+event.Printable(r.Name))
	n := statistics.Count(ctx, r.Net, v.budgets.Limits)
	counting.Done()
	n.Trace = r.Name
	if n.Width == nil || n.Slices == nil {
		v.Unknown = true
	}
	if v.json {
		return report.WriteObject(v.s.Out, n)
	}
	if v.printed {
		fmt.Fprintln(v.s.Out)
	}
	v.printed = true
	return n.WriteText(v.s.Out)
}
