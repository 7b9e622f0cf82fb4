package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/delivery"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/spf13/cobra"
)

// sendFlags are the flags of send.
type sendFlags struct {
	input    input.Flags
	delivery deliveryFlags
	runID    string // --run-id
	events   int    // --events
	text     bool   // --text
	json     bool   // --json
}

func newSend(s terminal.Streams) *cobra.Command {
	var flags sendFlags
	cmd := &cobra.Command{
		Use:   "send [--format FORMAT] [--events N] [--text] [--json] TRACE... kafka://BROKER[,BROKER...]/TOPIC",
		Short: "send traces to a topic of Kafka",
		Long: `send reads traces, in the text or the binary form or with --format in another one, and sends them to
a topic, where antichain monitor checks them. - is standard input.

The id of a run is that of the header of its trace, else the name of the file, and FILE:RUN in a file with several
runs; --run-id gives another one, which has all the files as its sources. The file is the source, so that a trace that is
sent again counts as the same if it is cut in the same way (--events, --text). A run that a header names may have other
sources, in other files: it is over when monitor has waited for these. Until then monitor forgets nothing of it that
others could combine with, so for a long one name all its files with --run-id. A trace that cannot be read to its end is cut off there.

What is sent is acknowledged by all replicas, and sent again until it is. When no broker has taken anything for a minute,
or the time of --give-up-after, the rest is given up. Then antichain says how many events of which run were not
delivered.

Exit codes: 0 all was delivered, 2 it was not, or usage or input error.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.run(cmd.Context(), s, args)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	flags.input.Register(f)
	f.StringVar(&flags.runID, "run-id", "", "the `ID` of the run that all the files are of")
	f.IntVar(&flags.events, "events", 0, "put at most `N` events into a record; default 1000, and 256 KiB")
	f.BoolVar(&flags.text, "text", false, "send lines of text instead of compressed blocks")
	f.BoolVar(&flags.json, "json", false, "print what was delivered as a JSON object")
	flags.delivery.register(f, time.Minute)
	return cmd
}

func (f *sendFlags) run(ctx context.Context, s terminal.Streams, args []string) error {
	if len(args) == 0 || !kafka.IsAddress(args[len(args)-1]) {
		return errors.New("no topic given: name it behind the traces, as in antichain send run.trace kafka://localhost/traces")
	}
	names := args[:len(args)-1]
	to, err := kafka.Parse(args[len(args)-1])
	if err != nil {
		return err
	}
	switch {
	case len(names) == 0:
		return errors.New("no TRACE given: name a file in front of the topic, or - for standard input")
	case f.events < 0:
		return fmt.Errorf("--events %d: must not be negative", f.events)
	}
	if err := errors.Join(f.input.Validate(), f.delivery.validate()); err != nil {
		return err
	}
	return delivery.Send(ctx, s, delivery.SendConfig{
		Input: &f.input, Traces: names, RunID: f.runID, Records: record.Options{Text: f.text, Events: f.events}, JSON: f.json,
		To: to, Security: f.delivery.security, Buffer: int(f.delivery.buffer), Patience: f.delivery.patience,
	})
}
