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
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

// debugger is what debug is asked for.
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
		Short: "go through a recorded run, a program or a process by steps of temporal logic",
		Long: `debug is a dialogue in which one goes from state to state by steps that satisfy formulas, for example "on to
where P0 has executed m2 and P1 stands at n1":

    (antichain) step F (P0.at.m2 & P1.at.n1)

The states are those of a finite-state program (see antichain help program), of a structure (JSON), or the global
states of a recorded run, in all interleavings. What it is, is told by its content. Propositions of a run are
local formulas of named goroutines, as in main:(in.append and n > 0); a name that is no word stands in quotes, as
"main.worker 18":(in.append).

A step is the shortest one, or another kind; again looks for another way to satisfy its formula. The steps
are on a stack: each goes on where the one before ends, and the last can be removed and replaced. help lists all commands.

Commands come from the terminal, from -x FILE or from standard input, one a line. Of these the output says what
was read, and a mistake ends them. Flags may follow a file as well.

A PACKAGE, such as ./cmd/server, is built and run, with these arguments, and halted before its first event. Then a step
lets its goroutines run until the formula is satisfied, and halts them there; where that needs a certain order of
goroutines some are held back. The states are those that the run passes, forward only. The functions and variables
that --spec and -e name are recorded, without them those of the *.tl files beside the package, and those of
--func; without any of these all functions of the package. Nothing is checked. Standard input and output are the program's: commands come from the terminal, or
from -x FILE, and the dialogue of that goes to standard error. At its end the program is ended, or with detach goes on.
Flags for go build come from the environment variable GOFLAGS.

Exit codes: 0, 2 for a mistake in the input or the commands, 3 where a budget ran out, that of a search in a script, too.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name one trace, program, structure or package")
			}
			if isPackage(args[0]) {
				return d.lead(cmd.Context(), args)
			}
			if done, err := flagsBehind(cmd, args[0], args[1:]); done || err != nil {
				return err
			}
			return d.run(cmd.Context(), args[0])
		},
	}
	cmd.Flags().SetInterspersed(false) // what follows a package is for the program
	cmd.Flags().StringVarP(&d.script, "script", "x", "", "carry out the commands in `FILE`")
	d.model.parameter(cmd.Flags())
	d.budgets.register(cmd.Flags(), 10*time.Minute, "reading a trace")
	d.input.Register(cmd.Flags())
	d.register(cmd.Flags())
	return cmd
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
		return false, fmt.Errorf("%s is a file, and %s is not for it: only a package has arguments", event.Printable(file), event.Printable(rest[0]))
	}
	return false, nil
}

func (d *debugger) run(ctx context.Context, word string) error {
	if err := errors.Join(d.budgets.validate(), d.input.Validate()); err != nil {
		return err
	}
	if d.Given() || len(d.functions) > 0 {
		return fmt.Errorf("%s is no package: --spec, -e and --func are about programs that are run", event.Printable(word))
	}
	if word == "-" {
		return errors.New("standard input is for commands: name a file")
	}
	subject, err := d.subject(ctx, word)
	if err != nil {
		return err
	}
	subject.Name, subject.Memory = event.Printable(filepath.Base(word)), int64(d.budgets.Memory)
	style := terminal.StyleOf(d.s.Out)
	style.Source = report.Source{Dirs: append(specfile.SourceDirs(nil), filepath.Dir(word))}
	return d.converse(ctx, subject, style)
}

// subject reads what is debugged.
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
		var backward kripke.System // once somebody has asked for it
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
		return nil, fmt.Errorf("%s is a trace, which has no parameters: leave --param out", event.Printable(path))
	}
	net, err := input.ReadOne(ctx, &d.budgets.Limits, path, d.s, &d.input)
	if err != nil {
		return nil, err
	}
	run := tracemodel.New(net)
	past := func(context.Context) (kripke.System, error) { return run.Past(), nil }
	return &debug.Subject{System: run, Word: "task", Backward: past, Place: run.Place, Order: run.Order, EvalErrors: run.EvalErrors}, nil
}

// isModel reports whether a file has a program or a structure, and no trace or log.
func (d *debugger) isModel(path string) (bool, error) {
	if format, err := d.input.Chosen(); format != nil || err != nil {
		return false, err
	}
	return models.IsModel(path)
}

// converse has the dialogue on the terminal if somebody is there, and otherwise does what a script or standard input says.
func (d *debugger) converse(ctx context.Context, subject *debug.Subject, style report.Style) error {
	if d.script == "" && d.s.In == io.Reader(os.Stdin) && terminal.IsTerminal(d.s.Out) && terminal.IsTerminal(os.Stdin) {
		return onTerminal(func(t *console.Terminal) error { return debug.Run(ctx, subject, t, style) })
	}
	if d.script == "" {
		return d.inScript(input.Stdin, debug.Run(ctx, subject, console.NewScript(d.s.In, d.s.Out), style))
	}
	return d.scripted(d.s.Out, func(c console.Console) error { return debug.Run(ctx, subject, c, style) })
}

// onTerminal has a dialogue on the terminal.
func onTerminal(talk func(*console.Terminal) error) error {
	t, err := console.OpenTerminal()
	if err != nil {
		return err
	}
	defer t.Close()
	if err := t.Take(); err != nil {
		return err
	}
	return errors.Join(talk(t), t.Release())
}

// scripted has a dialogue with the script.
func (d *debugger) scripted(out io.Writer, talk func(console.Console) error) error {
	f, err := os.Open(d.script)
	if err != nil {
		return err
	}
	defer f.Close()
	return d.inScript(event.Printable(d.script), talk(console.NewScript(f, out)))
}

// inScript says where in a script a mistake is, or which of its searches was given up.
func (d *debugger) inScript(name string, err error) error {
	var mistake *debug.ScriptError
	if !errors.As(err, &mistake) {
		return err
	}
	err = fmt.Errorf("%s:%d: %w", name, mistake.Line, mistake.Err)
	if debug.Unfinished(err) {
		fmt.Fprintln(d.s.Err, "antichain:", err)
		return exit.Code(exit.Unknown)
	}
	return err
}
