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
		Short: "decide formulas of branching-time temporal logic",
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
		Long: `check says whether a formula is true in the initial states of a model, and why. Where a path or a loop
of states explains it, check prints one, with the reasons for what holds in its states.

A model is a program, or a structure in JSON:

    {"states":3, "start":0, "labels":[["a"],[],["a","b"]], "succ":[[1,2],[2],[2]]}

start may be a list. The moves of several processes may stand in place of succ:
"trans":{"1":[[0,1]],"2":[[0,2]]}. Paths are infinite. A state without successors is an error; with
--stutter it is its own successor.

A model may also be the trace of a run. Its states are the global states of the run in all
interleavings; the last one repeats for ever. Propositions are local formulas of named goroutines, as
in main:(in.append and n > 0). If goroutines do not wait for each other there are very many such
states. check does not visit them then; it decides the formula by sets of states.

With --fair only paths that neglect no process count:

    weak     a process that can always move from some time on moves infinitely often
    strong   a process that can move infinitely often moves infinitely often
    process  every process moves infinitely often

A program, too, may have too many states to visit one by one. From about a million states on, or when
they take half of the memory, check represents them by sets: binary decision diagrams. Their size
depends on how closely the parts of a state are related, and not on the number of states. --by sets
uses sets from the start, --by graph never.

` + aboutBatch + `

The keys of a question are "formula", and "structure" (an object) or "program" (a text); without these
the model is that of --model. The answer has "holds", "states" (where the formula is true, if they
are not too many) and "witness". With sets of states it also has "count" and "of", if these are known:
the formula is true in so many states of so many. "described" then puts the states of the witness into
words.

A witness says what a "formula" is in a "state", by a finite "path" from there or by a "stem" and a
"loop" that repeats for ever. "because" has the reasons for what holds in states on the way. Where no
path could show it, "looked" is the number of states in which check looked for one.

Exit codes: 0 the formula holds, 1 it does not, 2 usage or input error, 3 a budget ran out; with
--batch 0, 2 or 3.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(modelcheck.CTLMethods, method) {
				return fmt.Errorf("--by %s: the methods are %s", event.Printable(method), strings.Join(modelcheck.CTLMethods, ", "))
			}
			return flags.run(cmd.Context(), s, "ctl check", args, func(o modelcheck.Options) *modelcheck.Checker { return modelcheck.NewCTL(o, method) })
		},
	}
	f := cmd.Flags()
	flags.register(f)
	f.StringVar(&method, "by", modelcheck.MethodAuto, "represent states by `METHOD`: graph (one by one), sets, or auto (one by one unless there are too many)")
	return cmd
}
