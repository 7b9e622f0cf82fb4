package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/atomicfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/satisfiability"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/spf13/cobra"
)

type ctlSatFlags struct {
	budgetFlags
	options    tableau.Options // --processes, --concurrent
	file       string          // --file
	batch      bool
	synthesize bool // the verb is synth
	satisfiability.Form
}

func newCTLSat(s terminal.Streams) *cobra.Command {
	var flags ctlSatFlags
	cmd := flags.command(s, &cobra.Command{
		Use:   "sat [--processes N] [--concurrent] [--json|--dot|--svg [--draw WHAT]] FORMULA | sat --batch",
		Short: "find a model of a formula, or say why there is none",
	})
	cmd.Flags().BoolVar(&flags.options.Concurrent, "concurrent", false, "prefer states in which more processes can move")
	return cmd
}

func newCTLSynth(s terminal.Streams) *cobra.Command {
	flags := ctlSatFlags{synthesize: true}
	cmd := flags.command(s, &cobra.Command{
		Use:   "synth [--processes N] [--json|--dot|--svg [--draw WHAT]|--go NAME [-o DIR]] FORMULA | synth --file FILE | synth --batch",
		Short: "derive a program from a formula, or say why there is none",
	})
	cmd.Flags().StringVar(&flags.GoPackage, "go", "", "print the program as a Go package of this `NAME`")
	cmd.Flags().VarP((*atomicfile.Flag)(&flags.Output), "output", "o", "with --go, write the package and its specification, NAME.go and NAME.tl, into this `DIR`")
	return cmd
}

// command adds what both verbs have.
func (f *ctlSatFlags) command(s terminal.Streams, cmd *cobra.Command) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return f.run(cmd.Context(), s, cmd.Name(), args)
	}
	flags := cmd.Flags()
	flags.IntVar(&f.options.Processes, "processes", 0, "assume `N` processes; 0 means as many as the formula names")
	flags.StringVar(&f.file, "file", "", "read the formula from this `FILE`; // starts a comment")
	flags.BoolVar(&f.JSON, "json", false, "print a JSON object")
	flags.BoolVar(&f.batch, "batch", false, "answer questions from standard input")
	flags.BoolVar(&f.DOT, "dot", false, "print a picture for Graphviz")
	flags.BoolVar(&f.SVG, "svg", false, "print a picture as SVG")
	flags.StringVar(&f.Drawing, "draw", satisfiability.DrawModel, "draw this, by `WHAT`: "+strings.Join(satisfiability.Drawings(f.synthesize), ", "))
	f.register(flags, time.Minute, "each question")
	return cmd
}

func (f *ctlSatFlags) run(ctx context.Context, s terminal.Streams, verb string, args []string) error {
	if err := f.validate(); err != nil {
		return err
	}
	solver := satisfiability.CTLSolver{Options: f.options, Synthesize: f.synthesize, Limits: f.Limits}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	q := satisfiability.CTLQuestion{File: f.file}
	switch {
	case f.batch && (len(args) > 0 || f.file != ""):
		return errors.New("--batch reads formulas from standard input: leave out those on the command line")
	case f.batch:
		return batch.Run(ctx, s, solver.Answer)
	case len(args) == 1:
		q.Formula = &args[0]
	case len(args) > 1 || f.file == "":
		return fmt.Errorf("%s given: ctl %s takes one formula, in quotes, or --file", wording.Plural(len(args), "argument"), verb)
	}
	return solver.Solve(ctx, s, &q, &f.Form)
}

// validate finds flags that do not go together.
func (f *ctlSatFlags) validate() error {
	if err := f.budgetFlags.validate(); err != nil {
		return err
	}
	if err := satisfiability.CheckProcesses(f.options.Processes); err != nil {
		return fmt.Errorf("--processes: %w", err)
	}
	forms := 0
	for _, form := range []bool{f.JSON, f.DOT, f.SVG, f.GoPackage != ""} {
		if form {
			forms++
		}
	}
	if forms > 1 || f.batch && forms > 0 && !f.JSON {
		return errors.New("--json, --dot, --svg and --go exclude each other: choose one; --batch answers in JSON")
	}
	if drawings := satisfiability.Drawings(f.synthesize); !slices.Contains(drawings, f.Drawing) {
		return fmt.Errorf("--draw %s: the choices are %s", f.Drawing, strings.Join(drawings, ", "))
	}
	if f.Drawing != satisfiability.DrawModel && !f.DOT && !f.SVG {
		return errors.New("--draw needs a picture: add --dot or --svg")
	}
	if f.Output != "" && f.GoPackage == "" {
		return errors.New("-o writes a Go package and its specification: add --go NAME")
	}
	for _, phase := range []spec.Phase{spec.AnyPhase, spec.StartPhase, spec.TermPhase} {
		if f.Output != "" && f.GoPackage == phase.String() { // as in in.moved
			return fmt.Errorf("--go %s: a specification cannot name the variables of a package with this name: choose another name", f.GoPackage)
		}
	}
	return nil
}
