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
