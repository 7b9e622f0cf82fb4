package main

import (
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/spf13/cobra"
)

func newBuiltinsVerb(s terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "builtins [PROPERTY [PROGRAM]]",
		Short: "explain the built-in properties, with small programs",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return findings.Complete(args), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return findings.Explain(s.Out, args) },
	}
}
