package execution

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/confirmation"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// confirmer returns what runs the binary again to make happen what was only predicted.
func (r *runner) confirmer(stderr io.Writer) *confirmation.Confirmer {
	return &confirmation.Confirmer{
		Extent: r.Confirm, Source: r.Check.Style.Source, Stderr: stderr, Runner: r,
		Part: r.testOf, Program: sync.OnceValues(r.program), Keep: r.keep(r.Check.Style.Again),
	}
}

// keep returns a function that writes a schedule to a file, of a program that the command runs.
func (p *Plan) keep(command string) confirmation.Keep {
	return func(s *schedule.Schedule, property string) (file, again string, err error) {
		file, err = p.Schedules.Write(p.Name, property, s)
		return file, rerun.Replay(command, file), err
	}
}

// testOf returns the tests of the test binary that a finding is of, nil if these are not known, or
// if the user has chosen tests.
func (r *runner) testOf(result *tlcheck.Result) *confirmation.Part {
	tests := findings.PatternOfOne(result)
	if !r.Check.NamesTests || tests == "" {
		return nil
	}
	again := rerun.With(r.Check.Style.Again, "-run", tests)
	return &confirmation.Part{Runner: r.runnerOf(tests), Keep: r.keep(again)}
}

// confirmedInFull bounds the time for all findings together, as a multiple of the time for one.
// Findings that are left then are not tried: go test does not wait for ever.
const confirmedInFull = 6

// confirmFindings adds to results of built-in properties the outcomes of confirming them.
func (r *runner) confirmFindings(
	ctx context.Context, c *confirmation.Confirmer, results []*tlcheck.Assessment, run *confirmation.Run,
) error {
	if r.Confirm.Attempts == 0 {
		return nil
	}
	all, cancel := context.WithTimeout(ctx, confirmedInFull*r.Confirm.Time)
	defer cancel()
	for _, a := range results {
		if !a.IsNews() {
			continue
		}
		var err error
		a.Confirmation, err = r.attempt(ctx, a.Result, func() (*tlcheck.Confirmation, error) {
			err := c.Confirm(all, a, run)
			return a.Confirmation, err
		})
		switch {
		case err != nil && all.Err() == nil:
			return err
		case r.tried != nil && a.Siblings == nil:
			r.addTried(a)
		case all.Err() != nil && !isInterrupted(ctx):
			return nil // there is no time for the others, and what this one misses was said
		}
	}
	return nil
}

// candidatesOf returns the candidates of a run that is judged, with these results.
func candidatesOf(
	run *run, names op.Names, summary *findings.Summary, results []*tlcheck.Assessment,
) []*tlcheck.Assessment {
	if summary.Runs == 0 || len(summary.On) == 0 {
		return nil
	}
	var found []builtin.Finding
	for _, a := range results {
		if a.Finding != nil {
			found = append(found, *a.Finding)
		}
	}
	var candidates []*tlcheck.Assessment
	all := run.builtins.Candidates(names, found)
	for i := range all {
		if f := &all[i]; summary.Unwatched[f.Property] == "" {
			candidates = append(candidates, run.checker.Assess(&tlcheck.Result{
				Builtin: f.Property, Verdict: tlcheck.Possible, Finding: f, Names: names,
			}))
		}
	}
	return candidates
}

// confirmCandidates tries candidates. Those that have happened are findings, and the others are
// nothing. All share the time of one finding. Of several runs, which try other orders themselves,
// each tries only those that no run before it has tried, if the user wants confirmations.
func (r *runner) confirmCandidates(
	ctx context.Context, c *confirmation.Confirmer, candidates []*tlcheck.Assessment,
	run *confirmation.Run,
) (happened, others []*tlcheck.Assessment, err error) {
	isUnwanted := r.Confirm.Attempts == 0 || r.tried != nil && r.Confirm.Doubtful
	if isUnwanted || len(candidates) == 0 {
		return nil, nil, nil
	}
	bounded, cancel := context.WithTimeout(ctx, r.Confirm.Time)
	defer cancel()
	few := *c
	few.Extent = c.Extent.OfCandidates()
	for _, a := range candidates[:min(len(candidates), confirmation.MaxCandidates)] {
		if !a.IsNews() || r.isTried(a, happened, run.Names) {
			continue
		}
		err := few.Confirm(bounded, a, run)
		switch {
		case bounded.Err() != nil:
			return happened, others, nil // there is no time for the others
		case err != nil:
			return happened, others, err
		case a.Confirmation.IsConfirmed():
			happened = append(happened, a)
		default:
			others = append(others, a)
		}
	}
	return happened, others, nil
}

// isTried reports whether a candidate was tried in another run, or is like one that happened.
func (r *runner) isTried(
	a *tlcheck.Assessment, happened []*tlcheck.Assessment, names op.Names,
) bool {
	if r.tried != nil {
		if _, isKnown := r.tried(a.Result); isKnown {
			return true
		}
	}
	key := a.Finding.Key(names)
	return slices.ContainsFunc(happened, func(x *tlcheck.Assessment) bool {
		return x.Finding.Key(names) == key
	})
}

// addTried adds what another run has made of the findings with the same cause.
func (r *runner) addTried(a *tlcheck.Assessment) {
	if a.Finding == nil {
		return
	}
	a.AddSiblings(func(i int) *tlcheck.Confirmation {
		outcome, _ := r.tried(tlcheck.Also(a.Result, i))
		return outcome
	})
}

// confirmStates has violations of a specification confirmed while it is judged.
func (r *runner) confirmStates(
	ctx context.Context, c *confirmation.Confirmer, checker *check.Checker, run *confirmation.Run,
) {
	checker.Confirm = func(
		judging context.Context, result *tlcheck.Result,
	) (*tlcheck.Confirmation, error) {
		return r.attempt(ctx, result, func() (*tlcheck.Confirmation, error) {
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			return c.ConfirmState(judging, result, checker.Options, run)
		})
	}
}

// isInterrupted reports whether the user has ended a context.
func isInterrupted(ctx context.Context) bool { return errors.Is(context.Cause(ctx), interrupt.Err) }

// attempt returns the outcome of confirming a result, or the known one. If an interrupt ends the
// attempts, the confirmation says so. Errors other than that of the context are returned; the end
// of the context is reported elsewhere.
func (r *runner) attempt(
	ctx context.Context, result *tlcheck.Result, try func() (*tlcheck.Confirmation, error),
) (*tlcheck.Confirmation, error) {
	if r.tried != nil {
		if known, isKnown := r.tried(result); isKnown {
			return known, nil
		}
	}
	c, err := try()
	switch {
	case isInterrupted(ctx) && !c.IsConfirmed():
		return &tlcheck.Confirmation{Outcome: tlcheck.NotTried, Detail: interrupt.Err.Error()}, nil
	case ctx.Err() != nil:
		return c, nil
	}
	return c, err
}

// Run implements confirmation.Runner.
func (r *runner) Run(ctx context.Context, how confirmation.How) (*confirmation.Attempt, error) {
	run, err := r.prepareSilent()
	if err != nil {
		return nil, err
	}
	defer run.Stdin.Close()
	c := run.checker
	memory, stop := budget.WithMemory(ctx, r.Check.Options.Memory)
	defer stop()
	// Not under the schedule of the run that has predicted it.
	run.Schedule, run.Seed, run.Yields, run.limit = how.Schedule, how.Seed, 0, how.Limit
	order := new(order)
	if len(c.Properties) > 0 {
		run.Header, run.Event = order.begin, order.add
	}
	run.checkBuiltins(memory, findings.Showing(r.Builtins), false)
	run.visits = how.Visits
	started, err := run.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer started.end()
	if how.Schedule != nil {
		go endBehind(started, len(how.Schedule.Steps), how.Grace)
	}
	ended, err := started.Wait()
	if err != nil {
		return nil, err
	}
	var found []builtin.Finding
	if run.builtins != nil {
		if found, err = run.builtins.Find(ctx, c, started.Names()); err != nil {
			return nil, err
		}
		if how.Visits != nil {
			found = append(found, run.builtins.Candidates(started.Names(), found)...)
		}
	}
	kept := ended.Kept
	kept.Input = kept.Input && hasInput()
	return &confirmation.Attempt{
		Findings: found, Names: started.Names(), Kept: kept, Order: order.net(),
		Failed: ended.ExitCode != 0 && !started.wasEnded(),
	}, nil
}

// hasInput reports whether the first run may have standard input, which attempts have not.
func hasInput() bool {
	input, err := os.Stdin.Stat()
	nothing, errNothing := os.Stat(os.DevNull)
	return err == nil && (errNothing != nil || !os.SameFile(input, nothing))
}

// progressPoll is the time between two checks of the progress of a program.
const progressPoll = 10 * time.Millisecond

// endBehind ends a program some time after it has kept its schedule, or given it up: what was to
// happen has happened by then, and the program may go on for ever.
func endBehind(run *started, steps int, grace time.Duration) {
	for {
		select {
		case <-run.Exited():
			return
		case <-time.After(progressPoll):
		}
		if p := run.Progress(); p.Done == steps || p.GaveUp {
			break
		}
	}
	select {
	case <-run.Exited():
	case <-time.After(grace):
		run.end()
	}
}

// order builds the net of a run's events in the one order in which they came: its slices are the
// states that the run passed through.
type order struct {
	builder *san.Builder
	events  map[string]int // so far, of each task
	last    event.Ref
}

func (o *order) begin(h *event.Header) (err error) {
	o.events = make(map[string]int)
	o.builder, err = san.NewBuilder(h)
	return err
}

// add adds an event behind the one before, unless both are one joint action.
func (o *order) add(e *event.Event) error {
	if !e.IsAction() {
		return o.builder.Add(e, "")
	}
	later := *e
	o.events[e.Task]++
	if o.last.Task != "" && o.last.Task != e.Task && !slices.Contains(e.With, o.last) && !slices.Contains(e.After, o.last) {
		later.After = append(slices.Clip(e.After), o.last)
	}
	o.last = event.Ref{Task: e.Task, K: o.events[e.Task]}
	return o.builder.Add(&later, "")
}

// net returns the net so far, nil if there are no events.
func (o *order) net() *san.Net {
	if o.builder == nil {
		return nil
	}
	return o.builder.Partial()
}
