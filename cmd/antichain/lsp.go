package main

import (
	"github.com/antichain-go/antichain/cmd/antichain/internal/lsp"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/spf13/cobra"
)

func newLSP(s terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "lsp",
		Short: "help editors with specifications (Language Server Protocol)",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			server := lsp.Server{Version: versionString(), Reference: specText}
			return server.Serve(cmd.Context(), s.In, s.Out)
		},
	}
}
