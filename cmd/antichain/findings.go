package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/antichain-go/antichain/cmd/antichain/internal/clause"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/launch"
	"github.com/antichain-go/antichain/tracer/op"
)

// builtinWatch checks built-in properties while a program runs.
type builtinWatch struct {
	on      []builtin.Property
	checker *builtin.Checker
	memory  context.Context // ends when there is no more memory for it
	full    atomic.Bool     // it has ended

	unwatched map[builtin.Property]string // those on which no verdict can be given, and why
}

// newBuiltinWatch returns a checker of these properties, nil for none. Where no functions must finish, nothing
// can leak. unwatched is what site.Instrumented has of that name.
func newBuiltinWatch(memory context.Context, on []builtin.Property, functions named, unwatched []string) *builtinWatch {
	if len(functions.mustFinish) == 0 {
		on = without(on, []builtin.Property{builtin.Leak})
	}
	if len(on) == 0 {
		return nil
	}
	b := &builtinWatch{on: on, checker: builtin.New(on...), memory: memory, unwatched: make(map[builtin.Property]string)}
	for _, text := range unwatched {
		name, why, _ := strings.Cut(text, ": ")
		if p := builtin.Property(name); slices.Contains(on, p) && b.unwatched[p] == "" {
			b.unwatched[p] = "the program was traced without " + why
		}
	}
	b.checker.MustFinish(functions.mustFinish...)
	b.checker.MayWait(functions.mayWait...)
	context.AfterFunc(memory, func() { b.full.Store(true) })
	return b
}

// watch has the run tell its operations.
func (b *builtinWatch) watch(cfg *launch.Config) {
	if b != nil {
		cfg.Watch, cfg.Accesses = b, needsAccesses(b.on)
	}
}

// Op is told an operation of the run.
func (b *builtinWatch) Op(o *op.Op) {
	switch {
	case b.checker == nil:
	case b.full.Load():
		b.checker = nil // its memory is wanted elsewhere, and the program goes on
	default:
		b.checker.Op(o)
	}
}

// judge gives the verdicts when the run is over, and reports the findings.
func (b *builtinWatch) judge(ctx context.Context, c *checker, trace string, names op.Names, h *event.Header, ended *launch.Result) (builtinOutcome, error) {
	if b == nil {
		return builtinOutcome{}, nil
	}
	findings, err := b.find(ctx, c, names)
	if err == nil {
		err = b.unsure(h, ended)
	}
	outcome := builtinOutcome{On: b.on, Unwatched: b.unwatched}
	if err != nil {
		outcome.Unknown = err.Error() + limits.Remedy(err)
	} else {
		outcome.Runs = 1
	}
	findings = slices.DeleteFunc(findings, func(f builtin.Finding) bool {
		return outcome.why(f.Property) != "" && f.How != builtin.Observed
	})
	for _, f := range findings {
		if outcome.why(f.Property) == "" {
			outcome.Violated = union(outcome.Violated, []builtin.Property{f.Property})
		}
	}
	return outcome, c.builtins(trace, &outcome, findings, names)
}

// find returns what was found in the run, unless it takes too long.
func (b *builtinWatch) find(ctx context.Context, c *checker, names op.Names) (findings []builtin.Finding, err error) {
	if b.checker == nil {
		return nil, context.Cause(b.memory)
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	l := limits.Limits{Timeout: c.options.Time, Memory: limits.Size(c.options.Memory)}
	ctx, cancel := l.Bound(ctx)
	defer cancel()
	looking := terminal.Working(c.err, "looking at built-in properties")
	defer looking.Done()
	if !interrupt.Do(ctx, func() { findings = b.checker.Findings(names) }) {
		return nil, context.Cause(ctx)
	}
	return slices.DeleteFunc(findings, func(f builtin.Finding) bool { return isRefuted(c.style.Source, f.Guess, names, c.err) }), nil
}

// isRefuted reports whether the program's source, if it can be read, says that what is assumed is not so.
func isRefuted(source report.Source, g *builtin.Guess, names op.Names, warnings io.Writer) bool {
	if g == nil {
		return false
	}
	at := names.Place(g.Select).At
	src, line, ok := source.File(at)
	if !ok {
		return false
	}
	harmless, err := clause.Case{Took: g.Took, Other: g.Other}.IsHarmless(src, line)
	if err != nil {
		fmt.Fprintf(warnings, "antichain: warning: %s: antichain, built with %s, cannot parse this function (%v), so what stands behind its select statement is not known; antichain of a later Go may tell more\n",
			event.Printable(at), runtime.Version(), event.Printable(err.Error()))
	}
	return harmless
}

var (
	errNoOperations = errors.New("this version of Go is traced without what tells where goroutines wait")
	errNoAccesses   = errors.New("the program was built without what tells its accesses to memory, which copy and race need")
)

// unsure says why what was recorded does not show everything, nil if it does.
func (b *builtinWatch) unsure(h *event.Header, ended *launch.Result) error {
	switch {
	case !ended.Complete:
		return errors.New("the trace was not read to its end")
	case ended.Missing > 0:
		return errors.New(missing(ended))
	case h != nil && input.Untraced(h) != "":
		return errors.New(input.Untraced(h))
	case !ended.Program.Operations:
		return errNoOperations
	case !ended.Program.Accesses && needsAccesses(slices.DeleteFunc(slices.Clone(b.on), func(p builtin.Property) bool { return b.unwatched[p] != "" })):
		return errNoAccesses
	}
	return nil
}

// fullFindings is how many findings are told in full if nothing else is said.
const fullFindings = 10

// builtins reports what came of the built-in properties.
func (c *checker) builtins(trace string, outcome *builtinOutcome, findings []builtin.Finding, names op.Names) error {
	for i := range findings {
		f := report.Finding{Finding: &findings[i], Names: names, Unknown: outcome.why(findings[i].Property)}
		switch {
		case c.json:
			if err := report.WriteJSON(c.out, f.Object(trace)); err != nil {
				return err
			}
		case i < fullFindings || c.all:
			if err := f.Write(c.out, c.style); err != nil {
				return err
			}
		default:
			fmt.Fprintln(c.out, f.Line(c.style))
		}
	}
	if c.json {
		return c.quiet(trace, outcome)
	}
	if len(findings) > 0 {
		return report.WriteAgain(c.out, c.style, len(findings) > fullFindings && !c.all)
	}
	return nil
}

// quiet prints the objects of the properties without a violation.
func (c *checker) quiet(trace string, outcome *builtinOutcome) error {
	for _, p := range without(outcome.On, outcome.Violated) {
		verdict := tlcheck.Holds
		if outcome.why(p) != "" {
			verdict = tlcheck.Unknown
		}
		o := report.BuiltinObject{Trace: trace, Builtin: string(p), Verdict: verdict.String(), Covered: outcome.why(p)}
		if err := report.WriteJSON(c.out, o); err != nil {
			return err
		}
	}
	return nil
}
