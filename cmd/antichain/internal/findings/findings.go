// Package findings checks the built-in properties of a run and reports what it finds as text or JSON.
package findings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/clause"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/launch"
	"github.com/antichain-go/antichain/tracer/op"
)

// Watch checks built-in properties while a program runs.
type Watch struct {
	on      []builtin.Property
	Checker *builtin.Checker
	memory  context.Context // ends when there is no more memory for it
	full    atomic.Bool     // it has ended

	unwatched map[builtin.Property]string // those on which no verdict can be given, and why
}

// NewWatch returns a checker of these properties, nil for none. Where no functions must finish, nothing
// can leak. unwatched is what site.Instrumented has of that name.
func NewWatch(memory context.Context, on []builtin.Property, functions specfile.Functions, unwatched []string) *Watch {
	if len(functions.MustFinish) == 0 {
		on = Without(on, []builtin.Property{builtin.Leak})
	}
	if len(on) == 0 {
		return nil
	}
	b := &Watch{on: on, Checker: builtin.New(on...), memory: memory, unwatched: make(map[builtin.Property]string)}
	for _, text := range unwatched {
		name, why, _ := strings.Cut(text, ": ")
		if p := builtin.Property(name); slices.Contains(on, p) && b.unwatched[p] == "" {
			b.unwatched[p] = "the program was traced without " + why
		}
	}
	b.Checker.MustFinish(functions.MustFinish...)
	b.Checker.MayWait(functions.MayWait...)
	context.AfterFunc(memory, func() { b.full.Store(true) })
	return b
}

// Watch has the run tell its operations.
func (b *Watch) Watch(cfg *launch.Config) {
	if b != nil {
		cfg.Watch, cfg.Accesses = b, NeedsAccesses(b.on)
	}
}

// Op is told an operation of the run.
func (b *Watch) Op(o *op.Op) {
	switch {
	case b.Checker == nil:
	case b.full.Load():
		b.Checker = nil // its memory is wanted elsewhere, and the program goes on
	default:
		b.Checker.Op(o)
	}
}

// Judge gives the verdicts when the run is over, and reports the findings.
func (b *Watch) Judge(ctx context.Context, c *check.Checker, trace string, names op.Names, h *event.Header, ended *launch.Result) (Outcome, error) {
	if b == nil {
		return Outcome{}, nil
	}
	findings, err := b.find(ctx, c, names)
	if err == nil {
		err = b.unsure(h, ended)
	}
	outcome := Outcome{On: b.on, Unwatched: b.unwatched}
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
	return outcome, printFindings(c, trace, &outcome, findings, names)
}

// find returns what was found in the run, unless it takes too long.
func (b *Watch) find(ctx context.Context, c *check.Checker, names op.Names) (findings []builtin.Finding, err error) {
	if b.Checker == nil {
		return nil, context.Cause(b.memory)
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	l := limits.Limits{Timeout: c.Options.Time, Memory: limits.Size(c.Options.Memory)}
	ctx, cancel := l.Bound(ctx)
	defer cancel()
	looking := terminal.Working(c.Stderr, "looking at built-in properties")
	defer looking.Done()
	if !interrupt.Do(ctx, func() { findings = b.Checker.Findings(names) }) {
		return nil, context.Cause(ctx)
	}
	return slices.DeleteFunc(findings, func(f builtin.Finding) bool { return isRefuted(c.Style.Source, f.Guess, names, c.Stderr) }), nil
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
func (b *Watch) unsure(h *event.Header, ended *launch.Result) error {
	switch {
	case !ended.Complete:
		return errors.New("the trace was not read to its end")
	case ended.Missing > 0:
		return errors.New(Missing(ended))
	case h != nil && input.Untraced(h) != "":
		return errors.New(input.Untraced(h))
	case !ended.Program.Operations:
		return errNoOperations
	case !ended.Program.Accesses && NeedsAccesses(slices.DeleteFunc(slices.Clone(b.on), func(p builtin.Property) bool { return b.unwatched[p] != "" })):
		return errNoAccesses
	}
	return nil
}

// Missing says what was lost.
func Missing(ended *launch.Result) string { return input.LostRecords(ended.Missing, ended.Why) }

// fullFindings is how many findings are told in full if nothing else is said.
const fullFindings = 10

// printFindings reports what came of the built-in properties.
func printFindings(c *check.Checker, trace string, outcome *Outcome, findings []builtin.Finding, names op.Names) error {
	for i := range findings {
		f := report.Finding{Finding: &findings[i], Names: names, Unknown: outcome.why(findings[i].Property)}
		switch {
		case c.JSON:
			if err := report.WriteJSON(c.Stdout, f.Object(trace)); err != nil {
				return err
			}
		case i < fullFindings || c.All:
			if err := f.Write(c.Stdout, c.Style); err != nil {
				return err
			}
		default:
			fmt.Fprintln(c.Stdout, f.Line(c.Style))
		}
	}
	if c.JSON {
		return printUnviolated(c, trace, outcome)
	}
	if len(findings) > 0 {
		return report.WriteAgain(c.Stdout, c.Style, len(findings) > fullFindings && !c.All)
	}
	return nil
}

// printUnviolated prints the objects of the properties without a violation.
func printUnviolated(c *check.Checker, trace string, outcome *Outcome) error {
	for _, p := range Without(outcome.On, outcome.Violated) {
		verdict := tlcheck.Holds
		if outcome.why(p) != "" {
			verdict = tlcheck.Unknown
		}
		o := report.BuiltinObject{Trace: trace, Builtin: string(p), Verdict: verdict.String(), Covered: outcome.why(p)}
		if err := report.WriteJSON(c.Stdout, o); err != nil {
			return err
		}
	}
	return nil
}
