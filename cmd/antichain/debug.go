package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/console"
	"github.com/antichain-go/antichain/cmd/antichain/debug"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/kripke"
	"github.com/antichain-go/antichain/tlcheck/replay"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

// debugger is what debug is asked for.
type debugger struct {
	s       streams
	input   inputFlags
	budgets budgetFlags
	model   modelFlags
	script  string // -x
}

func newDebug(s streams) *cobra.Command {
	d := &debugger{s: s}
	cmd := &cobra.Command{
		Use:   "debug [-x FILE] [--param NAME=VALUE] TRACE|PROGRAM",
		Short: "go through a recorded run or a program by steps of temporal logic",
		Long: `debug is a dialogue in which one goes from state to state by steps that satisfy formulas, for example "on to
where P0 has executed m2 and P1 stands at n1":

    (antichain) step F (P0.at.m2 & P1.at.n1)

The states are those of a finite-state program (see antichain help program), of a structure (JSON), or the global
states of a recorded run, in all interleavings. What it is, is told by its content. Propositions of a run are
local formulas of named goroutines, as in main:(in.append and n > 0).

A step is the shortest one, or another kind; again looks for another way to satisfy its formula. The steps
are on a stack: each goes on where the one before ends, and the last can be removed and replaced. help lists all commands.

Commands come from the terminal, from -x FILE or from standard input, one a line. Of these the output says what
was read, and a mistake ends them.

Exit codes: 0, 2 for a mistake in the input or the commands.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one trace, program or structure")
			}
			return d.run(cmd.Context(), args[0])
		},
	}
	cmd.Flags().StringVarP(&d.script, "script", "x", "", "carry out the commands in `FILE`")
	d.model.parameter(cmd.Flags())
	d.budgets.register(cmd.Flags(), 10*time.Minute, "reading a trace")
	d.input.register(cmd.Flags())
	return cmd
}

func (d *debugger) run(ctx context.Context, word string) error {
	if err := errors.Join(d.budgets.validate(), d.input.validate()); err != nil {
		return err
	}
	if word == "-" {
		return errors.New("standard input is for commands: name a file")
	}
	subject, err := d.subject(ctx, word)
	if err != nil {
		return err
	}
	subject.Name = event.Printable(filepath.Base(word))
	style := styleFor(d.s.out)
	style.Source = report.Source{Dirs: append(sourceDirs(nil), filepath.Dir(word))}
	return d.converse(ctx, subject, style)
}

// subject reads what is debugged.
func (d *debugger) subject(ctx context.Context, path string) (*debug.Subject, error) {
	model, err := d.isModel(path)
	if err != nil {
		return nil, err
	}
	if model {
		d.model.file = path
		text, err := d.model.read(d.s)
		if err != nil {
			return nil, err
		}
		sys, err := text.open()
		return &debug.Subject{System: sys, Word: "process", Backward: func(ctx context.Context) (kripke.System, error) {
			g, err := kripke.Explore(ctx, sys)
			if err != nil {
				return nil, err
			}
			return kripke.Backward(g), nil
		}}, err
	}
	if len(d.model.parameters) > 0 {
		return nil, fmt.Errorf("%s is a trace, which has no parameters: leave --param out", event.Printable(path))
	}
	net, err := d.budgets.readOne(ctx, path, d.s, &d.input)
	if err != nil {
		return nil, err
	}
	run := replay.New(net)
	past := func(context.Context) (kripke.System, error) { return run.Past(), nil }
	return &debug.Subject{System: run, Word: "task", Backward: past, Place: run.Place, Order: run.Order}, nil
}

// isModel reports whether a file has a program or a structure, and no trace or log.
func (d *debugger) isModel(path string) (bool, error) {
	if format, err := d.input.chosen(); format != nil || err != nil {
		return false, err
	}
	return isModel(path)
}

// converse has the dialogue on the terminal if somebody is there, and otherwise does what a script or standard input says.
func (d *debugger) converse(ctx context.Context, subject *debug.Subject, style report.Style) error {
	if d.script == "" && d.s.in == io.Reader(os.Stdin) && isTerminal(d.s.out) && isTerminal(os.Stdin) {
		t, err := console.OpenTerminal()
		if err != nil {
			return err
		}
		defer t.Close()
		if err := t.Take(); err != nil {
			return err
		}
		return errors.Join(debug.Run(ctx, subject, t, style), t.Release())
	}
	in, name := d.s.in, stdinName
	if d.script != "" {
		f, err := os.Open(d.script)
		if err != nil {
			return err
		}
		defer f.Close()
		in, name = f, event.Printable(d.script)
	}
	err := debug.Run(ctx, subject, console.NewScript(in, d.s.out), style)
	var mistake *debug.ScriptError
	if errors.As(err, &mistake) {
		return fmt.Errorf("%s:%d: %w", name, mistake.Line, mistake.Err)
	}
	return err
}
