package main

import (
	"github.com/antichain-go/antichain/cmd/antichain/internal/doctor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/spf13/cobra"
)

func newDoctor(s terminal.Streams) *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:   "doctor [--json]",
		Short: "report what this machine and its Go can trace",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := interrupt.Context(cmd.Context())
			defer stop()
			looking := terminal.Working(s.Err, "testing what this Go can trace")
			e, err := doctor.Examine(ctx, versionString())
			looking.Done()
			if err != nil {
				return err
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
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON object")
	return cmd
}
