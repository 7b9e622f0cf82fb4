package execution

import (
	"cmp"
	"context"
	"io"

	"github.com/antichain-go/antichain/cmd/antichain/internal/delivery"
	"github.com/antichain-go/antichain/cmd/antichain/internal/live"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/internal/tracer/launch"
)

// live makes a run and checks it meanwhile.
func (r *runner) live(
	ctx, memory context.Context, run *run, sink *delivery.KafkaSink, stderr io.Writer,
) (*Conclusion, error) {
	c, halts := run.checker, r.Halt.IsWanted()
	m := &monitor.Monitor{
		Checker: *c, KeepGoing: r.Live.KeepGoing || halts, Postpone: r.Live.Postpone || halts,
	}
	recorder := &recording.Recorder{Path: r.Record.Path, Sink: sink}
	l := live.NewSession(r.Name, m, recorder)
	talk := func() error { return l.TalkAt(run.Stdin, run.Stderr) }
	if r.Live.AtTerminal {
		talk = l.TalkApart
	}
	if err := talk(); err != nil {
		return nil, err
	}
	run.checkBuiltins(memory, r.Builtins, r.Record.IsKept())
	r.ask(&m.Checker, run.builtins)
	l.Watch(run.builtins, r.Live.Flag)
	replayed, err := r.replayed(run)
	if err != nil {
		return nil, err
	}
	if halts {
		l.HaltAt(r.goal(run, replayed), cmp.Or(r.Live.Notes, stderr))
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
	return r.concluded(&m.Checker, summary, results, ended), nil
}
