package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/cmd/antichain/internal/debug"
	"github.com/antichain-go/antichain/cmd/antichain/internal/debug/running"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracedbuild"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// debugger has the arguments and flags of debug.
type debugger struct {
	s       terminal.Streams
	input   input.Flags
	budgets budgetFlags
	model   modelFlags
	script  string // -x

	traceFlags // of a program to be run; only those that say what is recorded
}

func newDebug(s terminal.Streams) *cobra.Command {
	d := &debugger{s: s}
	cmd := &cobra.Command{
		Use:   "debug [-x FILE] [flags] TRACE|PROGRAM|PACKAGE [args...]",
		Short: "step through a recorded run, a program or a process by temporal formulas",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name one trace, program, structure or package")
			}
			if tracedbuild.IsPackage(args[0]) {
				return d.runPackage(cmd.Context(), args)
			}
			if done, err := flagsBehind(cmd, args[0], args[1:]); done || err != nil {
				return err
			}
			return d.run(cmd.Context(), args[0])
		},
	}
	cmd.Flags().SetInterspersed(false) // what follows a package is for the program
	cmd.Flags().StringVarP(&d.script, "script", "x", "", "run the commands in `FILE`")
	d.model.parameter(cmd.Flags())
	d.budgets.register(cmd.Flags(), 10*time.Minute, "reading a trace")
	d.input.Register(cmd.Flags())
	d.register(cmd.Flags())
	return cmd
}

// register adds the flags that select what a run of a program records.
func (d *debugger) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&d.Files, "spec", nil, "for a package, record what this specification `FILE` names; may be repeated")
	flags.StringArrayVarP(&d.Formulas, "expr", "e", nil, "for a package, record what this `FORMULA` of a specification names; may be repeated")
	registerCacheDir(flags, &d.schedules.Cache)
	flags.StringArrayVar(&d.functions, "func", nil, "for a package, record the functions that match this `PATTERN`; may be repeated")
}

// flagsBehind reads the flags behind a file. It returns true if only help was wanted.
func flagsBehind(cmd *cobra.Command, file string, args []string) (done bool, err error) {
	if len(args) == 0 {
		return false, nil
	}
	if err := cmd.ParseFlags(args); err != nil {
		return false, cmd.FlagErrorFunc()(cmd, err)
	}
	if help, err := cmd.Flags().GetBool("help"); help && err == nil {
		return true, cmd.Help()
	}
	if rest := cmd.Flags().Args(); len(rest) > 0 {
		return false, fmt.Errorf("%s is a file, which takes no arguments: leave %s out", event.Printable(file), event.Printable(rest[0]))
	}
	return false, nil
}

// runPackage debugs a process.
func (d *debugger) runPackage(ctx context.Context, args []string) error {
	session := &running.Session{Streams: d.s, Script: d.script, Memory: int64(d.budgets.Memory)}
	if err := errors.Join(d.budgets.validate(), session.Validate()); err != nil {
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
	return session.Run(ctx, d.tracedBuild(nil, packages, dir.Path()), dir.Path(), rest)
}

func (d *debugger) run(ctx context.Context, word string) error {
	if err := errors.Join(d.budgets.validate(), d.input.Validate()); err != nil {
		return err
	}
	if d.Given() || len(d.functions) > 0 {
		return fmt.Errorf("%s is not a package: leave out --spec, -e and --func, which apply to packages", event.Printable(word))
	}
	if word == "-" {
		return errors.New("standard input is for commands: name a file instead of -")
	}
	subject, err := d.subject(ctx, word)
	if err != nil {
		return err
	}
	subject.Name, subject.Memory = event.Printable(filepath.Base(word)), int64(d.budgets.Memory)
	style := terminal.StyleOf(d.s.Out)
	style.Source = specfile.SourceFor(nil)
	style.Source.Dirs = append(style.Source.Dirs, filepath.Dir(word))
	return d.converse(ctx, subject, style)
}

// subject reads the program, structure or trace to be debugged.
func (d *debugger) subject(ctx context.Context, path string) (*debug.Subject, error) {
	model, err := d.isModel(path)
	if err != nil {
		return nil, err
	}
	if model {
		d.model.File = path
		text, err := d.model.Read(ctx, d.s.In)
		if err != nil {
			return nil, err
		}
		sys, err := text.Open()
		var backward kripke.System // made when it is first asked for
		return &debug.Subject{System: sys, Word: "process", Backward: func(ctx context.Context) (kripke.System, error) {
			if backward != nil {
				return backward, nil
			}
			g, err := kripke.Explore(ctx, sys)
			if err != nil {
				return nil, err
			}
			backward = kripke.Backward(g)
			return backward, nil
		}}, err
	}
	if len(d.model.Parameters) > 0 {
		return nil, fmt.Errorf("%s is a trace, which has no parameters: leave out --param", event.Printable(path))
	}
	net, err := input.ReadOne(ctx, &d.budgets.Limits, path, d.s, &d.input)
	if err != nil {
		return nil, err
	}
	run := tracemodel.New(net)
	past := func(context.Context) (kripke.System, error) { return run.Past(), nil }
	return &debug.Subject{System: run, Word: "task", Backward: past, Place: run.Position, Runs: run.Runs,
		Order: run.Order, EvalErrors: run.EvalErrors}, nil
}

// isModel reports whether a file has a program or a structure, and no trace or log.
func (d *debugger) isModel(path string) (bool, error) {
	if format, err := d.input.Chosen(); format != nil || err != nil {
		return false, err
	}
	return models.IsModel(path)
}

// converse holds the dialogue on the terminal if a user is there, and otherwise runs a script or
// the commands on standard input.
func (d *debugger) converse(ctx context.Context, subject *debug.Subject, style report.Style) error {
	if d.script == "" && d.s.In == io.Reader(os.Stdin) && terminal.IsTerminal(d.s.Out) && terminal.IsTerminal(os.Stdin) {
		return console.OnTerminal(func(t *console.Terminal) error { return debug.Run(ctx, subject, t, style) })
	}
	if d.script == "" {
		return debug.InScript(input.Stdin, d.s.Err, debug.Run(ctx, subject, console.NewScript(d.s.In, d.s.Out), style))
	}
	return debug.RunScript(d.script, d.s.Out, d.s.Err, func(c console.Console) error { return debug.Run(ctx, subject, c, style) })
}
