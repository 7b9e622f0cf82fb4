package live

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strconv"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/hang"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/prompt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// Attachment checks a program that antichain has not started.
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
	if err := a.checkSuitable(); err != nil {
		return err
	}
	m := a.Monitor
	m.Style.Source.Dirs = append(m.Style.Source.Dirs, a.table.Root)
	l := NewSession(a.name(), m, &recording.Recorder{Path: a.Output})
	l.process = a.Process
	l.launch = func(ctx context.Context, cfg launch.Config) (*launch.Run, error) {
		return launch.Attach(ctx, a.socket, cfg)
	}
	if err := l.AskUser(terminal.FileOf(s.In), terminal.FileOf(s.Err)); err != nil {
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
	hangs := hang.New(watching, &m.Checker, m.Stderr)
	if watching != nil {
		cfg.Watch = watching
	}
	if hangs != nil {
		hangs.Quits = true
	}
	l.Watch(watching, hangs, a.Live)
	m.AskAll(a.name())
	m.AskBuiltins(a.name(), watching.Properties())
	run, err := l.Start(ctx, memory, cfg)
	if err != nil {
		return err
	}
	ended := l.await(run)
	stopListening() // from now on an interrupt ends the checks
	l.conclude(ended)
	return a.conclude(ctx, watching, run, l.recorder, ended)
}

// checkSuitable refuses, while the program still waits, properties that cannot be checked on a
// program with that site table: there is no second beginning.
func (a *Attachment) checkSuitable() error {
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

// Process is a program that antichain has not started, and that waits for a checker.
type Process struct {
	pid            int
	socket, binary string
	table          *site.Table
}

// FindProcess finds the program that waits for a checker, by its process id or its socket.
func FindProcess(ctx context.Context, target string) (*Process, error) {
	if _, err := strconv.Atoi(target); err != nil {
		if info, err := os.Stat(target); err != nil || info.Mode()&fs.ModeSocket == 0 {
			return nil, fmt.Errorf("%s is neither a process id nor a socket", target)
		}
	}
	pid, socket, err := control.Resolve(ctx, target)
	if err != nil {
		return nil, err
	}
	a := &Process{pid: pid, socket: socket, binary: launch.Executable(pid)}
	if a.table, err = instrument.TableOf(a.binary); err != nil {
		return nil, fmt.Errorf("process %d: %w", pid, err)
	}
	return a, nil
}

// end ends the program, which is halted.
func (p *Process) end() error {
	running, err := os.FindProcess(p.pid)
	if err != nil {
		return err
	}
	return running.Kill()
}

// name returns the name of the run in reports.
func (p *Process) name() string { return fmt.Sprint("process ", p.pid) }

// awaitVisitor keeps the program halted until a user attaches with antichain attach, and returns
// their decision.
func (l *Session) awaitVisitor(h *haltedProgram) decision {
	m := l.monitor
	if !m.JSON {
		if err := h.write(m.Stderr, l.root); err != nil {
			m.ReportError(err)
		}
	}
	host, err := h.host(m.Reading)
	if err != nil {
		m.ReportError(fmt.Errorf("antichain attach cannot reach the program: %w", err))
		return decision{}
	}
	defer host.Close()
	fmt.Fprintf(l.notes, "antichain: to look at it, type in another terminal: antichain attach %d\n", h.PID())
	for {
		v, err := host.Visitor()
		if err != nil { // the program has ended
			return l.decisionOf(prompt.Decision{})
		}
		d, err := l.receive(v, h)
		v.Close()
		if err == nil || l.halt.HasEnded() {
			return l.decisionOf(d)
		}
		fmt.Fprintln(l.notes, "antichain: the attached antichain has ended; the program stays halted:", err)
	}
}

// receive has the dialogue with a visitor.
func (l *Session) receive(v *control.Visitor, h *haltedProgram) (prompt.Decision, error) {
	if v.Terminal == nil {
		return l.dialogue(console.NewScript(v.In, v.Out), h)
	}
	return l.introduce(console.TerminalAt(v.Terminal, v), h)
}

// IsHalted reports whether the program is halted by the antichain that has started it, which waits
// for a visitor.
func (p *Process) IsHalted() bool { return control.HostOf(p.socket) != "" }

// Visit brings this terminal, or the commands of the standard input, to the antichain that has
// halted the program.
func (p *Process) Visit(ctx context.Context, s terminal.Streams) error {
	host := control.HostOf(p.socket)
	in, out := terminal.FileOf(s.In), terminal.FileOf(s.Out)
	if !terminal.IsTerminal(in) || !terminal.IsTerminal(out) {
		if in == nil || out == nil {
			return errors.New("standard input and output must be files")
		}
		return control.VisitScript(ctx, host, in, out)
	}
	t, err := console.OpenTerminal()
	if err != nil {
		return err
	}
	defer t.Close()
	signal.Ignore(os.Interrupt) // it is for what runs on the terminal meanwhile
	return control.VisitTerminal(ctx, host, t.TTY())
}
