package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

func newExplain(s terminal.Streams) *cobra.Command {
	var specs specfile.Source
	var how checkFlags
	from := input.Flags{Single: true}
	var on string
	cmd := &cobra.Command{
		Use:   "explain [--spec FILE] [-e FORMULA] [--logic l3|frey96] [--json] [--on TRACE]",
		Short: "print how a property is checked, and the cost on a trace",
		Long: `explain prints for every property the formula tree that a check computes. The property is violated
where the root is true. Each node is a formula with its classes:

  local        depends on the local state of one goroutine
  conjunctive  a conjunction of local formulas; a sweep over local states finds its least and its
               greatest global state, without sets of slices
  bounded      decided in a slice by a bounded number of further steps
  stable       once true, stays true however the run continues; all bounded formulas are

A property whose root is stable can be checked on-the-fly, while the program runs. explain then
prints what the memory of such a check grows with; otherwise it prints the subformula that prevents
the check, and the reason. The ways in which a check searches for a violation follow.

With --on explain checks the property on a trace. Every node then shows how many sets of slices (or
rows of local states, where these suffice) were computed for it, how many intervals they consist of,
how many the largest one has, and the time without the nodes below. These times are part of the time
for searching. A node without numbers was not needed as a set.

With --json each property is one object. "nodes" is the tree, root first. "parts" are indexes of
nodes. "branches" are the ways of the search; "spans" marks an until of local formulas that is taken
row by row of local states instead of as a set. Times are in seconds.

Exit codes: 0, 3 if --timeout or --memory does not suffice for the plan, or with --on those of check.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return explain(cmd.Context(), s, &specs, &how, &from, on)
		},
	}
	specs.Register(cmd.Flags())
	how.register(cmd.Flags())
	from.Register(cmd.Flags())
	cmd.Flags().StringVar(&on, "on", "", "check on this `TRACE` and show the cost")
	return cmd
}

func explain(ctx context.Context, s terminal.Streams, specs *specfile.Source, how *checkFlags, from *input.Flags, on string) error {
	if !specs.Given() {
		return errors.New("nothing to explain: give a specification with --spec FILE or -e FORMULA")
	}
	files, err := specs.Load()
	if err != nil {
		return err
	}
	opt, err := how.options()
	if err != nil {
		return err
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	e := &explanations{s: s, json: how.json, options: opt, style: terminal.StyleOf(s.Out), trace: on}
	if on != "" {
		if e.net, err = input.ReadOne(ctx, &how.Limits, on, s, from); err != nil {
			return err
		}
	}
	for _, file := range files {
		for _, p := range file.Properties {
			err := e.property(ctx, p, sharedBy(files))
			var stopped *tlcheck.PlanStoppedError
			switch {
			case errors.As(err, &stopped):
				e.Unknown = true
				fmt.Fprintf(s.Err, "antichain: %s: %v%s\n", event.Printable(p.Name), err, limits.Remedy(err))
			case err != nil:
				e.Failed = true
				fmt.Fprintln(s.Err, "antichain:", err)
			}
		}
	}
	return e.Err()
}

// sharedBy returns the names of the variables that files declare shared.
func sharedBy(files []*spec.File) []string {
	var names []string
	for _, f := range files {
		for _, n := range f.Shared {
			names = append(names, n.Name)
		}
	}
	return names
}

// explanations explains properties.
type explanations struct {
	s       terminal.Streams
	json    bool
	options tlcheck.Options
	style   report.Style
	trace   string
	net     *san.Net // nil without a trace
	printed bool

	exit.Outcomes
}

func (e *explanations) property(ctx context.Context, p *spec.Property, shared []string) error {
	if e.net == nil {
		plan, err := tlcheck.Explain(ctx, p, e.options, shared)
		if err != nil {
			return err
		}
		return e.print(p, plan, nil)
	}
	checking := terminal.Working(e.s.Err, "checking "+event.Printable(p.Name))
	plan, result, err := tlcheck.Profile(ctx, e.net, p, checking.Watched(e.options))
	checking.Done()
	if err != nil {
		return err
	}
	result.Covered += limits.Remedy(result.Stopped)
	e.Note(result.Verdict)
	check.ReportUndefined(e.s.Err, "", p, result.EvalErrors)
	return e.print(p, plan, result)
}

func (e *explanations) print(p *spec.Property, plan *tlcheck.Plan, r *tlcheck.Result) error {
	memory := ""
	if plan.Unmonitorable == nil {
		memory = onthefly.MemoryOf(p, e.options.Logic).String()
	}
	if e.json {
		object := report.PlanObject(plan, memory)
		if r != nil {
			object.Trace, object.Verdict = e.trace, r.Verdict.String()
		}
		return report.WriteObject(e.s.Out, object)
	}
	if e.printed {
		fmt.Fprintln(e.s.Out)
	}
	e.printed = true
	head := p.Name
	if r != nil {
		head += ": " + e.style.Verdict(r)
	}
	fmt.Fprintf(e.s.Out, "%s\n%s\n", head, e.style.Formula(p))
	return report.WritePlan(e.s.Out, plan, e.net, memory)
}
