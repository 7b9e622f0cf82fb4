package main

import (
	"errors"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/atomicfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/draft"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/spf13/cobra"
)

func newInit(s terminal.Streams) *cobra.Command {
	var output, cache string
	var endAfter time.Duration
	cmd := &cobra.Command{
		Use:   "init [-o FILE] [DIRECTORY [args...]]",
		Short: "write a first specification of the package in a directory",
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir, args = args[0], args[1:]
			}
			if endAfter < 0 {
				return errors.New("--end-after must not be negative")
			}
			if !cmd.Flags().Changed("end-after") {
				endAfter = draft.DefaultTime
			}
			return draft.Writer{Streams: s, Run: mainerr, Dir: dir, Output: output, Cache: cache, Args: args, EndAfter: endAfter}.Write()
		},
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().VarP((*atomicfile.Flag)(&output), "output", "o", "write the specification into this `FILE`; default one beside the package that has the name of its directory")
	cmd.Flags().DurationVar(&endAfter, "end-after", 0, "end a program or tests after this `DURATION`, and check what they did until then; 0 means never (default 10s for a program, 1m for tests)")
	registerCacheDir(cmd.Flags(), &cache)
	return cmd
}
