// Package exploration runs a traced program repeatedly under different schedules, and puts together
// what the runs show.
//
// The first runs are ordinary ones, in which goroutines yield to others at different places.
// Then pairs of operations of the first run come the other way round, one pair in each run. The
// last runs have steered schedules. A finding or violation that several runs show is
// reported once.
package exploration

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/confirmation"
	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/orders"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// A run that does not come to an end is given up after a while.
const (
	slowest = 10 // times as long as the longest run before
	atLeast = 10 * time.Second
	share   = 10 // the part of the time for all runs that the first one may take
)

// Reasons to end an exploration before all runs were made.
var (
	errNoTimeLeft = errors.New("the time of -timeout was over") // go test would kill the process
	errForOver    = errors.New("the time of --for was over")
)

// Plan says how often a traced program runs, and what is checked on each run.
type Plan struct {
	execution.Plan // of each run
	Extent
	Settle confirmation.Extent // which predictions are confirmed after all runs
	// the file of a schedule: instead, it is verified that the program does no more what that
	// shows, see package verification; "" for none
	Verifies string
}

// Extent says how often a program runs.
type Extent struct {
	Runs    int           // under schedules that are not steered; 0 is 1
	Explore int           // so many more runs with reversed pairs or under steered schedules
	All     bool          // instead, a run for each partial order of the program's operations
	StopAt  StopAt        // what ends these runs before
	For     time.Duration // after which no further run begins, if it is not 0
}

// exploration runs a traced binary several times. What the runs print after the first is shown only
// of those that find something new.
type exploration struct {
	plan    *Plan
	binary  string
	args    []string
	streams terminal.Streams
	out     io.Writer

	showing *terminal.Progress
	begun   time.Time
	merged  *merger
	all     execution.Conclusion // of what has come so far; what the results say is in merged
	longest time.Duration        // of the runs that came to an end
	hung    time.Duration        // how long the first run took if it was ended since it hung

	pairs         pairs
	samples       samples    // the steered runs
	orders        *allOrders // of --explore all
	runs, steered int        // so far; those with reversed pairs are not steered
	unended       int        // runs that were given up
	unknown       int        // runs without a verdict
	failures      int        // runs in which the program failed
	failed        string     // what the first of them is called
	failedRun     *run       // the first of them
	onTime        onTime     // the others, which depend on time
	stopped       bool       // by a run that was to be the last
}

// Run runs a traced binary as the plan says, several times if it asks for this, checks what was
// recorded and reports on out.
func Run(ctx context.Context, p *Plan, binary string, args []string, s terminal.Streams, out io.Writer) (*execution.Conclusion, error) {
	if p.Runs <= 1 && p.Explore == 0 && !p.All {
		return p.Trace(ctx, binary, args, s, out)
	}
	x := &exploration{plan: p, binary: binary, args: args, streams: s, out: out, merged: newMerger()}
	if p.All {
		x.orders = &allOrders{x: x, numbers: orders.NewNumbers()}
	}
	start := time.Now()
	x.begun = start
	if p.For > 0 {
		x.pairs.until = start.Add(p.For / 2)
	}
	further, stop := interrupt.Context(ctx) // it hears of an interrupt of the first run, too
	defer stop()
	if err := x.runFirst(ctx); err != nil {
		return nil, err
	}
	ctx = further
	for _, bound := range []struct {
		time  time.Duration
		cause error
	}{{p.Tests.Within, errNoTimeLeft}, {p.For, errForOver}} {
		if bound.time > 0 {
			var end context.CancelFunc
			ctx, end = context.WithDeadlineCause(ctx, start.Add(bound.time), bound.cause)
			defer end()
		}
	}
	if err := x.runOthers(ctx); err != nil {
		return nil, err
	}
	if err := x.settle(ctx); err != nil {
		return nil, err
	}
	if err := x.noteTime(ctx); err != nil {
		return nil, err
	}
	return x.conclude(context.Cause(ctx)), nil
}

// runFirst makes the first run, whose streams are those of antichain. As in a single run, an
// interrupt is for the program; no other run follows it.
func (x *exploration) runFirst(ctx context.Context) error {
	r := x.next()
	if x.orders != nil {
		x.orders.next(r, nil)
	}
	if err := x.makeRun(ctx, r, x.streams, x.out); err != nil {
		return err
	}
	x.note(r)
	x.pairs.add(r.ended.Reversals, x.mostPairs())
	return nil
}

// runOthers makes the other runs, until the context ends.
func (x *exploration) runOthers(ctx context.Context) error {
	x.show()
	defer func() { x.showing.Done() }()
	if x.orders != nil {
		return x.orders.explore(ctx)
	}
	for !x.stopped && x.isLeft() && ctx.Err() == nil {
		r := x.next()
		x.showing.Doing(x.describe(r) + x.foundText())
		if err := x.attempt(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// show begins to show which run is made.
func (x *exploration) show() {
	x.showing = terminal.WorkingSince(x.streams.Err, "running again"+x.foundText(), x.begun)
}

// isLeft reports whether another run is to be made.
func (x *exploration) isLeft() bool {
	if x.orders != nil {
		return !x.orders.complete()
	}
	return x.runs < max(x.plan.Runs, 1) || x.pairs.reversed+x.steered < x.plan.Explore
}

// ordinary returns how many runs there were that nothing steers.
func (x *exploration) ordinary() int { return x.runs - x.pairs.reversed - x.steered }

// runsLeft returns how many runs are to be made yet.
func (x *exploration) runsLeft() int {
	return max(x.plan.Runs, 1) - x.ordinary() + x.plan.Explore - x.pairs.reversed - x.steered
}

// next returns the next run: ordinary ones come first, then those with reversed pairs.
func (x *exploration) next() *run {
	p := x.plan.Plan
	p.Repeated, p.Further = true, x.runs > 0
	p.Seed, p.Reports.Draws = 0, false // a drawing does not show which of several runs it is
	switch {
	case x.orders != nil: // they say what else the run is
	case x.runs == 0:
		p.Reversals = x.mostPairs()
	case x.runs >= max(x.plan.Runs, 1) && x.pairs.isLeft():
		p.Reversals, p.Reversed, p.Yields = x.mostPairs(), x.pairs.next(), 0
	case x.runs >= max(x.plan.Runs, 1):
		p.Seed, p.Yields = x.nextSeed(), 0
		x.samples.next(&p)
	case p.Yields != 0:
		p.Yields += uint64(x.runs)
	}
	p.KnownPairs = x.pairs.known
	p.Limit = x.limit()
	return &run{plan: &p}
}

// limit returns how long the next run may take, also as the user wants it; 0 for any time.
func (x *exploration) limit() time.Duration {
	wanted, most := x.plan.Limit, x.nextTimeout()
	if wanted == 0 || most > 0 && most < wanted {
		return most
	}
	return wanted
}

// nextTimeout returns how long the next run may take by what the runs before it took; 0 for any
// time. As long as no run has ended, that is what the first one took if it hung, else a share of
// the time for all runs, and any time for tests, which have a timeout of their own.
func (x *exploration) nextTimeout() time.Duration {
	part := x.plan.For / share
	switch {
	case x.longest == 0 && x.hung > 0:
		return x.hung
	case x.longest == 0 && x.plan.Tests.Within > 0:
		return 0
	case x.longest == 0:
		return part
	case part == 0:
		return slowest*x.longest + atLeast
	}
	return slowest*x.longest + min(part, atLeast)
}

// note takes a run into account, and reports whether it shows something that no run before it did.
func (x *exploration) note(r *run) bool {
	x.runs++
	steered := r.plan.Seed != 0 || r.plan.Reversed != nil
	switch {
	case r.plan.Reversed != nil:
		x.pairs.note(r)
		x.pairs.add(r.ended.Reversals, x.mostPairs())
	case steered:
		x.steered++
	}
	switch {
	case r.ended.Overdue:
		x.unended++
		if r.ended.Hung { // a test has failed that hangs
			x.all.Hung, x.all.Code, x.hung = true, r.ended.Code, r.took
		}
		r.ended.Code = 0 // it is ours
	default:
		x.longest = max(x.longest, r.took)
		if r.ended.Unknown {
			x.unknown++
		}
	}
	isNew := x.merged.add(r, steered)
	x.merged.addVain(r.ended.Vain)
	if r.isOnTime() && !x.plan.Check.Strict {
		isNew = isNew || x.onTime.isFirst(r)
		r.ended.Code = 0
	}
	if r.plan.Seed != 0 {
		x.samples.note(r)
	}
	if r.ended.Code != 0 || r.ended.Failed {
		isNew = isNew || x.failures == 0
		if x.failures++; x.failures == 1 {
			x.all.Code, x.failed, x.failedRun = r.ended.Code, r.name(), r
		}
	}
	x.all.Include(r.ended)
	if steered { // what is unknown of these is counted, and takes nothing from what others show
		r.ended.Builtins.Unknown, r.ended.Builtins.Unwatched = "", nil
	}
	x.all.Builtins.IncludeRun(&r.ended.Builtins)
	x.stopped = x.plan.StopAt.Stops(r.ended, r.results)
	return isNew
}

// conclude reports what all runs show. cause is what has ended them if not all were made.
func (x *exploration) conclude(cause error) *execution.Conclusion {
	c := x.plan.Reporter(x.out)
	c.Style.Again = ""
	c.Reports.Ran(x.binary)
	c.AskAll(x.plan.Name)
	c.AskBuiltins(x.plan.Name, x.all.Builtins.On)
	if err := x.keepSchedules(); err != nil {
		c.ReportError(err)
	}
	specified, builtin := x.merged.results(x.runs, x.plan.Check.NamesTests)
	if x.isInterrupted(cause) {
		x.refuse(slices.Concat(specified, builtin), "interrupted after "+wording.Plural(x.runs, "run"))
	}
	for _, r := range specified {
		if err := c.Report(x.plan.Name, r); err != nil {
			c.ReportError(err)
		}
	}
	if !x.plan.Check.Strict {
		x.all.Builtins.Settle(builtin)
	}
	if err := findings.Write(c, x.plan.Name, builtin); err != nil {
		c.ReportError(err)
	}
	if c.JSON {
		if err := report.WriteObject(c.Stdout, object{x.plan.Name, x.outcome()}); err != nil {
			c.ReportError(err)
		}
	}
	fmt.Fprintln(x.out, "antichain:", x.summary(cause))
	io.WriteString(x.out, x.onTime.text())
	if x.orders != nil {
		fmt.Fprintln(x.out, "antichain:", x.orders.text())
	}
	for _, line := range x.samples.lines(x.plan.Strategy) {
		fmt.Fprintln(x.out, "antichain:", line)
	}
	c.NoteOpen()
	// The outcomes for properties are those of the merged results.
	x.all.Outcomes = exit.Outcomes{Failed: x.all.Failed, Bug: x.all.Bug}
	x.all.Outcomes.Include(c.Outcomes)
	x.all.Reports = c.Reports
	return &x.all
}

// refuse makes the verdict unknown for properties that no run has violated: further runs were asked
// for.
func (x *exploration) refuse(results []*tlcheck.Assessment, why string) {
	for _, r := range results {
		if r.Verdict == tlcheck.Holds {
			refused := *r.Result
			refused.Verdict, refused.Covered, refused.Vacuous = tlcheck.Unknown, why, ""
			r.Result = &refused
		}
	}
	x.all.Builtins.Unknown = cmp.Or(x.all.Builtins.Unknown, why)
}

// nextSeed returns the seed of the next steered run. Behind the largest one comes 1: 0 is none.
func (x *exploration) nextSeed() uint64 {
	first := max(x.plan.Seed, 1)
	seed := first + uint64(x.steered)
	if seed < first {
		seed++
	}
	return seed
}

// isInterrupted reports whether cause is an interrupt, and runs are missing for it.
func (x *exploration) isInterrupted(cause error) bool {
	return errors.Is(cause, interrupt.Err) && x.isLeft() && !x.stopped
}

// summary says how many runs there were, what did not go well in them, and what ended them if not
// all were made.
func (x *exploration) summary(cause error) string {
	ordinary := x.ordinary()
	text := wording.Plural(ordinary, "run") + flagValues("--yields", x.plan.Yields, ordinary) + x.pairs.text()
	if x.orders != nil && x.orders.repeated {
		text += ", 1 of them a repetition"
	}
	if x.steered > 0 {
		text += fmt.Sprintf(", %d", x.steered) + flagValues("--seed", max(x.plan.Seed, 1), x.steered)
	}
	if x.failures > 0 {
		text += fmt.Sprintf("; the program failed in %d", x.failures)
		if x.failed != "" {
			text += ", first with " + x.failed
		}
		if r := x.failedRun; r != nil && r.plan.Replay != "" && !hasHappened(r.results) {
			text += fmt.Sprintf(" (%s)", r.plan.RunAgain())
		}
	}
	if x.onTime.doubt > 0 {
		text += fmt.Sprintf("; it failed in %d, but not with real time", x.onTime.doubt)
		if x.onTime.first != "" {
			text += ", first with " + x.onTime.first
		}
	}
	text += x.pairs.failureText()
	if x.unended > 0 {
		text += fmt.Sprintf("; %d did not end, and were ended", x.unended)
	}
	if x.unknown > 0 {
		text += fmt.Sprintf("; %d without a verdict", x.unknown)
	}
	switch {
	case !x.isLeft():
	case x.stopped:
		text += "; stopped at the first violation or failure (--stop-at never makes all runs)"
	case errors.Is(cause, errNoTimeLeft), errors.Is(cause, errForOver):
		text += "; then " + cause.Error()
	case x.orders != nil && cause == nil:
	case x.plan.Explore == math.MaxInt, x.orders != nil:
		text += "; then it was interrupted"
	default:
		text += fmt.Sprintf("; then it was interrupted, with %s left", wording.Plural(x.runsLeft(), "run"))
	}
	return text
}

// flagValues returns the values of a flag in consecutive runs, as text; "" if the first is 0, which
// is none.
func flagValues(flag string, first uint64, runs int) string {
	switch {
	case first == 0:
		return ""
	case runs == 1:
		return fmt.Sprintf(" with %s %d", flag, first)
	}
	return fmt.Sprintf(" with %s %d to %d", flag, first, first+uint64(runs)-1)
}
