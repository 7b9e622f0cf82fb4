package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"text/tabwriter"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices/poset"
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
				var stopped *limits.ReadStoppedError
				if errors.As(err, &stopped) {
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
	n := v.count(ctx, r.Net)
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
	return n.writeText(v.s.Out)
}

// numbers is what stats --json prints for a trace. Width and Slices are nil if only their bounds
// are known.
type numbers struct {
	Trace   string   `json:"trace"`
	Tasks   int      `json:"tasks"`
	Events  int      `json:"events"`
	Actions int      `json:"actions"` // events, those of a joint action counted once
	Joint   int      `json:"joint"`   // joint actions
	Causes  int      `json:"causes"`
	Height  int      `json:"height"`
	Width   *int     `json:"width"`
	Slices  *big.Int `json:"slices"`

	WidthBounds  []int      `json:"width_bounds,omitempty"`
	SlicesBounds []*big.Int `json:"slices_bounds,omitempty"`
}

// count finds the numbers of a net.
func (v *statistician) count(ctx context.Context, net *san.Net) *numbers {
	p := poset.New(net)
	n := &numbers{Tasks: net.Tasks(), Events: net.Events(), Actions: net.Actions(), Height: p.Height()}
	for a := range net.Order() {
		sides := net.Sides(a)
		if len(sides) > 1 {
			n.Joint++
		}
		for _, s := range sides {
			n.Causes += len(net.Causes(s))
		}
	}
	v.within(ctx, func(ctx context.Context) {
		if low, high := p.Width(ctx); low == high {
			n.Width = &low
		} else {
			n.WidthBounds = []int{low, high}
		}
	})
	v.within(ctx, func(ctx context.Context) {
		if slices := p.Ideals(ctx); slices.Exact() {
			n.Slices = slices.Min
		} else {
			n.SlicesBounds = []*big.Int{slices.Min, slices.Max}
		}
	})
	return n
}

// within calls f with a context that ends with the budget for one number.
func (v *statistician) within(ctx context.Context, f func(context.Context)) {
	ctx, stop := v.budgets.Bound(ctx)
	defer stop()
	f(ctx)
}

// writeText prints the numbers as a table.
func (n *numbers) writeText(w io.Writer) error {
	var width, slices string
	if n.Width != nil {
		width = fmt.Sprint(*n.Width)
	} else {
		width = fmt.Sprintf("at least %d, at most %d", n.WidthBounds[0], n.WidthBounds[1])
	}
	if n.Slices != nil {
		slices = wording.Digits(n.Slices)
	} else {
		slices = fmt.Sprintf("at least %s, at most %s", wording.Digits(n.SlicesBounds[0]), wording.Digits(n.SlicesBounds[1]))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range []struct {
		name  string
		value any
	}{
		{"trace", event.Printable(n.Trace)}, {"tasks", n.Tasks}, {"events", n.Events}, {"joint actions", n.Joint}, {"causes", n.Causes},
		{"height", n.Height}, {"width", width}, {"slices", slices},
	} {
		fmt.Fprintf(t, "%s\t%v\n", line.name, line.value)
	}
	return t.Flush()
}
