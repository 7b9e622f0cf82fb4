package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/manual"
	"github.com/spf13/cobra"
)

// newMan is the hidden verb that makes what packages install beside the program:
//
//	antichain man DIR
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "write the manual pages and the completions into a directory",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			source, err := manualSource()
			if err != nil {
				return err
			}
			return manual.Write(cmd.Root(), args[0], source)
		},
	}
}

// manualSource is the version of this program and the time of its commit, or that of
// SOURCE_DATE_EPOCH. It is never the present: the same commit makes the same pages.
func manualSource() (manual.Source, error) {
	source := manual.Source{Version: "antichain"}
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			source.Version += " " + info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.time" {
				source.Date, _ = time.Parse(time.RFC3339, s.Value)
			}
		}
	}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return source, fmt.Errorf("SOURCE_DATE_EPOCH is %q: it must be a number of seconds", epoch)
		}
		source.Date = time.Unix(seconds, 0)
	}
	return source, nil
}
