package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/modelcheck"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

func newCTL(s terminal.Streams) *cobra.Command {
	cmd := newGroup(s, &cobra.Command{
		Use:   "ctl",
		Short: "decide formulas of branching time temporal logic",
		Long: `ctl decides formulas of computation tree logic, which speaks about everything that can happen from a state on.

    true false a P0.at.m8 turn==1    atoms: names, comparisons of variables and integers
    !f  f & g  f | g  f -> g  f <-> g
    EX f         some next state has f; EX_i f: by a step of process i
    EF f         f can be reached, or is true now
    EG f         on some path always f
    E[f U g]     on some path g some time, and f until then
    E[f R g]     on some path g for ever, or up to where f is, inclusively
    E[f W g]     E[f U g], or on some path f for ever
    EGF f        on some path infinitely often f
    AX AX_i AF AG A[f U g] A[f R g] A[f W g] AFG    the same on all paths; AFG f: f from some time on

! and the letters bind most tightly, then &, |, -> and <->.`,
	})
	cmd.AddCommand(newCTLCheck(s), newCTLSat(s), newCTLSynth(s))
	return cmd
}

func newCTLCheck(s terminal.Streams) *cobra.Command {
	var flags formulaFlags
	var method string
	cmd := &cobra.Command{
		Use:   "check --model FILE [--fair KIND] [--stutter] [--by METHOD] [--json] FORMULA | check --batch",
		Short: "check a formula on a structure, a program or a recorded run",
		Long: `check says whether a formula is true in the initial states of a model, and why: by a path or a loop of states where
one is enough, with the reasons for what is said of the states on it.

A model is a program, or a structure that is written out in JSON:

    {"states":3, "start":0, "labels":[["a"],[],["a","b"]], "succ":[[1,2],[2],[2]]}

start may be a list. Instead of succ there may be the moves of several processes: "trans":{"1":[[0,1]],"2":[[0,2]]}.
Paths are infinite. A state without successors is an error, but with --stutter it has itself.

It may also be the trace of a run. Then the states are its global states, in all interleavings, of which the last one goes on for ever;
propositions are local formulas of named goroutines, as in main:(in.append and n > 0). There are very many such
states if goroutines do not wait for each other. They are not visited then: the formula is decided by sets of states.

With --fair the paths that count are those that forget no process: weak, one that can move from some time on moves
infinitely often; strong, one that can move infinitely often does; process, every process moves infinitely often.

A program may have more states than can be looked at one by one, too. From about a million on, or when they
take half of the memory, they come in sets, which are binary decision diagrams; what these need depends on how the parts of a
state have to do with each other, and not on how many states there are. With --by sets there is no limit below which each state is looked at, with --by graph none above which it is not.

With --batch questions are read from standard input, a JSON object a line, and answered in the same order, a JSON object a
line with the "id" of the question if it has one. The keys are "formula", and "structure" (an object) or "program"
(a text), without which the model is that of --model. The answer is "holds", "states" (where the formula is true, if they are
not too many) and "witness". Where states come in sets it has "count" and "of", too, if it is known in how many states of how many the
formula is true, and "described" says what the states of the witness are.
The answer to a line that cannot be read is an object with "error", and where a budget ran out one with "unknown".

A witness says what a "formula" is in a "state", by a finite "path" from there or by a "stem" and a "loop" that is repeated
for ever; "because" has the reasons for what is said of formulas in states on the way. Where no path
would show it, "looked" is in how many states one was looked for.

Exit codes: 0 the formula holds, 1 it does not, 2 usage or input error, 3 a budget ran out; of a batch 0, 2 or 3.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(modelcheck.CTLMethods, method) {
				return fmt.Errorf("--by %s: there are %s", event.Printable(method), strings.Join(modelcheck.CTLMethods, ", "))
			}
			return flags.run(cmd.Context(), s, "ctl check", args, func(o modelcheck.Options) *modelcheck.Checker { return modelcheck.NewCTL(o, method) })
		},
	}
	f := cmd.Flags()
	flags.register(f)
	f.StringVar(&method, "by", modelcheck.MethodAuto, "look at states by `METHOD`: graph, one by one; sets; auto, one by one if they are not too many")
	return cmd
}
