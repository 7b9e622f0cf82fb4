package main

import (
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/mcp"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/spf13/cobra"
)

func newMCP(s terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp [DIRECTORY]",
		Short: "let agents check the module in a directory (Model Context Protocol)",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			server := mcp.Server{Version: versionString(), Directory: strings.Join(args, "")}
			return server.Serve(cmd.Context(), s.In, s.Out)
		},
	}
}
