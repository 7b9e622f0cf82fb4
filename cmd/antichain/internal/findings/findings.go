// Package findings checks the built-in properties of a run and reports the findings as text or
// JSON.
package findings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sys/cpu"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/clause"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Watch checks built-in properties while a program runs.
type Watch struct {
	on      []builtin.Property
	checker atomic.Pointer[builtin.Checker] // nil: there was no memory for the rest of the run
	within  context.Context                 // ends when memory or time are used up
	over    atomic.Bool                     // it has ended
	cut     atomic.Bool                     // before the end of the run
	alone   bool                            // nothing else is kept of the run

	// Operations of the run. They are counted while others look at what is above: where both were
	// in one line of a processor's cache, that took a tenth of the time.
	_      cpu.CacheLinePad
	judged int
	_      cpu.CacheLinePad

	unwatched map[builtin.Property]string // those on which no verdict can be given, and why
	violated  tlcheck.BuiltinViolations
	assessed  []*tlcheck.Assessment // so far
}

// NewWatch returns a checker of these properties, nil for none. Where no functions must finish,
// nothing can leak. unwatched is what site.Instrumentation has of that name. When within ends, the
// rest of the run is not checked.
func NewWatch(within context.Context, on []builtin.Property, functions specfile.Functions, unwatched []string) *Watch {
	if len(functions.MustFinish) == 0 {
		on = Without(on, []builtin.Property{builtin.Leak})
	}
	if len(on) == 0 {
		return nil
	}
	b := &Watch{on: on, within: within, unwatched: builtins.Unwatched(unwatched, on), violated: tlcheck.BuiltinViolations{}}
	checker, err := builtin.New(on...)
	if err != nil {
		panic(err) // Flag has only those that exist
	}
	checker.MustFinish(functions.MustFinish...)
	checker.MayWait(functions.MayWait...)
	b.checker.Store(checker)
	context.AfterFunc(within, func() { b.over.Store(true) })
	return b
}

// Configure has the run report what the properties need, for as long as they do. If it is recorded,
// its operations come into the trace.
func (b *Watch) Configure(cfg *launch.Config, recorded bool, source report.Source) {
	if b != nil {
		cfg.Enough, cfg.Accesses = b.enough, NeedsAccesses(b.on)
		switch {
		case !cfg.Accesses:
			b.checker.Load().LacksAccesses()
		case cfg.Hidden != "":
			b.checker.Load().MissesAccesses()
		}
		cfg.Record, cfg.Behind = recorded, clause.Pairs(source.File)
		b.alone = cfg.Event == nil
	}
}

// enough reports whether there is no memory or time for the rest of the run.
func (b *Watch) enough() bool {
	if !b.over.Load() {
		return false
	}
	b.cut.Store(true)
	if memory := new(*budget.MemoryError); !b.alone && errors.As(context.Cause(b.within), memory) {
		b.checker.Store(nil) // its memory is wanted elsewhere, and the program goes on
	}
	return true
}

// Op receives an operation of the run.
func (b *Watch) Op(o *op.Op) {
	if checker := b.checker.Load(); checker != nil && !b.enough() {
		b.judged++
		checker.Op(o)
	}
}

// Remembers implements op.Forgetter.
func (b *Watch) Remembers(see func(op.Task)) bool {
	checker := b.checker.Load()
	return checker == nil || checker.Remembers(see)
}

// Forget implements op.Forgetter.
func (b *Watch) Forget(s *clock.Sweep) {
	if checker := b.checker.Load(); checker != nil {
		checker.Forget(s)
	}
}

// whyPartly says why only the first part of the run was checked, "" if all of it was. Without a
// checker nothing is known.
func (b *Watch) whyPartly(ended *launch.Result) string {
	if b.checker.Load() == nil {
		return ""
	}
	first := "only the first " + wording.Plural(b.judged, "operation") + " of the run are judged"
	switch {
	case b.cut.Load():
		cause := context.Cause(b.within)
		return fmt.Sprintf("%s: %v%s", first, cause, limits.Remedy(cause))
	case ended.LetGo:
		return fmt.Sprintf("%s, the first %v: the program synchronises faster than antichain judges, and would have waited for most of its time; with --full it waits",
			first, ended.LetGoAt.Round(time.Millisecond))
	}
	return ""
}

// Judge gives the verdicts when the run is over. Write reports the results.
func (b *Watch) Judge(ctx context.Context, c *check.Checker, names op.Names, h *event.Header, ended *launch.Result) (Summary, []*tlcheck.Assessment) {
	if b == nil {
		return Summary{}, nil
	}
	if checker := b.checker.Load(); ended.Ring.Forgot && checker != nil {
		checker.MissesAccesses()
	}
	partly := b.whyPartly(ended)
	var found []builtin.Finding
	var err error
	if partly == "" {
		found, err = b.Find(ctx, c, names)
	}
	if err == nil {
		err = b.whyIncomplete(h, ended)
	}
	summary := Summary{On: b.on, Unwatched: b.unwatched, Open: openWaits{listed: c.All}}
	var results []*tlcheck.Result
	switch {
	case err != nil:
		summary.Unknown = err.Error() + limits.Remedy(err)
	case partly != "":
		summary.Unknown = partly
		results = b.violated.Results(nil, b.checker.Load().Certain(names), names, b.unwatched)
	default:
		summary.Runs = 1
	}
	results = append(results, b.violated.Results(b.on, found, names, summary.unknown())...)
	summary.Panicked = partly == "" && err == nil && b.hasPanicked(names, ended)
	if summary.Runs == 1 {
		summary.Open.add(b.checker.Load().Open())
		tlcheck.NoteOpen(results, b.checker.Load().Open())
	}
	assessed := b.assess(c, results)
	summary.note(b.assessed)
	return summary, assessed
}

// hasPanicked reports whether the program ended by a panic or another failure of its own. It is one
// of the runtime where no goroutine could go on.
func (b *Watch) hasPanicked(names op.Names, ended *launch.Result) bool {
	return ended.Crashed && b.checker.Load().CanContinue(names)
}

// Properties returns the properties that are judged, none for a nil watch. Judge has a verdict on
// each.
func (b *Watch) Properties() []builtin.Property {
	if b == nil {
		return nil
	}
	return b.on
}

// Refuse is Judge for a run without any information.
func (b *Watch) Refuse(c *check.Checker, why string) (Summary, []*tlcheck.Assessment) {
	if b == nil {
		return Summary{}, nil
	}
	summary := Summary{On: b.on, Unwatched: b.unwatched, Unknown: why}
	return summary, b.assess(c, b.violated.Results(b.on, nil, nil, summary.unknown()))
}

// Certain returns the results for what was found since it was called last and stands however the
// program goes on. Judge leaves it out. It is called where Op is.
func (b *Watch) Certain(c *check.Checker, names op.Names) []*tlcheck.Assessment {
	if b == nil {
		return nil
	}
	checker := b.checker.Load()
	if checker == nil {
		return nil
	}
	return b.assess(c, b.violated.Results(nil, checker.Certain(names), names, b.unwatched))
}

// ChecksWaits reports whether goroutines are looked for that wait for ever.
func (b *Watch) ChecksWaits() bool {
	return b != nil && slices.Contains(b.on, builtin.Stuck) && b.unwatched[builtin.Stuck] == ""
}

// Standing returns how the goroutines stand after the operations so far, nil if that is not known.
// Findings that are known are left out. It is called where Op is.
func (b *Watch) Standing(c *check.Checker, names op.Names) *builtin.Standing {
	if !b.ChecksWaits() || b.cut.Load() {
		return nil
	}
	checker := b.checker.Load()
	if checker == nil {
		return nil
	}
	readSource(checker, c, names)
	s := checker.Standing(names)
	s.ForEver = slices.DeleteFunc(s.ForEver, func(f builtin.Finding) bool {
		r := &tlcheck.Result{Builtin: f.Property, Verdict: tlcheck.Violated, Finding: &f, Names: names}
		return !c.Assess(r).IsNews()
	})
	return s
}

// Reported returns the results for findings of Standing, which are reported. Judge leaves them out.
// It is called where Op is.
func (b *Watch) Reported(c *check.Checker, names op.Names, found []builtin.Finding) []*tlcheck.Assessment {
	b.checker.Load().NoteReported(names, found)
	return b.assess(c, b.violated.Results(nil, found, names, b.unwatched))
}

// assess assesses results, and keeps what it returns for the summary.
func (b *Watch) assess(c *check.Checker, results []*tlcheck.Result) []*tlcheck.Assessment {
	before := len(b.assessed)
	for _, r := range results {
		b.assessed = append(b.assessed, c.Assess(r))
	}
	return b.assessed[before:]
}

// Find returns what was found in the run, unless it takes too long.
func (b *Watch) Find(ctx context.Context, c *check.Checker, names op.Names) ([]builtin.Finding, error) {
	checker := b.checker.Load()
	if checker == nil {
		return nil, context.Cause(b.within)
	}
	readSource(checker, c, names)
	var found []builtin.Finding
	if err := findBounded(ctx, c, func() { found = checker.Findings(names) }); err != nil {
		return nil, err // found may be written later
	}
	return found, nil
}

// Candidates returns what may be found if the program runs again; see builtin.Checker.Candidates.
// found is what Find has returned.
func (b *Watch) Candidates(names op.Names, found []builtin.Finding) []builtin.Finding {
	checker := b.checker.Load()
	if checker == nil {
		return nil
	}
	return checker.Candidates(names, found)
}

// findBounded calls a function that searches for findings. If it takes too long, findBounded
// returns an error, and the function goes on in the background.
func findBounded(ctx context.Context, c *check.Checker, find func()) error {
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	l := limits.Limits{Timeout: c.Options.Time, Memory: limits.Size(c.Options.Memory)}
	ctx, cancel := l.Bound(ctx)
	defer cancel()
	looking := terminal.Working(c.Stderr, "checking built-in properties")
	defer looking.Done()
	if !interrupt.Do(ctx, find) {
		return context.Cause(ctx)
	}
	return nil
}

// readSource has guesses looked up in the program's source.
func readSource(checker *builtin.Checker, c *check.Checker, names op.Names) {
	checker.ReadSource(func(g *builtin.Guess) builtin.Behind {
		return readBehind(c.Style.Source, g, names, c.Stderr)
	})
}

// readBehind returns what the program's source shows of the code after the case, if it can be read.
func readBehind(source report.Source, g *builtin.Guess, names op.Names, warnings io.Writer) builtin.Behind {
	at := names.Place(g.Select).At
	src, line, ok := source.File(at)
	if !ok {
		return builtin.Unread
	}
	behind, err := clause.Case{Took: g.Took, Other: g.Other}.Behind(src, line)
	if err != nil {
		fmt.Fprintf(warnings, "antichain: warning: %s: antichain, built with %s, cannot parse this function (%v), so the code after its select statement is not known; an antichain built with a later Go may know it\n",
			event.Printable(at), runtime.Version(), event.Printable(err.Error()))
	}
	return behind
}

var (
	errNoOperations = errors.New("antichain cannot trace where goroutines wait with this version of Go")
	errNoAccesses   = errors.New("the program was built without tracing of memory accesses, which copy and race need")
)

// whyIncomplete says why what was recorded does not show everything, nil if it does.
func (b *Watch) whyIncomplete(h *event.Header, ended *launch.Result) error {
	switch {
	case !ended.Complete:
		return errors.New("the trace was not read to its end")
	case ended.Missing > 0:
		return errors.New(Missing(ended))
	case h != nil && h.Untraced() != "":
		return errors.New(h.Untraced())
	case !ended.Program.Operations:
		return errNoOperations
	case !ended.Program.Accesses && NeedsAccesses(slices.DeleteFunc(slices.Clone(b.on), func(p builtin.Property) bool { return b.unwatched[p] != "" })):
		return errNoAccesses
	}
	return nil
}

// Missing says what was lost.
func Missing(ended *launch.Result) string { return input.LostRecords(ended.Missing, ended.Why) }

// fullFindings is the number of findings that are shown in full without --all.
const fullFindings = 10

// Write reports the results on a run: all of them as JSON, or the findings as text.
func Write(c *check.Checker, trace string, results []*tlcheck.Assessment) error {
	for _, r := range results {
		c.NoteResult(trace, r)
	}
	if c.Take != nil {
		for _, r := range results {
			c.Take(r)
		}
		return nil
	}
	for _, r := range results {
		style := c.Style
		style.Again = RerunCommand(style.Again, c.NamesTests, []*tlcheck.Assessment{r})
		r.Again = report.Again(r, style)
		if err := c.Reports.Add(trace, r, style); err != nil {
			return err
		}
	}
	if c.JSON {
		for _, r := range results {
			if err := report.WriteJSON(c.Stdout, trace, r, c.Style.Source); err != nil {
				return err
			}
		}
		return nil
	}
	found := slices.DeleteFunc(slices.Clone(results), func(r *tlcheck.Assessment) bool { return r.Finding == nil || !r.IsNews() })
	for i, r := range found {
		if i >= fullFindings && !c.All {
			fmt.Fprintln(c.Stdout, report.Line(r, c.Style))
		} else if err := report.WriteText(c.Stdout, r, c.Style); err != nil {
			return err
		}
	}
	return writeAgain(c, found)
}

// writeAgain prints, after findings, how to show them again, and how to show all in full. Those of
// several runs have such a command each.
func writeAgain(c *check.Checker, found []*tlcheck.Assessment) error {
	text := ""
	if len(found) > fullFindings && !c.All {
		text += "--all shows all of them in full.\n\n"
	}
	again := RerunCommand(c.Style.Again, c.NamesTests, found)
	if len(found) > 0 && again != "" && found[0].Occurrence == nil {
		text += fmt.Sprintf("Show it again:\n    %s\n\n", event.Printable(again))
	}
	_, err := io.WriteString(c.Stdout, text)
	return err
}

// RerunCommand returns the command that shows findings again, given the one that repeats
// everything. If namesTests is set, the command runs only the tests of the findings, as far as
// these are known.
func RerunCommand(all string, namesTests bool, found []*tlcheck.Assessment) string {
	if !namesTests || all == "" {
		return all
	}
	if tests := TestPattern(found); tests != "" {
		return rerun.With(all, "-run", tests)
	}
	return all
}
