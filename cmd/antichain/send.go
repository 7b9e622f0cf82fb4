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

type sendFlags struct {
	input    input.Flags
	delivery delivery.Flags
	runID    string // --run-id
	events   int    // --events
	text     bool   // --text
	json     bool   // --json
}

func newSend(s terminal.Streams) *cobra.Command {
	var flags sendFlags
	cmd := &cobra.Command{
		Use:   "send [--format FORMAT] [--events N] [--text] [--json] TRACE... kafka://BROKER[,BROKER...]/TOPIC",
		Short: "send traces to a Kafka topic",
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.run(cmd.Context(), s, args)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	flags.input.Register(f)
	f.StringVar(&flags.runID, "run-id", "", "the `ID` of one run that all files belong to")
	f.IntVar(&flags.events, "events", 0, "put at most `N` events into a record (default 1000, and at most 256 KiB)")
	f.BoolVar(&flags.text, "text", false, "send lines of text instead of compressed blocks")
	f.BoolVar(&flags.json, "json", false, "print what was delivered as a JSON object")
	flags.delivery.Register(f, time.Minute)
	return cmd
}

func (f *sendFlags) run(ctx context.Context, s terminal.Streams, args []string) error {
	if len(args) == 0 || !kafka.IsAddress(args[len(args)-1]) {
		return errors.New("no topic given: name it after the traces, as in antichain send run.trace kafka://localhost/traces")
	}
	names := args[:len(args)-1]
	to, err := kafka.Parse(args[len(args)-1])
	if err != nil {
		return err
	}
	switch {
	case len(names) == 0:
		return errors.New("no TRACE given: name a file before the topic, or - for standard input")
	case f.events < 0:
		return fmt.Errorf("--events %d: must not be negative", f.events)
	}
	if err := errors.Join(f.input.Validate(), f.delivery.Validate()); err != nil {
		return err
	}
	return delivery.Send(ctx, s, delivery.SendConfig{
		Input: &f.input, Traces: names, RunID: f.runID, Records: record.Options{Text: f.text, Events: f.events}, JSON: f.json,
		To: to, Security: f.delivery.Security, Buffer: int(f.delivery.Buffer), Patience: f.delivery.Patience,
	})
}
