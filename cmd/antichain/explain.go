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
		Args:  cobra.NoArgs,
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
	e.Note(exit.Answer{Verdict: result.Verdict})
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
