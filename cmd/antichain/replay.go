package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/help"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/spf13/cobra"
)

func newReplay(s terminal.Streams) *cobra.Command {
	f := new(traceFlags)
	flags := f.flagSet("write the trace to this `FILE`: as text if its name ends in .jsonl, else in binary form", true)
	f.registerHang(flags, 0)
	cmd := &cobra.Command{
		Use:                   "replay [flags of run] FILE PACKAGE [args...]",
		Short:                 "run a program so that a confirmed finding happens again",
		DisableFlagsInUseLine: true,
	}
	help.Summarise(cmd, flags, []help.Section{
		{Title: "What is checked", Flags: []string{"spec", "expr", "builtin"}},
		{Title: "Where the schedule leads", Flags: []string{"halt"}},
		{Title: "What is kept and printed", Flags: []string{"output", "json"}},
	})
	return goVerb(cmd, f, flags, func(ctx context.Context, args instrument.Args) error {
		if len(args.Rest) == 0 {
			return errors.New("no FILE given: name the schedule that run --confirm has made, and then the program")
		}
		f.Replay, args.Rest = args.Rest[0], args.Rest[1:]
		if len(args.Rest) == 0 {
			return fmt.Errorf("no PACKAGE given: name the program behind %s, for example antichain replay %[1]s ./cmd/server", f.Replay)
		}
		return run(ctx, s, f, args)
	})
}
