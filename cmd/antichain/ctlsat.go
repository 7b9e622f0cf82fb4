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

// ctlSatFlags are the flags of sat and synth.
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
		Long: `sat says whether some structure satisfies a formula in its first state. It prints a finite structure,
which it has checked. If there is none, sat says what a state would need that is impossible.

The number of processes matters: AX_1 false & AX_2 false needs a third one. Without --processes the
processes are those that the formula names, at least one.

--draw tableau shows the tableau by which sat decides (Clarke and Emerson 1981). OR-nodes G hold what
must be true in a state. They lead to their blocks, AND-nodes H. Each of these leads to its tiles: what
must be true in next states. Dashed edges lead to what is impossible; --draw pruned leaves that out.

` + aboutBatch + `

The keys of a question are "formula" or "file", and "processes". The answer has "sat", and "model", a
structure as check reads it, or "reason".

Exit codes: 0 satisfiable, 1 not, 2 usage or input error, 3 a budget ran out; with --batch 0, 2 or 3.`,
	})
	cmd.Flags().BoolVar(&flags.options.Concurrent, "concurrent", false, "prefer states in which more processes can move")
	return cmd
}

func newCTLSynth(s terminal.Streams) *cobra.Command {
	flags := ctlSatFlags{synthesize: true}
	cmd := flags.command(s, &cobra.Command{
		Use:   "synth [--processes N] [--json|--dot|--svg [--draw WHAT]|--go NAME [-o DIR]] FORMULA | synth --file FILE | synth --batch",
		Short: "derive a program from a formula, or say why there is none",
		Long: `synth prints a program that satisfies a formula. It gives the synchronization skeleton of each
process: the regions that it can be in, and when it may move from one to another. synth derives the
program from a finite model, in which processes move wherever possible, and checks the formula on
both.

The atoms are the variables of the program. A variable that only one process changes belongs to that
process; the values of these variables are its region. The variable turn, if there is one, tells
apart states of the model that have equal atoms. Process 1 of EX_1 and AX_1 is P1 in the program.
--draw skeletons shows the regions and the moves between them.

` + aboutBatch + `

The keys of a question are "formula" or "file", and "processes". The answer has "sat", and "model",
"skeletons" and "program", or "reason".

With --go the program is a Go package: a type for each process, with a method for each move from
region to region, which waits until its guard is true. -o writes it into a directory, together with a
specification for antichain run --live. The specification has what a trace of a program that uses the
package can violate: what is always true, and what the formula says of next states. synth names what
it leaves out, with the reason.

Exit codes: 0 there is a program, 1 there is none, 2 usage or input error, 3 a budget ran out; with
--batch 0, 2 or 3.`,
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
