package main

import (
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/doctor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/spf13/cobra"
)

func newDoctor(s terminal.Streams) *cobra.Command {
	var json bool
	var cache string
	cmd := &cobra.Command{
		Use:   "doctor [--cache-dir DIRECTORY] [--json]",
		Short: "report what this machine and its Go can trace",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := interrupt.Context(cmd.Context())
			defer stop()
			looking := terminal.Working(s.Err, "testing what this Go can trace")
			e, err := doctor.Examine(ctx, versionString(), cache)
			looking.Done()
			if err != nil {
				return err
			}
			if e.OwnWarning != "" {
				fmt.Fprintln(s.Err, "antichain: warning:", e.OwnWarning)
			}
			write := e.Write
			if json {
				write = e.WriteJSON
			}
			if err := write(s.Out); err != nil {
				return err
			}
			if !e.Complete() {
				return exit.Code(exit.Unknown)
			}
			return nil
		},
	}
	registerCacheDir(cmd.Flags(), &cache)
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON object")
	return cmd
}
