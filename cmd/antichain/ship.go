package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/launch"
	"github.com/spf13/pflag"
)

// deliveryFlags are the flags that say how records get to brokers.
type deliveryFlags struct {
	buffer   limits.Size   // --buffer
	patience time.Duration // --give-up-after
	security kafka.Security
}

const defaultBuffer = 32 << 20

// register adds the flags, with how long brokers may be away by default.
func (f *deliveryFlags) register(flags *pflag.FlagSet, patience time.Duration) {
	f.buffer = defaultBuffer
	flags.Var(&f.buffer, "buffer", "how much waits for brokers at most, as a `SIZE`")
	flags.DurationVar(&f.patience, "give-up-after", patience, "give up when no broker has taken anything for this `TIME`, 0 is never")
	f.security.Register(flags)
}

// validate finds mistakes in the flags, and in the files that they name.
func (f *deliveryFlags) validate() error {
	switch {
	case f.buffer <= 0:
		return errors.New("--buffer 0: give it a size above zero")
	case f.patience < 0:
		return fmt.Errorf("--give-up-after %v: must not be negative", f.patience)
	}
	_, err := f.security.Options()
	return err
}

// shipFlags are the flags that say where a trace is sent while the program runs.
type shipFlags struct {
	to         string // --to
	full       string // --to-full
	runID      string // --run-id; of run
	delivery   deliveryFlags
	topicFlags *pflag.FlagSet // all but --run-id
}

// What becomes of a trace for which there is no room.
const (
	blockFull = "block"
	stopFull  = "stop"
)

func (f *shipFlags) register(flags *pflag.FlagSet) {
	f.topicFlags = pflag.NewFlagSet("ship", pflag.ContinueOnError)
	f.topicFlags.SortFlags = false
	f.topicFlags.StringVar(&f.to, "to", "", "send the trace to a `TOPIC` of Kafka while the program runs: kafka://BROKER/TOPIC")
	f.topicFlags.StringVar(&f.full, "to-full", blockFull, "when the buffer is full: `POLICY` block, the program waits, or stop, the rest of the trace is given up")
	f.delivery.register(f.topicFlags, 0)
	flags.AddFlagSet(f.topicFlags)
}

// checkShipping finds mistakes in the flags before anything is built.
func (f *traceFlags) checkShipping() error {
	if f.to == "" {
		return f.shipFlags.unused()
	}
	if _, err := kafka.Parse(f.to); err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	switch {
	case f.full != blockFull && f.full != stopFull:
		return fmt.Errorf("--to-full %s: write block or stop", event.Printable(f.full))
	case f.explore > 0:
		return errors.New("--explore has many traces, and --to sends one: use --to with the --seed of one schedule")
	}
	return f.delivery.validate()
}

// unused refuses flags that do nothing without --to.
func (f *shipFlags) unused() (err error) {
	if f.runID != "" {
		return errors.New("--run-id is for --to kafka://BROKER/TOPIC")
	}
	f.topicFlags.VisitAll(func(flag *pflag.Flag) {
		if flag.Changed && err == nil {
			err = fmt.Errorf("--%s is for --to kafka://BROKER/TOPIC", flag.Name)
		}
	})
	return err
}

// shipping says where the trace of a plan is sent; "" is nowhere. It holds no secret.
type shipping struct {
	To, RunID string
	Stop      bool
	Buffer    int
	Patience  time.Duration
	Security  kafka.Security
}

// shipping returns what a plan says. Paths become absolute, as in all of it.
func (f *traceFlags) shipping() shipping {
	s := shipping{
		To: f.to, RunID: f.runID, Stop: f.full == stopFull,
		Buffer: int(f.delivery.buffer), Patience: f.delivery.patience, Security: f.delivery.security,
	}
	for _, path := range []*string{&s.Security.CA, &s.Security.Cert, &s.Security.Key, &s.Security.PasswordFile} {
		if *path != "" {
			*path = specfile.Absolute([]string{*path})[0]
		}
	}
	return s
}

// destination returns where the trace of a plan is sent, nil for nowhere.
func (f *traceFlags) destination() execution.Destination {
	if f.to == "" {
		return nil
	}
	s := f.shipping()
	return &s
}

// ProgramEnv is the environment of a program whose trace is sent: passwords are none of its business.
func (p *shipping) ProgramEnv() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, kafka.PasswordVariable+"=") })
}

// shipment sends the trace of a run while the program runs.
//
//	program ══ ring ══► begin, add … ──► sink ──► topic
//	   │                                  ▲
//	   └── exits: from then on an interrupt ends the sending
//
// With --to-full block a full buffer holds up add, then the ring is full, and then the program waits.
type shipment struct {
	run      string
	source   string
	ctx      context.Context // of the producer
	end      context.CancelCauseFunc
	producer *kafka.Producer
	sink     *kafka.Sink // nil before the header
	warnings io.Writer
	unsent   error // why the rest of the trace is not sent, if it is not
}

// Ship connects to the brokers.
func (p *shipping) Ship(ctx context.Context, binary string, warnings, out io.Writer) (execution.Delivery, error) {
	to, err := kafka.Parse(p.To)
	if err != nil {
		return nil, err
	}
	sh := &shipment{run: cmp.Or(p.RunID, newRunID(filepath.Base(binary))), source: sourceID(), warnings: warnings}
	sh.ctx, sh.end = context.WithCancelCause(ctx)
	sh.producer, err = kafka.NewProducer(sh.ctx, to, p.Security, kafka.Options{
		Stop: p.Stop, Buffer: p.Buffer, Patience: p.Patience, Warn: sh.warn,
	})
	if err != nil {
		sh.end(nil)
		return nil, err
	}
	fmt.Fprintf(out, "antichain: run %s goes to %s\n", event.Printable(sh.run), to)
	return sh, nil
}

func (s *shipment) warn(text string) { fmt.Fprintln(s.warnings, "antichain: warning:", text) }

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

// RunID returns the id of the run, by which it is told from others of the topic.
func (s *shipment) RunID() string { return s.run }

// Close frees what Ship has taken.
func (s *shipment) Close() { s.end(nil) }

// InterruptibleAfter lets an interrupt end the sending when the program has exited; until then it is the program's.
func (s *shipment) InterruptibleAfter(run *launch.Run) {
	go func() {
		<-run.Exited()
		ctx, stop := interrupt.Context(s.ctx)
		defer stop()
		<-ctx.Done()
		s.end(context.Cause(ctx))
	}()
}

// Begin starts with the header. The process is all of the run: what processes it starts do is not traced.
func (s *shipment) Begin(h *event.Header) error {
	var err error
	if s.sink, err = s.producer.Sink(s.run, s.source, h); err != nil {
		return err
	}
	return s.sink.SetSources(1)
}

// Add sends an event, or has given up.
func (s *shipment) Add(e *event.Event) {
	if s.unsent != nil {
		return
	}
	if s.unsent = s.sink.Write(e); s.unsent != nil {
		s.warn("the rest of the trace is not sent, and the program goes on: " + s.unsent.Error())
	}
}

// Finish ends the source as the program has ended, and waits until brokers have the trace. After an error they
// do not have all of it.
func (s *shipment) Finish(ended *launch.Result) error {
	showing := terminal.Working(s.warnings, "waiting for the brokers of --to")
	defer showing.Done()
	defer s.end(nil)
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
