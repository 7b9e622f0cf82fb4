package main

import (
	"context"
	"errors"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/instrument"
	"github.com/spf13/cobra"
)

func newReplay(s terminal.Streams) *cobra.Command {
	f := new(traceFlags)
	flags := f.flagSet("write the trace to this `FILE`: as text if its name ends in .jsonl, else in binary form", true)
	cmd := &cobra.Command{
		Use:   "replay [flags of run] FILE PACKAGE [args...]",
		Short: "run a program so that a confirmed finding happens again",
		Long: `replay builds and runs a program as antichain run does, and has it keep a schedule: an order of a few
operations, in a FILE that run --confirm has made. A goroutine waits before an operation of the
schedule until those before it are done. All other goroutines, and operations, go on as they like.

The file is a text. Each step says which goroutine does what at which line, and a time greater than
one says how often it has been there. It names the function and the line's text too, so it fits
the program also when lines were added or removed around. antichain says what has moved, leaves out
what is no more, and has the program keep the rest.

If a step is not reached within the patience that the file states, the program goes on as it likes,
and antichain says which step it was. With --halt the program is halted where the schedule leads, for
a look at it: behind the last step, or behind the one that a line "halt" follows. Reports and exit codes are those of run. antichain test
--replay FILE does the same with a test.`,
		DisableFlagsInUseLine: true,
	}
	summarise(cmd, flags, summary{`replay builds and runs a program as antichain run does, and has it keep a schedule: an order of a few
operations, in a FILE that run --confirm has made. It says what has moved in the program since, and
which step was not reached if there is one. Reports and exit codes are those of run.`, []section{
		{"What is checked", []string{"spec", "expr", "builtin"}},
		{"Where the schedule leads", []string{"halt"}},
		{"What is kept and printed", []string{"output", "json"}},
	}})
	return goVerb(cmd, f, flags, func(ctx context.Context, args instrument.Args) error {
		if len(args.Rest) == 0 {
			return errors.New("no FILE given: name the schedule that run --confirm has made, and then the program")
		}
		f.replay, args.Rest = args.Rest[0], args.Rest[1:]
		return run(ctx, s, f, args)
	})
}
