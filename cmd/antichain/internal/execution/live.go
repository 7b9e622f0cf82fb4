package execution

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/delivery"
	"github.com/antichain-go/antichain/cmd/antichain/internal/live"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tracer/event"
)

// runLive makes a run and checks it meanwhile.
func (r *runner) runLive(
	ctx, memory context.Context, run *run, sink *delivery.KafkaSink, stderr io.Writer,
) (*Conclusion, error) {
	c, halts := run.checker, r.Halt.IsWanted()
	m := &monitor.Monitor{
		Checker: *c, KeepGoing: r.Live.KeepGoing || halts, Postpone: r.Live.Postpone || halts,
	}
	recorder := &recording.Recorder{Path: r.Record.Path, Sink: sink}
	l := live.NewSession(r.Name, m, recorder)
	talk := func() error { return l.AskUser(run.Stdin, run.Stderr) }
	if r.Live.AtTerminal {
		talk = l.AskUserApart
	}
	if err := talk(); err != nil {
		return nil, err
	}
	run.checkBuiltins(memory, r.Builtins, r.Record.IsKept())
	r.ask(&m.Checker, run.builtins)
	l.Watch(run.builtins, r.newHangWatch(run, &m.Checker, c.Stderr), r.Live.Flag)
	replayed, err := r.startReplay(run)
	if err != nil {
		return nil, err
	}
	if halts {
		l.HaltAt(r.setGoal(run, replayed), cmp.Or(r.Live.Notes, stderr))
	}
	run.start = func(ctx context.Context, cfg launch.Config) (*launch.Run, error) {
		return l.Start(ctx, memory, cfg)
	}
	started, err := run.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer started.end()
	sink.InterruptibleAfter(started.Run)
	ended := l.Await(started.Run)
	replayed.write(c.Stderr, ended)
	r.Halt.writeMeeting(c.Stderr, ended)
	summary, results := run.builtins.Judge(ctx, &m.Checker, started.Names(), recorder.Header, ended)
	return r.reportConclusion(&m.Checker, summary, results, ended), nil
}

// Halting says where a program is halted, if not at violations.
type Halting struct {
	BehindSchedule bool           // where the schedule leads that it keeps
	At             []rewrite.Line // when there is a goroutine at each of these lines at once
	HoldFor        time.Duration  // how long goroutines are held there
}

// IsWanted reports whether the program is to be halted somewhere.
func (h *Halting) IsWanted() bool { return h.BehindSchedule || len(h.At) > 0 }

// setGoal has the program stop where it is to be halted, and returns where that is.
func (p *Plan) setGoal(run *run, replayed *replay) *live.Goal {
	run.reported = true
	if p.Halt.BehindSchedule {
		return replayed.setGoal(run.Schedule)
	}
	if run.Schedule == nil {
		run.Schedule = new(ring.Schedule)
	}
	run.Schedule.Holds = p.Halt.HoldFor
	for _, line := range p.Halt.At {
		run.Schedule.Lines = append(run.Schedule.Lines, line.First(p.Halt.At))
	}
	return &live.Goal{
		Reached: func(run *launch.Run) bool { return run.Progress().Met },
		Words:   "at " + wording.List(p.Halt.texts(allLines)),
	}
}

// texts returns the lines in a set, in which each bit stands for one.
func (h *Halting) texts(set uint64) (texts []string) {
	for i, line := range h.At {
		if set>>i&1 != 0 {
			texts = append(texts, line.Text)
		}
	}
	return texts
}

const allLines = math.MaxUint64

// writeMeeting says what became of the lines that were to be reached at once.
func (h *Halting) writeMeeting(w io.Writer, ended *launch.Result) {
	if len(h.At) == 0 || ended.Kept.Met {
		return
	}
	best := "no goroutine came to any of them"
	if most := h.texts(ended.Kept.Most); len(most) > 0 {
		best = "at most " + wording.List(most)
	}
	fmt.Fprintf(w, "antichain: there was never a goroutine at each of these lines at once: %s; %s\n",
		event.Printable(wording.List(h.texts(allLines))), event.Printable(best))
}
