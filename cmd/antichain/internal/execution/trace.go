package execution

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/confirmation"
	"github.com/antichain-go/antichain/cmd/antichain/internal/delivery"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/hang"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reversal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck"
)

// runAndCheck makes the run and checks it.
func (r *runner) runAndCheck(
	ctx context.Context, s terminal.Streams, c *check.Checker,
) (*Conclusion, error) {
	c.Reports.Ran(r.binary)
	run, err := r.prepare(s, c)
	if err != nil {
		return nil, err
	}
	sink, err := delivery.OpenKafkaSink(ctx, r.Record.Sink, filepath.Base(r.binary), s.Err, c.Stdout)
	if err != nil {
		return nil, err
	}
	if sink != nil {
		// Brokers may be away for as long as they like.
		run.RunID, run.Ring.Busy = sink.RunID(), math.MaxInt64
		defer sink.Stop()
	}
	memory, stop := budget.WithMemory(ctx, r.Check.Options.Memory)
	defer stop()
	if r.Halt.IsWanted() || r.Live.On && len(c.Properties)+len(r.Builtins) > 0 {
		return r.runLive(ctx, memory, run, sink, s.Err)
	}
	run.limit = r.Limit
	reading, timeOver := context.WithCancelCause(memory)
	defer timeOver(nil)
	recorder := r.newRecorder(run, sink, reading)
	watched, unwatch := budget.WithLive(reading, r.Check.Options.Memory)
	defer unwatch()
	r.watchOperations(watched, run, recorder)
	r.watchPairs(run)
	run.others = r.Operations
	running, endHang := context.WithCancel(ctx)
	defer endHang()
	if !r.Further {
		r.watchHangs(run, endHang, s.Err)
	}
	replayed, err := r.startReplay(run)
	if err != nil {
		return nil, err
	}
	if r.Tests.EndReplay {
		run.bound = replayed.bound()
	}
	if replayed != nil && run.builtins != nil {
		run.last = make(lastOperations)
	}
	failed, err := r.failuresOf(run)
	if err != nil {
		return nil, err
	}
	// An interrupt during the run is the program's. It ends all further runs, too.
	further, stopFurther := interrupt.Context(ctx)
	defer stopFurther()
	started, err := run.begin(running)
	failed.onStart()
	if err != nil {
		return nil, err
	}
	defer started.end()
	sink.InterruptibleAfter(started.Run)
	if run.bound != nil {
		go run.bound.watch(started)
	}
	go r.boundReading(reading, started.Run, timeOver)
	ended := recorder.Await(started.Run, c)
	run.hang.Conclude(started.Names())
	overdue := ended.Signal != 0 && started.wasEnded() && ctx.Err() == nil
	recorder.Ended = overdue && !r.Repeated
	failed.passOn(ended)
	took := time.Since(started.at)
	first := &confirmation.Run{Visits: run.visits, Names: started.Names(), Took: took}
	confirmer := r.confirmer(s.Err)
	switch {
	case len(c.Properties) > 0:
		stop()
		if r.Confirm.Attempts > 0 {
			r.confirmStates(further, confirmer, c, first)
		}
		recorder.Judge(ctx, c, r.Name, ended)
	case r.Reports.Draws:
		recorder.Draw(c, r.Name, ended)
	}
	replayed.write(c.Stdout, ended)
	replayed.writeDifference(c.Stdout, ended, run.last, first.Names)
	if err := r.repeat(further, c.Stdout, replayed, run, ended.Kept, took); err != nil {
		c.ReportError(err)
	}
	summary, results := run.builtins.Judge(ctx, c, first.Names, recorder.Header, ended)
	if err := r.confirmFindings(further, confirmer, results, first); err != nil {
		c.ReportError(err)
	}
	candidates := candidatesOf(run, first.Names, &summary, results)
	happened, vain, err := r.confirmCandidates(further, confirmer, candidates, first)
	if err != nil {
		c.ReportError(err)
	}
	if a, err := r.tryReversals(further, confirmer, run, slices.Concat(results, happened), first); err != nil {
		c.ReportError(err)
	} else if a != nil {
		happened = append(happened, a)
	}
	if r.Confirm.Attempts > 0 && !r.Check.Strict {
		summary.Settle(results)
	}
	for _, a := range happened {
		results = summary.Confirmed(results, a)
	}
	concluded := r.reportConclusion(c, summary, results, ended)
	failed.report(further, c, ended, s.Err)
	concluded.Overdue, concluded.Vain, concluded.Hung = overdue, vain, run.hang.HasEnded()
	concluded.InVain, concluded.Kept = r.Reversed != nil && ended.Kept.Done == 0, ended.Kept.Done
	concluded.Names, concluded.Passed = first.Names, passed(started.Run, ended.Ring.Passed)
	concluded.Reversals = r.reversals(run, first.Names, took, r.Reversals)
	if r.Reversed != nil {
		if again := r.Reversed.again(ended.Kept.Done); again != nil {
			concluded.Reversals = append([]*Reversal{again}, concluded.Reversals...)
		}
	}
	return concluded, nil
}

// watchOperations sets up what watches the operations of the run, until memory ends.
func (r *runner) watchOperations(memory context.Context, run *run, recorder *recording.Recorder) {
	run.checkBuiltins(memory, r.Builtins, r.Record.IsKept() || recorder.Orders)
	r.ask(run.checker, run.builtins)
	switch {
	case run.builtins != nil && r.Confirm.Attempts > 0:
		run.visits = new(schedule.Visits)
	case run.builtins == nil && (recorder.Orders || r.Reorders && r.Record.IsKept()):
		run.reported, run.Enough, run.Record, run.Linger = true, recorder.Enough, true, 0
	}
}

// watchHangs has it said while the program runs that goroutines wait for ever, and ends the program
// if it hangs for too long.
func (r *runner) watchHangs(run *run, end func(), stderr io.Writer) {
	notes := cmp.Or(r.Live.Notes, stderr)
	out := notes
	if run.checker.JSON {
		out = io.Discard
	}
	run.hang = r.newHangWatch(run, run.checker, out)
	if run.hang == nil {
		return
	}
	run.hang.Timeout = r.Hang
	run.hang.End = func() {
		const text = "antichain: ending the program, which has hung for %v (--hang-timeout)\n"
		fmt.Fprintf(notes, text, r.Hang)
		end()
	}
}

// newHangWatch returns a watch that says on out where goroutines wait for ever, nil if no built-in
// properties are checked.
func (r *runner) newHangWatch(run *run, c *check.Checker, out io.Writer) *hang.Watch {
	h := hang.New(run.builtins, c, out)
	if h != nil {
		h.Quits = r.Live.Notes == nil // go test ends a test binary by SIGQUIT
	}
	return h
}

// watchPairs has pairs of operations collected, if the plan wants some and anything is checked.
func (r *runner) watchPairs(run *run) {
	switch {
	case r.Reversals == 0 && (run.builtins == nil || !r.triesReversals()),
		run.builtins == nil && len(run.checker.Properties) == 0:
		return
	case run.builtins == nil:
		run.Linger = 0 // nothing is asked about goroutines that wait
	}
	run.pairs = new(reversal.Watcher)
	if run.visits == nil {
		run.visits = new(schedule.Visits)
	}
}

// maxWaitFactor bounds, as a multiple of its own duration, how long a program may wait for
// antichain if only built-in properties are checked: it takes three times as long then.
const maxWaitFactor = 2

// newRecorder returns a recorder for the run, and makes it receive the events that are needed.
// reading bounds its memory.
func (r *runner) newRecorder(
	run *run, sink *delivery.KafkaSink, reading context.Context,
) *recording.Recorder {
	checked := len(run.checker.Properties) > 0
	recorder := &recording.Recorder{
		Path: r.Record.Path, Sink: sink, Memory: reading, Check: checked || r.Reports.Draws,
		Orders: checked && r.Reorders, Leads: r.Confirm.Attempts > 0 && !r.Confirm.Doubtful,
	}
	if !checked {
		recorder.Most = reports.MostDrawn
	}
	run.Header = recorder.Begin
	switch {
	case recorder.Check || r.Record.IsKept() || r.Reorders:
		run.Event, run.EnoughEvents = recorder.Add, recorder.Enough
	case !r.Full:
		run.MayWait = maxWaitFactor
	}
	return recorder
}

// boundReading ends the reading of what a program has left if it takes too long, or at an
// interrupt. Until the program has ended, an interrupt is for the program.
func (p *Plan) boundReading(
	reading context.Context, run *launch.Run, end context.CancelCauseFunc,
) {
	select {
	case <-run.Exited():
	case <-reading.Done():
		return
	}
	bounded, stop := interrupt.Context(reading)
	defer stop()
	if p.Check.Options.Time > 0 {
		var done context.CancelFunc
		bounded, done = context.WithTimeoutCause(bounded, p.Check.Options.Time, budget.ErrTime)
		defer done()
	}
	<-bounded.Done()
	end(context.Cause(bounded))
}

// reportConclusion reports on the built-in properties, and returns the outcome of the run.
func (p *Plan) reportConclusion(
	c *check.Checker, summary findings.Summary, results []*tlcheck.Assessment, ended *launch.Result,
) *Conclusion {
	if err := findings.Write(c, p.Name, results); err != nil {
		c.ReportError(err)
	}
	c.NoteOpen()
	return &Conclusion{
		Outcomes: c.Outcomes, Code: ended.ExitCode, Checked: len(c.Properties) > 0,
		Builtins: summary, Reports: c.Reports,
		Steps: int(ended.Ring.Steps), Goroutines: int(ended.Ring.Goroutines), Noted: ended.Ring.Notes,
	}
}
