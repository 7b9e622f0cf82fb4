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
		Long: `check says whether a formula is true on all infinite paths from the initial states of a model. If it is not, a path shows
it: what the processes do up to some state, and what they do from there on again and again.

A model is a program, a trace, or a structure that is written out in JSON (antichain help ctl check). A state without
successors is an error, but with --stutter it has itself. The paths of a trace are the interleavings of its
events; at the end of all of them nothing changes any more. Where it has very many states they are not visited
for formulas of the common fragment of linear and branching time: G p, F p, G (p -> F q), p U q, G F p, F G p and the like.

With --fair the paths that count are those that forget no process: weak, one that can move from some time on moves
infinitely often; strong, one that can move infinitely often does; process, every process moves infinitely often. If
there is no such path, that is said.

There are two methods, those of Sherman and Pnueli. The product of the tableau of the formula and the graph of all states is the
fast one. With --by satisfiability a program is a formula itself, and a run that violates the other one is a word that
satisfies both; states are numbered as they come up then.

With --batch questions are read from standard input, a JSON object a line, and answered in the same order, a JSON object a
line with the "id" of the question if it has one. The keys are "formula", and "structure" (an object) or "program"
(a text), without which the model is that of --model. The answer is "holds" and "counterexample", a path of states with a
"stem" and a "loop". The answer to a line that cannot be read is an object with "error", and where a budget ran out one
with "unknown".

Exit codes: 0 the formula holds, 1 it does not, 2 usage or input error, 3 a budget ran out; of a batch 0, 2 or 3.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dot && (flags.json || flags.batch) {
				return errors.New("--dot is a picture of one path: leave it out, or --json and --batch")
			}
			if method != modelcheck.MethodProduct && method != modelcheck.MethodSatisfiability {
				return fmt.Errorf("--by %s: there are %s and %s", event.Printable(method), modelcheck.MethodProduct, modelcheck.MethodSatisfiability)
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
