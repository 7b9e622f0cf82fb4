package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/satisfiability"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/report"
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
		Long: `sat says whether some structure satisfies a formula in its first state, and prints a finite one, which has been checked.
Where there is none, it says what a state would need that cannot be.

How many processes there are matters: AX_1 false & AX_2 false needs a third one. Without --processes they are those
that the formula names, at least one.

--draw tableau shows the tableau that this is decided by (Clarke and Emerson 1981): OR-nodes G, with what has to be true in a state, and
their blocks, AND-nodes H, each of which leads to its tiles, what has to be true in next states. Dashed edges lead to what
cannot be; --draw pruned is without that.

With --batch questions are read from standard input, a JSON object a line, and answered in the same order, a JSON object a
line with the "id" of the question if it has one. The keys are "formula" or "file", and "processes"; the answer is "sat", and "model",
an explicit structure as check reads it, or "reason". The answer to a line that cannot be read is an object with "error", and where a
budget ran out one with "unknown".

Exit codes: 0 satisfiable, 1 not, 2 usage or input error, 3 a budget ran out; of a batch 0, 2 or 3.`,
	})
	cmd.Flags().BoolVar(&flags.options.Concurrent, "concurrent", false, "prefer states in which more processes can move")
	return cmd
}

func newCTLSynth(s terminal.Streams) *cobra.Command {
	flags := ctlSatFlags{synthesize: true}
	cmd := flags.command(s, &cobra.Command{
		Use:   "synth [--processes N] [--json|--dot|--svg [--draw WHAT]|--go NAME [-o DIR]] FORMULA | synth --file FILE | synth --batch",
		Short: "make a program of a specification, or say why there is none",
		Long: `synth prints a program that satisfies a formula: for each process its synchronization skeleton, the regions in which
it can be and when it may move from one to another. It is made of a finite model, in which processes move where that is
possible, and the formula has been checked on both.

The atoms are the variables of the program. One that only the moves of one process change belongs to this process; what these are
is its region. The variable turn, if there is one, tells states of the model apart that have equal atoms. Process 1 of EX_1 and
AX_1 is called P1 in the program. --draw skeletons shows the regions and the ways between them.

With --batch questions are read from standard input, a JSON object a line, and answered in the same order, a JSON object a
line with the "id" of the question if it has one. The keys are "formula" or "file", and "processes"; the answer is "sat", and "model",
"skeletons" and "program", or "reason". The answer to a line that cannot be read is an object with "error", and where a
budget ran out one with "unknown".

With --go the program is a Go package: a type for each process, with a method for each way from region to region, which waits
until the guard is true. With -o it is written into a directory, and beside it a specification for antichain run --live with what
a trace of a program that uses the package can violate: what is always true, and what is said of next states.
What it leaves out it names, with the reason.

Exit codes: 0 there is a program, 1 there is none, 2 usage or input error, 3 a budget ran out; of a batch 0, 2 or 3.`,
	})
	cmd.Flags().StringVar(&flags.GoPackage, "go", "", "print the program as a Go package of this `NAME`")
	cmd.Flags().StringVarP(&flags.Output, "output", "o", "", "with --go, write the package and its specification, NAME.go and NAME.tl, into this `DIR`")
	return cmd
}

// command adds what both verbs have.
func (f *ctlSatFlags) command(s terminal.Streams, cmd *cobra.Command) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return f.run(cmd.Context(), s, cmd.Name(), args)
	}
	flags := cmd.Flags()
	flags.IntVar(&f.options.Processes, "processes", 0, "how many processes there are, `N`; 0 is as many as the formula names")
	flags.StringVar(&f.file, "file", "", "the formula is in this `FILE`, with comments behind //")
	flags.BoolVar(&f.JSON, "json", false, "print a JSON object")
	flags.BoolVar(&f.batch, "batch", false, "answer questions from standard input")
	flags.BoolVar(&f.DOT, "dot", false, "print a picture for Graphviz")
	flags.BoolVar(&f.SVG, "svg", false, "print a picture as SVG")
	flags.StringVar(&f.Drawing, "draw", satisfiability.DrawModel, "`WHAT` the picture shows: "+strings.Join(satisfiability.Drawings(f.synthesize), ", "))
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
		return errors.New("with --batch the formulas come from standard input: leave the others out")
	case f.batch:
		return batch.Run(ctx, s, solver.Answer)
	case len(args) == 1:
		q.Formula = &args[0]
	case len(args) > 1 || f.file == "":
		return fmt.Errorf("%s given: ctl %s takes one formula, in quotes, or --file", report.Plural(len(args), "argument"), verb)
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
		return errors.New("choose one form: JSON, a picture, or a Go package; answers to a batch are in JSON")
	}
	if drawings := satisfiability.Drawings(f.synthesize); !slices.Contains(drawings, f.Drawing) {
		return fmt.Errorf("--draw %s: a picture shows one of %s", f.Drawing, strings.Join(drawings, ", "))
	}
	if f.Drawing != satisfiability.DrawModel && !f.DOT && !f.SVG {
		return errors.New("--draw is for a picture: add --dot or --svg")
	}
	if f.Output != "" && f.GoPackage == "" {
		return errors.New("-o is for a Go package and its specification: add --go NAME")
	}
	for _, phase := range []spec.Phase{spec.AnyPhase, spec.StartPhase, spec.TermPhase} {
		if f.Output != "" && f.GoPackage == phase.String() { // as in in.moved
			return fmt.Errorf("--go %s: a specification cannot name the variables of a package with this name: take another", f.GoPackage)
		}
	}
	return nil
}
