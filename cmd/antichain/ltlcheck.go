package main

import (
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/modelcheck"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

func newLTLCheck(s terminal.Streams) *cobra.Command {
	var flags formulaFlags
	var dot bool
	var method string
	cmd := &cobra.Command{
		Use:   "check --model FILE [--fair KIND] [--stutter] [--by METHOD] [--json|--dot] FORMULA | check --batch",
		Short: "check a formula on all paths of a structure, a program or a trace",
		Long: `check says whether a formula is true on all infinite paths from the initial states of a model. If it
is not, check prints a path that shows it: what the processes do up to some state, and what they
repeat from there on for ever.

A model is a program, a trace, or a structure in JSON (antichain help ctl check). A state without
successors is an error; with --stutter it is its own successor. The paths of a trace are the
interleavings of its events; at the end of each of them nothing changes any more. If a trace has very
many states, check does not visit them for formulas of the common fragment of linear and branching
time: G p, F p, G (p -> F q), p U q, G F p, F G p and the like.

With --fair only paths that neglect no process count:

    weak     a process that can always move from some time on moves infinitely often
    strong   a process that can move infinitely often moves infinitely often
    process  every process moves infinitely often

check says so if there is no such path.

--by chooses one of two methods, both by Sherman and Pnueli. product, the faster one, searches the
product of the formula's tableau and the graph of the states, which it makes meanwhile. It ends with
the first violation; an error in states that it has not met by then is not reported. Of programs it
leaves out orders of independent steps that no formula without X can tell apart, but not with --fair
weak or strong. satisfiability makes a program a formula too; a run that violates the given formula
is a word that satisfies that one and the negation of the given one. Both number states in the order
in which they come up.

` + aboutBatch + `

The keys of a question are "formula", and "structure" (an object) or "program" (a text); without these
the model is that of --model. The answer has "holds" and "counterexample", a path of states with a
"stem" and a "loop". For programs and traces "described" puts its states into words.

Exit codes: 0 the formula holds, 1 it does not, 2 usage or input error, 3 a budget ran out; with
--batch 0, 2 or 3.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dot && (flags.json || flags.batch) {
				return errors.New("--dot cannot be combined with --json or --batch")
			}
			if method != modelcheck.MethodProduct && method != modelcheck.MethodSatisfiability {
				return fmt.Errorf("--by %s: the methods are %s and %s", event.Printable(method), modelcheck.MethodProduct, modelcheck.MethodSatisfiability)
			}
			return flags.run(cmd.Context(), s, "ltl check", args, func(o modelcheck.Options) *modelcheck.Checker { return modelcheck.NewLTL(o, method, dot) })
		},
	}
	f := cmd.Flags()
	flags.register(f)
	f.StringVar(&method, "by", modelcheck.MethodProduct, "decide by `METHOD`: product or satisfiability")
	f.BoolVar(&dot, "dot", false, "print the path as a picture for Graphviz")
	return cmd
}
