package live

import (
	"context"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// Attachment checks a program that others have started.
type Attachment struct {
	*Process
	Monitor  *monitor.Monitor
	Builtins []builtin.Property
	Live     Flag
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
	cfg := launch.Config{
		Binary: a.binary, Table: a.table, Root: a.table.Root, Full: len(m.Properties) == 0 && a.Output != "",
		Sparse: m.SparseSuffices(process.HeaderOf(a.table)), Hidden: instrument.HiddenInExecutable,
	}
	watching := findings.NewWatch(memory, a.Builtins, m.Functions, a.table.Instrumented.Unwatched)
	watching.Configure(&cfg, a.Output != "", a.Monitor.Style.Source)
	if watching != nil {
		cfg.Watch = watching
	}
	l.Watch(watching, a.Live)
	m.AskAll(a.name())
	m.AskBuiltins(a.name(), watching.Properties())
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

// conclude reports on the built-in properties, and returns the exit code.
func (a *Attachment) conclude(ctx context.Context, watching *findings.Watch, run *launch.Run, r *recording.Recorder, ended *launch.Result) error {
	m := a.Monitor
	summary, results := watching.Judge(ctx, &m.Checker, run.Names(), r.Header, ended)
	if err := findings.Write(&m.Checker, a.name(), results); err != nil {
		m.ReportError(err)
	}
	if !m.JSON {
		fmt.Fprint(m.Stdout, summary.Text())
	}
	return m.Finish()
}
