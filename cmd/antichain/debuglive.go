package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/cmd/antichain/internal/debug/running"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracedbuild"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/instrument"
	"github.com/antichain-go/antichain/tracer/launch"
	"github.com/spf13/pflag"
)

// register adds the flags that say what is recorded of a program that is run.
func (d *debugger) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&d.Files, "spec", nil, "for a package, record what this specification `FILE` names; may be repeated")
	flags.StringArrayVarP(&d.Formulas, "expr", "e", nil, "for a package, record what this `FORMULA` of a specification names; may be repeated")
	flags.StringArrayVar(&d.functions, "func", nil, "for a package, record the functions that match this `PATTERN`; may be repeated")
}

// isPackage tells the name of a package from that of a file: it is a directory, a Go file, a pattern, or an import path.
func isPackage(word string) bool {
	info, err := os.Stat(word)
	switch {
	case strings.HasSuffix(word, ".go"):
		return true
	case err == nil:
		return info.IsDir()
	}
	local := filepath.IsAbs(word) || strings.HasPrefix(word, ".")
	return strings.Contains(word, "...") || strings.Contains(word, "/") && !local
}

// lead builds and runs a program, as far as a dialogue says.
func (d *debugger) lead(ctx context.Context, args []string) error {
	if err := errors.Join(d.budgets.validate(), d.canTalk()); err != nil {
		return err
	}
	if len(d.model.Parameters) > 0 || d.input.Format != "" {
		return errors.New("--param and --format apply to files, not to a package: leave them out")
	}
	dir, err := launch.NewDir()
	if err != nil {
		return err
	}
	defer remove(d.s, dir)
	d.otherwise = []string{"*"}
	packages, rest := splitPackage(args)
	p, cfg, err := d.build(ctx, dir.Path(), packages)
	if err != nil {
		return err
	}
	cfg.Args = rest
	memory, stop := budget.WithMemory(ctx, int64(d.budgets.Memory))
	defer stop()
	var interrupts chan os.Signal
	if d.script == "" {
		interrupts = make(chan os.Signal, 1)
		signal.Notify(interrupts, os.Interrupt)
		defer signal.Stop(interrupts)
	}
	l := running.NewSteppedProgram(memory, interrupts)
	if err := l.Start(ctx, cfg); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- d.talk(ctx, l, p) }()
	err = l.Wait()
	return errors.Join(<-done, err)
}

// canTalk returns an error if there is nobody to give commands.
func (d *debugger) canTalk() error {
	if d.script != "" {
		_, err := os.Stat(d.script)
		return err
	}
	if !(terminal.IsTerminal(os.Stdin) && terminal.IsTerminal(d.s.Err)) {
		return errors.New("standard input belongs to the program: give commands with -x FILE, or at a terminal")
	}
	return nil
}

// build builds the program, and returns how to run it.
func (d *debugger) build(ctx context.Context, dir string, packages []string) (*tracedbuild.Program, launch.Config, error) {
	building := terminal.Working(d.s.Err, "building the traced program")
	defer building.Done()
	p, err := d.tracedBuild(nil, packages, dir).Program(ctx, building)
	if err != nil {
		return nil, launch.Config{}, err
	}
	if err := p.Build.Allows("debug"); err != nil {
		return nil, launch.Config{}, err
	}
	bin := filepath.Join(dir, "bin") // what else is in dir may have the program's name
	if err := os.Mkdir(bin, 0o700); err != nil {
		return nil, launch.Config{}, err
	}
	binary := filepath.Join(bin, p.Command)
	if err := p.Build.Compile(ctx, binary); err != nil {
		return nil, launch.Config{}, err
	}
	table, err := instrument.TableOf(binary)
	if err != nil {
		return nil, launch.Config{}, err
	}
	return p, launch.Config{
		Binary: binary, Stdin: terminal.FileOf(d.s.In), Stdout: terminal.FileOf(d.s.Out), Stderr: terminal.FileOf(d.s.Err),
		Table: table, Root: p.Root,
	}, nil
}

// talk has the dialogue, and says what becomes of the program then.
func (d *debugger) talk(ctx context.Context, l *running.SteppedProgram, p *tracedbuild.Program) error {
	decision := running.End
	defer func() {
		if decision == running.Detach && l.Ending() == "" {
			fmt.Fprintln(d.s.Err, "antichain: detached: the program goes on untraced")
		}
		l.End(decision)
	}()
	if _, err := l.Await(); err != nil {
		return nil // wait says so
	}
	if l.Run() == nil || l.Ending() != "" && l.Run().Last() == 0 {
		return recording.ErrNoEvents
	}
	style := terminal.StyleOf(d.s.Err)
	style.Source = report.Source{Dirs: []string{p.Root, p.Dir}}
	subject := &running.Subject{Program: l, Name: event.Printable(p.ImportPath), Root: p.Root}
	run := func(c console.Console) (err error) {
		decision, err = running.Run(ctx, subject, c, style)
		return err
	}
	if d.script != "" {
		return d.scripted(d.s.Err, run)
	}
	return onTerminal(func(t *console.Terminal) error {
		l.Terminal = t
		return run(t)
	})
}
