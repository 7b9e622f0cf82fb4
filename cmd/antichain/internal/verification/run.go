package verification

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/confirmation"
	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exploration"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// Bounds of a verification.
const (
	underSchedule  = 3  // runs under the schedule itself
	mostNeighbours = 20 // orders close to it
)

// errForOver is the cause of a context whose time is over.
var errForOver = errors.New("the time of --for was over")

// Run verifies that a program, which was changed, does no more what the schedule in the file of the
// plan shows. Neither the program nor its runs print anything; progress is shown on stderr.
func Run(
	ctx context.Context, p *exploration.Plan, binary string, args []string, stderr io.Writer,
) (*Outcome, error) {
	s, err := execution.LoadSchedule(p.Verifies)
	if err != nil {
		return nil, err
	}
	nothing, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer nothing.Close()
	v := &verifier{
		plan: p, binary: binary, args: args, nothing: nothing, source: p.Check.Style.Source,
		outcome: &Outcome{File: p.Verifies, Shows: strings.Join(s.Comment, " "), Verdict: Unknown},
	}
	if err := v.fit(s); err != nil {
		return nil, err
	}
	v.showing = terminal.Working(stderr, "verifying")
	defer v.showing.Done()
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	if p.For > 0 {
		var end context.CancelFunc
		ctx, end = context.WithTimeoutCause(ctx, p.For, errForOver)
		defer end()
	}
	return v.outcome, v.judge(ctx)
}

// verifier makes the runs of a verification.
type verifier struct {
	plan    *exploration.Plan
	binary  string
	args    []string
	nothing *os.File
	source  schedule.Sources
	program *schedule.Program
	showing *terminal.Progress
	outcome *Outcome

	original schedule.Schedule  // as the file has it
	schedule *schedule.Schedule // of it, what fits the program
	wanted   map[string]bool    // the functions of its steps
	places   map[string]bool    // lines of its steps that are still there

	first    log // the operations of the run as it is
	reversed []*execution.Reversal
	longest  time.Duration // of the runs that came to an end
	near     bool          // a run has kept a step, or had an operation in a function of one
	unjudged bool          // there is no verdict on the run as it is
}

// order is what decides the order of a run.
type order struct {
	kind         Kind
	words        string             // the order in words; "" if the kind says it
	schedule     *schedule.Schedule // that it keeps, if it is not nil
	seed, yields uint64
	reversals    int // so many pairs are wanted that can be reversed
}

// isOver reports whether no further run is to be made.
func (v *verifier) isOver(ctx context.Context) bool {
	return v.outcome.Found != nil || v.unjudged || ctx.Err() != nil
}

func (v *verifier) isTimeOver(ctx context.Context) bool {
	return errors.Is(context.Cause(ctx), errForOver)
}

// limit returns how long a run may take; 0 for any time.
func (v *verifier) limit(o *order) time.Duration {
	if v.longest == 0 {
		return v.plan.Limit
	}
	most := 5*time.Second + 4*v.longest
	if o.schedule != nil {
		most += 2 * o.schedule.Keep.Patience
	}
	if v.plan.Limit > 0 {
		most = min(most, v.plan.Limit)
	}
	return most
}

// run makes a run.
func (v *verifier) run(ctx context.Context, o *order, watch *log) error {
	if v.isOver(ctx) {
		return nil
	}
	p := v.plan.Plan
	p.Steering = execution.Steering{Seed: o.seed, Yields: o.yields}
	p.Repeated, p.Further, p.Reports, p.Limit = true, true, reports.Contents{}, v.limit(o)
	p.Reversals = o.reversals
	if p.Confirm.Attempts == 0 {
		p.Confirm = confirmation.Usual
	}
	if watch != nil {
		p.Operations = watch
	}
	if o.schedule != nil {
		p.Reversed = &execution.Reversal{Schedule: o.schedule}
	}
	v.showing.Doing(fmt.Sprintf("run %d, %s", v.outcome.all()+1, o.kind))
	var results []*tlcheck.Assessment
	streams := terminal.Streams{In: v.nothing, Out: v.nothing, Err: v.nothing}
	start := time.Now()
	ended, err := p.Collect(ctx, v.binary, v.args, streams, io.Discard,
		func(a *tlcheck.Assessment) { results = append(results, a) }, nil)
	took := time.Since(start)
	switch {
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil
	case err != nil:
		return err
	case ctx.Err() != nil && !ended.HasViolation():
		return nil
	}
	v.outcome.count(o.kind)
	if !ended.Overdue {
		v.longest = max(v.longest, took)
	}
	v.near = v.near || ended.Kept > 0
	if o.kind == Scheduled {
		v.outcome.Kept = max(v.outcome.Kept, ended.Kept)
	}
	if o.reversals > 0 {
		v.reversed = append(v.reversed, ended.Reversals...)
	}
	if watch != nil && ended.Names != nil {
		watch.names = ended.Names
		v.near = v.near || watch.isNear(v.wanted, v.places)
	}
	v.unjudged = o.kind == AsIs && !ended.HasViolation() && (ended.Unknown || ended.Failed || ended.Bug)
	return v.note(&p, o, ended, results)
}

// note takes over what a run shows.
func (v *verifier) note(
	p *execution.Plan, o *order, ended *execution.Conclusion, results []*tlcheck.Assessment,
) error {
	i := slices.IndexFunc(results, func(a *tlcheck.Assessment) bool {
		return a.Verdict == tlcheck.Violated && a.IsNews()
	})
	fails := ended.Code != 0 && !ended.Overdue
	met := o.kind == Scheduled && o.schedule != nil && o.schedule.Meets() && ended.Kept == len(o.schedule.Steps)
	found := &Found{Run: o.words}
	switch {
	case i >= 0:
		found.Property, found.Text, found.How = results[i].Name(), v.textOf(results[i]), results[i].How().String()
	case met:
		found.Property, found.Text, found.How = string(builtin.Race), "both accesses were about to be made at once",
			builtin.Observed.String()
	case fails && o.schedule == nil && !ended.Passed.Any():
		found.Text = fmt.Sprintf("the program fails with exit code %d", ended.Code)
	case fails:
		v.outcome.Failed++
		return nil
	default:
		return nil
	}
	if found.Run == "" {
		found.Run = string(o.kind)
	}
	found.Again = p.RunAgain()
	if o.schedule != nil {
		file, err := p.Schedules.Write(p.Name, "verify", o.schedule)
		if err != nil {
			return err
		}
		found.Again = rerun.Replay(p.Check.Style.Again, file)
	}
	v.outcome.Found = found
	return nil
}

// textOf says in a line what a result shows.
func (v *verifier) textOf(a *tlcheck.Assessment) string {
	if a.Finding != nil {
		return report.Message(a, v.plan.Check.Style.Source)
	}
	return "its formula is false in a state of the run"
}
