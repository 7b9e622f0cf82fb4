package running

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/cmd/antichain/internal/debug"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracedbuild"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tracer/event"
)

// Session builds and runs a program for a dialogue.
type Session struct {
	Streams terminal.Streams // the program's; messages about it also go there
	Script  string           // file with the commands; "" is the terminal
	Memory  int64            // limit for the bytes of the run
}

// Validate returns an error if there is neither a terminal nor a script.
func (s *Session) Validate() error {
	if s.Script != "" {
		_, err := os.Stat(s.Script)
		return err
	}
	if !(terminal.IsTerminal(os.Stdin) && terminal.IsTerminal(s.Streams.Err)) {
		return errors.New("standard input belongs to the program: give commands with -x FILE, or at a terminal")
	}
	return nil
}

// Run builds a program in a directory and runs it with the arguments, under control of the
// dialogue.
func (s *Session) Run(ctx context.Context, build *tracedbuild.Config, dir string, args []string) error {
	var p *tracedbuild.Program
	var cfg launch.Config
	err := tracedbuild.Interruptible(ctx, s.Streams.Err, func(ctx context.Context) (err error) {
		p, cfg, err = s.build(ctx, build, dir)
		return err
	})
	if err != nil {
		return err
	}
	cfg.Args = args
	memory, stop := budget.WithMemory(ctx, s.Memory)
	defer stop()
	var interrupts chan os.Signal
	if s.Script == "" {
		interrupts = make(chan os.Signal, 1)
		signal.Notify(interrupts, os.Interrupt)
		defer signal.Stop(interrupts)
	}
	program := NewSteppedProgram(memory, interrupts)
	if err := program.Start(ctx, cfg); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- s.talk(ctx, program, p) }()
	err = program.Wait()
	return errors.Join(<-done, err)
}

// build builds the program, and returns how to run it.
func (s *Session) build(ctx context.Context, build *tracedbuild.Config,
	dir string) (*tracedbuild.Program, launch.Config, error) {
	building := terminal.Working(s.Streams.Err, "building the traced program")
	defer building.Done()
	p, err := build.Program(ctx, building)
	if err != nil {
		return nil, launch.Config{}, err
	}
	if err := p.Build.Allows("debug"); err != nil {
		return nil, launch.Config{}, err
	}
	bin := filepath.Join(dir, "bin") // other files in dir may have the name of the program
	if err := os.Mkdir(bin, 0o700); err != nil {
		return nil, launch.Config{}, err
	}
	binary := filepath.Join(bin, p.Command)
	if err := p.Build.CompileAgain(ctx, binary); err != nil {
		return nil, launch.Config{}, err
	}
	table, err := instrument.TableOf(binary)
	if err != nil {
		return nil, launch.Config{}, err
	}
	in, out, errs := terminal.FileOf(s.Streams.In), terminal.FileOf(s.Streams.Out), terminal.FileOf(s.Streams.Err)
	return p, launch.Config{Binary: binary, Stdin: in, Stdout: out, Stderr: errs, Table: table, Root: p.Root}, nil
}

// talk runs the dialogue, and then ends or detaches the program.
func (s *Session) talk(ctx context.Context, program *SteppedProgram, p *tracedbuild.Program) error {
	stderr := s.Streams.Err
	decision := End
	defer func() {
		if decision == Detach && program.Ending() == "" {
			fmt.Fprintln(stderr, "antichain: detached: the program continues untraced")
		}
		program.End(decision)
	}()
	if _, err := program.Await(); err != nil {
		return nil // Wait reports the failure
	}
	if program.Run() == nil || program.Ending() != "" && program.Run().Last() == 0 {
		return recording.ErrNoEvents
	}
	style := terminal.StyleOf(stderr)
	style.Source = tracedbuild.Source(p.Build, p.Package)
	subject := &Subject{Program: program, Name: event.Printable(p.ImportPath), Root: p.Root}
	run := func(c console.Console) (err error) {
		decision, err = Run(ctx, subject, c, style)
		return err
	}
	if s.Script != "" {
		return debug.RunScript(s.Script, stderr, stderr, run)
	}
	return console.OnTerminal(func(t *console.Terminal) error {
		program.Terminal = t
		return run(t)
	})
}
