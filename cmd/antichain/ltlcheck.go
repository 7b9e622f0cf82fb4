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
