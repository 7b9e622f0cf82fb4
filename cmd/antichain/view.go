package main

import (
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/atomicfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracepage"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/spf13/cobra"
)

func newView(s terminal.Streams) *cobra.Command {
	v := &tracepage.Maker{Streams: s}
	var budgets budgetFlags
	cmd := &cobra.Command{
		Use:   "view [--spec FILE] [-e FORMULA] [--builtin NAMES] [-o FILE] [--open] TRACE",
		Short: "write a page that shows a trace, and violations in it",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := budgets.validate(); err != nil {
				return err
			}
			v.Limits = budgets.Limits
			return v.Make(cmd.Context(), args[0])
		},
	}
	v.Specs.Register(cmd.Flags())
	v.Builtins.Register(cmd.Flags())
	v.Builtins = nil
	cmd.Flags().Lookup("builtin").DefValue = ""
	cmd.Flags().StringVar(&v.Logic, "logic", lsl.L3.String(), "`DIALECT` of the logic: l3 or frey96")
	budgets.register(cmd.Flags(), 10*time.Minute, "a property, or on reading the trace,")
	v.From.Register(cmd.Flags())
	cmd.Flags().VarP((*atomicfile.Flag)(&v.Output), "output", "o", "write the page to this `FILE` (default: the name of the trace, with .html)")
	cmd.Flags().BoolVar(&v.Open, "open", false, "show the page in a browser")
	return cmd
}
