package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/models"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/spf13/cobra"
)

type programFlags struct {
	budgetFlags
	parameters map[string]int64
	dot, svg   bool
	states     int
	json       bool
}

func newProgram(s terminal.Streams) *cobra.Command {
	var how programFlags
	cmd := &cobra.Command{
		Use:   "program [--param NAME=VALUE] [--dot|--svg [--states N]] [--json] FILE",
		Short: "print a finite-state program, and how many states it has",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one FILE with a program, or - for standard input")
			}
			return how.show(cmd.Context(), s, args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringToInt64Var(&how.parameters, "param", nil, "set a parameter of the program, as `NAME=VALUE`; may be repeated")
	flags.Lookup("param").DefValue = "" // not []
	flags.BoolVar(&how.dot, "dot", false, "print a picture for Graphviz")
	flags.BoolVar(&how.svg, "svg", false, "print a picture as SVG")
	flags.IntVar(&how.states, "states", 0, "the picture shows the first `N` states")
	flags.BoolVar(&how.json, "json", false, "print one JSON object instead of the program")
	how.register(flags, 10*time.Minute, "finding all states")
	return cmd
}

// validate finds flags that do not go together.
func (f *programFlags) validate() error {
	drawn := f.dot || f.svg
	switch {
	case f.dot && f.svg:
		return errors.New("--dot cannot be combined with --svg: choose one of them")
	case f.json && drawn:
		return errors.New("--json cannot be combined with --dot or --svg")
	case f.states < 0:
		return fmt.Errorf("--states %d: must not be negative", f.states)
	case f.states > 0 && !drawn:
		return errors.New("--states needs a picture: add --dot or --svg")
	}
	return f.budgetFlags.validate()
}

// show prints what is wanted of a program.
func (f *programFlags) show(ctx context.Context, s terminal.Streams, file string) error {
	if err := f.validate(); err != nil {
		return err
	}
	program, err := models.ReadProgram(ctx, s.In, models.Source{File: file, Parameters: f.parameters})
	if err != nil {
		return err
	}
	if f.dot || f.svg {
		return f.draw(s.Out, program)
	}
	if !f.json {
		if err := program.WriteText(s.Out); err != nil {
			return err
		}
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	ctx, end := f.Bound(ctx)
	defer end()
	size, err := program.Size(ctx)
	var stopped *kripke.StoppedError
	switch {
	case errors.As(err, &stopped):
		fmt.Fprintf(s.Err, "antichain: %v%s\n", stopped, limits.Remedy(stopped.Cause))
		return exit.Code(exit.Unknown)
	case err != nil:
		return err
	case f.json:
		return report.WriteObject(s.Out, size.Object())
	}
	return size.Write(s.Out)
}

// draw prints the flow graphs, or the first states.
func (f *programFlags) draw(w io.Writer, program *models.Program) error {
	if f.states == 0 {
		return program.Flow().Write(w, f.svg)
	}
	picture, err := program.FirstStates(f.states)
	if err != nil {
		return err
	}
	return picture.Write(w, f.svg)
}
