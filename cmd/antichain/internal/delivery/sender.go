// Package delivery sends traces to topics of Kafka, from files or from a program while it runs.
package delivery

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
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// SendConfig says which traces are sent, and how.
type SendConfig struct {
	Input   *input.Flags // opens the traces
	Traces  []string     // names of files; "-" is standard input
	RunID   string       // of the run whose sources all the traces are; "" asks the traces
	Records record.Options
	JSON    bool // print a summary as JSON

	To       kafka.Address
	Security kafka.Security
	Buffer   int           // bytes that wait for brokers at most
	Patience time.Duration // how long brokers may take nothing; 0 is for ever
}

// Send sends traces and prints how much was delivered. An interrupt ends the reading; what was read
// before it is still delivered.
func Send(ctx context.Context, s terminal.Streams, c SendConfig) error {
	reading, stop := interrupt.Context(ctx)
	defer stop()
	sending, stopSending := interrupt.After(reading, interrupt.LastWork)
	defer stopSending()
	p, err := kafka.NewProducer(sending, c.To, c.Security, kafka.Options{
		Buffer: c.Buffer, Patience: c.Patience, Records: c.Records,
		Warn: func(text string) { fmt.Fprintln(s.Err, "antichain: warning:", text) },
	})
	if err != nil {
		return err
	}
	d := &sender{config: c, streams: s, ctx: reading, producer: p, sent: map[[2]string]bool{}, runs: map[string]bool{}, said: map[string]bool{}}
	return d.all()
}

// sender sends traces, one after the other.
type sender struct {
	config   SendConfig
	streams  terminal.Streams
	ctx      context.Context // ends at an interrupt; what was read is delivered still
	producer *kafka.Producer
	showing  *terminal.Progress
	sent     map[[2]string]bool // runs with their sources
	runs     map[string]bool    // that have begun, and whether all their traces are sent
	said     map[string]bool    // errors
}

// all sends the traces, and prints how much was delivered.
func (s *sender) all() error {
	s.showing = terminal.Working(s.streams.Err, "sending")
	for _, name := range s.config.Traces {
		if s.ctx.Err() == nil {
			s.sendFile(name)
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
	if err := s.summary(); err != nil {
		return err
	}
	if len(s.said) > 0 {
		return exit.Code(exit.Error)
	}
	return nil
}

// fail prints an error, or the errors that it joins, each once and on a line of its own.
func (s *sender) fail(err error) {
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

// deliverySummary is the output of --json.
type deliverySummary struct {
	Runs int `json:"runs"`
	kafka.Delivery
	Complete bool `json:"complete"` // all of it was
}

// summary prints how much was delivered.
func (s *sender) summary() error {
	runs := 0
	for _, whole := range s.runs {
		if whole {
			runs++
		}
	}
	d := deliverySummary{runs, s.producer.Delivered(), len(s.said) == 0}
	if s.config.JSON {
		return report.WriteObject(s.streams.Out, d)
	}
	_, err := fmt.Fprintf(s.streams.Out, "%s: %s, %s in %s, %s\n", s.config.To, wording.Plural(d.Runs, "run"),
		wording.Plural(int(d.Events), "event"), wording.Plural(int(d.Records), "record"), wording.Plural(int(d.Bytes), "byte"))
	return err
}

// sendFile sends the runs of a file.
func (s *sender) sendFile(name string) {
	in, err := s.config.Input.Open(s.ctx, name, s.streams.In)
	if err != nil {
		s.fail(err)
		return
	}
	defer in.Close()
	if s.config.RunID != "" && len(in.Traces) > 1 {
		s.fail(fmt.Errorf("--run-id names one run, but %s has %d: leave it out, or choose one run with --run", event.Printable(name), len(in.Traces)))
		return
	}
	for i := range in.Traces {
		if s.ctx.Err() != nil {
			return
		}
		if err := s.sendTrace(&in.Traces[i]); err != nil {
			s.fail(err)
		}
	}
}

// sendTrace sends a run. What cannot be delivered is an error of the producer when all has been
// sent.
func (s *sender) sendTrace(t *input.Trace) error {
	h, err := t.Header()
	if err != nil {
		return err
	}
	id, sources, err := s.identify(t, h)
	if err != nil {
		return err
	}
	if s.sent[[2]string{id, t.Name}] {
		return fmt.Errorf("%s: run %s has been sent already: name each trace once", event.Printable(t.Name), event.Printable(id))
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
			s.showing.Doing(fmt.Sprintf("sending %s: %s", event.Printable(t.Name), wording.Plural(events, "event")))
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
	return withoutLoss(cmp.Or(err, sink.End(what)))
}

// identify returns the id of a run, and how many sources it has, 0 if that is not known.
func (s *sender) identify(t *input.Trace, h *event.Header) (id string, sources int, err error) {
	switch {
	case s.config.RunID != "":
		return s.config.RunID, len(s.config.Traces), nil
	case h.Run != "":
		return h.Run, 0, nil
	case t.Name == "-":
		return "", 0, errors.New("the trace on standard input does not name its run: give it --run-id")
	}
	return t.Name, 1, nil
}

// withoutLoss drops an error that the producer returns again at its end.
func withoutLoss(err error) error {
	if _, ok := errors.AsType[*kafka.LostError](err); ok {
		return nil
	}
	return err
}
