package main

import (
	"context"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tracer/launch"
)

// watch looks for violations of built-in properties of a program that others have started, where there is no
// specification to halt it for.
func (f *attachFlags) watch(ctx context.Context, s terminal.Streams, m *monitor.Monitor, a *attachment) error {
	fmt.Fprintf(s.Err, "antichain: attaching to process %d; ctrl-C detaches\n", a.pid)
	memory, stop := budget.WithMemory(ctx, int64(f.how.Memory))
	defer stop()
	r := &recorder{path: f.output}
	cfg := launch.Config{
		Binary: a.binary, Table: a.table, Root: a.table.Root, Full: f.output != "", Sparse: f.output == "",
		Header: r.begin, Event: r.add,
	}
	watching := findings.NewWatch(memory, f.builtins, m.Functions, a.table.Instrumented.Unwatched)
	watching.Watch(&cfg)
	run, err := launch.Attach(ctx, a.socket, cfg)
	if err != nil {
		return err
	}
	stopListening := detachAtInterrupt(ctx, run, &m.Checker)
	ended := await(run, &m.Checker, r)
	stopListening() // from now on an interrupt ends the search
	return f.conclude(ctx, m, watching, a, run, r, ended)
}

// detachAtInterrupt makes an interrupt end the trace of a program, which goes on, until stop.
func detachAtInterrupt(ctx context.Context, run *launch.Run, c *check.Checker) (stop func()) {
	interrupted, stop := interrupt.Context(ctx)
	context.AfterFunc(interrupted, func() {
		if context.Cause(interrupted) != interrupt.Err {
			return
		}
		session, err := run.Control(ctx)
		if err == nil {
			err = session.Detach()
		}
		if err := ignoreEnd(err); err != nil {
			fmt.Fprintln(c.Stderr, "antichain:", err)
			return
		}
		fmt.Fprintln(c.Stderr, "antichain: detached: the program goes on untraced")
	})
	return stop
}

// conclude reports on the built-in properties, and returns the exit code.
func (f *attachFlags) conclude(ctx context.Context, m *monitor.Monitor, watching *findings.Watch, a *attachment, run *launch.Run, r *recorder, ended *launch.Result) error {
	outcome, err := watching.Judge(ctx, &m.Checker, a.name(), run.Names(), r.header, ended)
	if err != nil {
		m.ReportError(err)
	}
	if !m.JSON {
		fmt.Fprint(m.Stdout, outcome.Summary())
	}
	m.Outcomes.Violated = m.Outcomes.Violated || len(outcome.Violated) > 0
	m.Outcomes.Unknown = m.Outcomes.Unknown || outcome.IsUnknown()
	return m.Outcomes.Err()
}

// name is what the run is called in reports.
func (a *attachment) name() string { return fmt.Sprint("process ", a.pid) }
