package main

import (
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/config"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/spf13/cobra"
)

func newConfig(s terminal.Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "config [--json]",
		Short: "show the settings that apply to run and test here",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			file, err := config.Find(".")
			if err != nil {
				return err
			}
			flags := new(traceFlags).flagSet("", true)
			if err := file.Apply(flags); err != nil {
				return err
			}
			all := file.List(flags)
			if asJSON {
				return config.WriteJSON(s.Out, file, all)
			}
			if file == nil {
				fmt.Fprintf(s.Err, "antichain: no %s in the root of a module here\n", config.Name)
			}
			return config.Write(s.Out, all)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
