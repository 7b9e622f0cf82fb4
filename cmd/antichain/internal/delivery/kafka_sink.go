package delivery

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// SinkConfig says where the trace of a run is sent. It holds no secret.
type SinkConfig struct {
	To    string // kafka://BROKER/TOPIC; "" is nowhere
	RunID string // "" makes one that no other run has
	// when the buffer is full the rest of the trace is given up, instead of holding the program up
	Stop     bool
	Buffer   int           // bytes that wait for brokers at most
	Patience time.Duration // how long brokers may take nothing; 0 is for ever
	Security kafka.Security
}

// ProgramEnv returns the environment of a program whose trace is sent, without the password of the
// brokers. nil is the environment of this process.
func (c SinkConfig) ProgramEnv() []string {
	if c.To == "" {
		return nil
	}
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, kafka.PasswordVariable+"=") })
}

// KafkaSink sends the trace of a run while the program runs.
//
//	program ══ ring ══► Begin, Add … ──► sink ──► topic
//	   │                                  ▲
//	   └── exits: from then on an interrupt ends the sending
//
// With --to-full block a full buffer holds up Add, then the ring is full, and then the program
// waits.
type KafkaSink struct {
	runID    string
	source   string
	ctx      context.Context // of the producer
	end      context.CancelCauseFunc
	producer *kafka.Producer
	sink     *kafka.Sink // nil before the header
	warnings io.Writer
	unsent   error // why the rest of the trace is not sent, if it is not
}

// OpenKafkaSink connects to the brokers for a run of a program, and prints the id of the run to
// out. It returns nil if the trace is sent nowhere.
func OpenKafkaSink(ctx context.Context, c SinkConfig, program string, warnings, out io.Writer) (*KafkaSink, error) {
	if c.To == "" {
		return nil, nil
	}
	to, err := kafka.Parse(c.To)
	if err != nil {
		return nil, err
	}
	s := &KafkaSink{runID: cmp.Or(c.RunID, newRunID(program)), source: sourceID(), warnings: warnings}
	s.ctx, s.end = context.WithCancelCause(ctx)
	s.producer, err = kafka.NewProducer(s.ctx, to, c.Security, kafka.Options{
		Stop: c.Stop, Buffer: c.Buffer, Patience: c.Patience, Warn: s.warn,
	})
	if err != nil {
		s.end(nil)
		return nil, err
	}
	fmt.Fprintf(out, "antichain: run %s goes to %s\n", event.Printable(s.runID), to)
	return s, nil
}

// RunID returns the id of the run.
func (s *KafkaSink) RunID() string { return s.runID }

// Stop ends the sending. After Finish it does nothing.
func (s *KafkaSink) Stop() { s.end(nil) }

func (s *KafkaSink) warn(text string) { fmt.Fprintln(s.warnings, "antichain: warning:", text) }

// newRunID returns an id that no other run has.
func newRunID(program string) string {
	return program + "-" + time.Now().UTC().Format("20060102T150405Z") + "-" + strings.ToLower(rand.Text()[:8])
}

// sourceID returns an id that no other process that runs now has.
func sourceID() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}

// InterruptibleAfter lets an interrupt end the sending when the program has exited. Until then an
// interrupt is for the program. On a nil sink it does nothing.
func (s *KafkaSink) InterruptibleAfter(run *launch.Run) {
	if s == nil {
		return
	}
	go func() {
		<-run.Exited()
		ctx, stop := interrupt.Context(s.ctx)
		defer stop()
		<-ctx.Done()
		s.end(context.Cause(ctx))
	}()
}

// Begin starts with the header. The process is all of the run: processes that it starts are not
// traced.
func (s *KafkaSink) Begin(h *event.Header) error {
	var err error
	if s.sink, err = s.producer.Sink(s.runID, s.source, h); err != nil {
		return err
	}
	return s.sink.SetSources(1)
}

// Add sends an event, unless the remaining trace was given up.
func (s *KafkaSink) Add(e *event.Event) {
	if s.unsent != nil {
		return
	}
	if s.unsent = s.sink.Write(e); s.unsent != nil {
		s.warn("the rest of the trace is not sent, and the program continues: " + s.unsent.Error())
	}
}

// Finish ends the source as the program has ended, and waits until brokers have the trace. After an
// error they do not have all of it.
func (s *KafkaSink) Finish(ended *launch.Result) error {
	showing := terminal.Working(s.warnings, "waiting for the brokers of --to")
	defer showing.Done()
	defer s.Stop()
	var err error
	if s.sink != nil {
		what := record.EndRun
		if ended.Missing > 0 { // in the middle, maybe
			err = s.sink.Lose()
		}
		if ended.Missing > 0 || !ended.Complete || ended.Signal != 0 || ended.Broken {
			what |= record.EndCut
		}
		if e := s.sink.End(what); err == nil {
			err = e
		}
	}
	return cmp.Or(s.producer.Close(), err)
}
