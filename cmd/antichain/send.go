package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tracer/event"
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
	reading, stop := interrupt.Context(ctx)
	defer stop()
	sending, stopSending := interrupt.After(reading, interrupt.LastWork)
	defer stopSending()
	p, err := kafka.NewProducer(sending, to, f.delivery.security, kafka.Options{
		Buffer: int(f.delivery.buffer), Patience: f.delivery.patience,
		Warn:    func(text string) { fmt.Fprintln(s.Err, "antichain: warning:", text) },
		Records: record.Options{Text: f.text, Events: f.events},
	})
	if err != nil {
		return err
	}
	d := &delivery{flags: f, files: len(names), streams: s, ctx: reading, producer: p, sent: map[[2]string]bool{}, runs: map[string]bool{}, said: map[string]bool{}}
	return d.all(names, to)
}

// delivery sends traces, one after the other.
type delivery struct {
	flags    *sendFlags
	streams  terminal.Streams
	ctx      context.Context // ends at an interrupt; what was read is delivered still
	producer *kafka.Producer
	files    int
	showing  *terminal.Progress
	sent     map[[2]string]bool // runs with their sources
	runs     map[string]bool    // that have begun, and whether all their traces were sent to their ends
	said     map[string]bool    // errors
}

// all sends the traces, and says what was delivered.
func (s *delivery) all(names []string, to kafka.Address) error {
	s.showing = terminal.Working(s.streams.Err, "sending")
	for _, name := range names {
		if s.ctx.Err() == nil {
			s.file(name)
		}
	}
	s.showing.Doing("waiting for the brokers")
	if err := s.producer.Close(); err != nil {
		s.fail(err)
	}
	s.showing.Done()
	if err := context.Cause(s.ctx); err != nil {
		s.fail(err)
	}
	if err := s.summary(to); err != nil {
		return err
	}
	if len(s.said) > 0 {
		return exit.Code(exit.Error)
	}
	return nil
}

// fail says what went wrong, on a line of its own where several things did, and once where it concerns all.
func (s *delivery) fail(err error) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range many.Unwrap() {
			s.fail(err)
		}
		return
	}
	if text := err.Error(); !s.said[text] {
		s.said[text] = true
		fmt.Fprintln(s.showing, "antichain:", text)
	}
}

// delivered is what --json prints.
type delivered struct {
	Runs int `json:"runs"`
	kafka.Delivered
	Complete bool `json:"complete"` // all of it was
}

func (s *delivery) summary(to kafka.Address) error {
	runs := 0
	for _, whole := range s.runs {
		if whole {
			runs++
		}
	}
	d := delivered{runs, s.producer.Delivered(), len(s.said) == 0}
	if s.flags.json {
		return report.WriteJSON(s.streams.Out, d)
	}
	_, err := fmt.Fprintf(s.streams.Out, "%s: %s, %s in %s, %s\n", to, report.Plural(d.Runs, "run"),
		report.Plural(int(d.Events), "event"), report.Plural(int(d.Records), "record"), report.Plural(int(d.Bytes), "byte"))
	return err
}

// file sends the runs of a file.
func (s *delivery) file(name string) {
	in, err := s.flags.input.Open(s.ctx, name, s.streams.In)
	if err != nil {
		s.fail(err)
		return
	}
	defer in.Close()
	if s.flags.runID != "" && len(in.Traces) > 1 {
		s.fail(fmt.Errorf("--run-id names one run, and %s has %d: leave it out, or choose one with --run", event.Printable(name), len(in.Traces)))
		return
	}
	for i := range in.Traces {
		if s.ctx.Err() != nil {
			return
		}
		if err := s.trace(&in.Traces[i]); err != nil {
			s.fail(err)
		}
	}
}

// trace sends a run. What cannot be delivered is an error of the producer when all has been sent.
func (s *delivery) trace(t *input.Trace) error {
	h, err := t.Header()
	if err != nil {
		return err
	}
	id, sources, err := s.identify(t, h)
	if err != nil {
		return err
	}
	if s.sent[[2]string{id, t.Name}] {
		return fmt.Errorf("%s: run %s is sent already: name each trace once", event.Printable(t.Name), event.Printable(id))
	}
	s.sent[[2]string{id, t.Name}] = true
	if h.Run != id {
		named := *h
		named.Run = id
		h = &named
	}
	sink, err := s.producer.Sink(id, t.Name, h)
	if err != nil {
		return err
	}
	what := record.EndSource
	if sources > 0 {
		if err := sink.SetSources(sources); err != nil {
			return err
		}
	}
	if sources == 1 {
		what |= record.EndRun
	}
	events := 0
	err = input.EachEvent(t, func(e *event.Event) error {
		if events++; events%1000 == 0 {
			s.showing.Doing(fmt.Sprintf("sending %s: %s", event.Printable(t.Name), report.Plural(events, "event")))
		}
		return cmp.Or(context.Cause(s.ctx), sink.Write(e))
	})
	lost := t.Lost()
	whole, begun := s.runs[id]
	s.runs[id] = (whole || !begun) && lost == "" && err == nil
	switch {
	case lost != "":
		err = cmp.Or(err, sink.Lose(), fmt.Errorf("%s: %s", event.Printable(t.Name), lost))
		what |= record.EndCut
	case err != nil:
		what |= record.EndCut
	}
	return reported(cmp.Or(err, sink.End(what)))
}

// identify returns the id of a run, and how many sources it has, 0 if that is not known.
func (s *delivery) identify(t *input.Trace, h *event.Header) (id string, sources int, err error) {
	switch {
	case s.flags.runID != "":
		return s.flags.runID, s.files, nil
	case h.Run != "":
		return h.Run, 0, nil
	case t.Name == "-":
		return "", 0, errors.New("the trace on standard input does not name its run: give it --run-id")
	}
	return t.Name, 1, nil
}

// reported drops errors that the producer returns again at its end.
func reported(err error) error {
	var lost *kafka.LostError
	if errors.As(err, &lost) {
		return nil
	}
	return err
}
