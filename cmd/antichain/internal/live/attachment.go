package live

import (
	"context"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/halt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/ingest/process"
	"github.com/antichain-go/antichain/tracer/launch"
)

// Attachment checks a program that others have started.
type Attachment struct {
	*Process
	Monitor  *monitor.Monitor
	Builtins []builtin.Property
	Memory   int64  // that may be held
	Output   string // trace file; "" for none
}

// Run attaches to the program, and reports on it. It returns the exit code.
func (a *Attachment) Run(ctx context.Context, s terminal.Streams) error {
	if err := a.suits(); err != nil {
		return err
	}
	m := a.Monitor
	m.Style.Source.Dirs = append(m.Style.Source.Dirs, a.table.Root)
	if len(m.Properties) == 0 {
		return a.watch(ctx)
	}
	l := NewSession(a.name(), m, &recording.Recorder{Path: a.Output})
	l.process = a.Process
	l.launch = func(ctx context.Context, cfg launch.Config) (*launch.Run, error) {
		return launch.Attach(ctx, a.socket, cfg)
	}
	if err := l.TalkAt(terminal.FileOf(s.In), terminal.FileOf(s.Err)); err != nil {
		return err
	}
	stopListening := l.haltAtInterrupt()
	defer stopListening()
	fmt.Fprintf(m.Stderr, "antichain: attaching to process %d%s\n", a.pid, l.howToHalt())
	memory, stop := budget.WithMemory(ctx, a.Memory)
	defer stop()
	cfg := launch.Config{Binary: a.binary, Table: a.table, Root: a.table.Root, Sparse: m.SparseSuffices(process.HeaderOf(a.table))}
	watching := a.findings(memory)
	watching.Watch(&cfg, a.Output != "", a.Monitor.Style.Source)
	run, err := l.Start(ctx, memory, cfg)
	if err != nil {
		return err
	}
	ended := l.recorder.Await(run, &m.Checker)
	stopListening() // from now on an interrupt ends the checks
	l.conclude(ended)
	return a.conclude(ctx, watching, run, l.recorder, ended)
}

// suits refuses properties that cannot be checked on a program with that site table while it still
// waits: there is no second beginning.
func (a *Attachment) suits() error {
	return a.Monitor.Kinds(process.HeaderOf(a.table), a.Monitor.Properties).Err()
}

// findings returns a checker of the built-in properties.
func (a *Attachment) findings(memory context.Context) *findings.Watch {
	return findings.NewWatch(memory, a.Builtins, a.Monitor.Functions, a.table.Instrumented.Unwatched)
}

// watch looks for violations of built-in properties of a program that others have started, where there is no
// specification to halt it for.
func (a *Attachment) watch(ctx context.Context) error {
	interrupted, stopListening := interrupt.Context(ctx) // before it is said that an interrupt detaches
	defer stopListening()
	fmt.Fprintf(a.Monitor.Stderr, "antichain: attaching to process %d; ctrl-C detaches\n", a.pid)
	memory, stop := budget.WithMemory(ctx, a.Memory)
	defer stop()
	r := &recording.Recorder{Path: a.Output}
	cfg := launch.Config{
		Binary: a.binary, Table: a.table, Root: a.table.Root, Full: a.Output != "", Sparse: a.Output == "",
		Header: r.Begin, Event: r.Add,
	}
	watching := a.findings(memory)
	watching.Watch(&cfg, a.Output != "", a.Monitor.Style.Source)
	run, err := launch.Attach(ctx, a.socket, cfg)
	if err != nil {
		return err
	}
	detachAtInterrupt(ctx, interrupted, run, &a.Monitor.Checker)
	ended := r.Await(run, &a.Monitor.Checker)
	stopListening() // from now on an interrupt ends the search
	return a.conclude(ctx, watching, run, r, ended)
}

// detachAtInterrupt ends the trace of a program, which goes on, when an interrupt has ended a context.
func detachAtInterrupt(ctx, interrupted context.Context, run *launch.Run, c *check.Checker) {
	context.AfterFunc(interrupted, func() {
		if context.Cause(interrupted) != interrupt.Err {
			return
		}
		session, err := run.Control(ctx)
		if err == nil {
			err = session.Detach()
		}
		if err := halt.IgnoreEnd(err); err != nil {
			fmt.Fprintln(c.Stderr, "antichain:", err)
			return
		}
		fmt.Fprintln(c.Stderr, "antichain: detached: the program goes on untraced")
	})
}

// conclude reports on the built-in properties, and returns the exit code.
func (a *Attachment) conclude(ctx context.Context, watching *findings.Watch, run *launch.Run, r *recording.Recorder, ended *launch.Result) error {
	m := a.Monitor
	summary, err := watching.Judge(ctx, &m.Checker, a.name(), run.Names(), r.Header, ended)
	if err != nil {
		m.ReportError(err)
	}
	if !m.JSON {
		fmt.Fprint(m.Stdout, summary.Text())
	}
	m.Outcomes.Violated = m.Outcomes.Violated || len(summary.Violated) > 0
	m.Outcomes.Unknown = m.Outcomes.Unknown || summary.IsUnknown()
	return m.Outcomes.Err()
}
