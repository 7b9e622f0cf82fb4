package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/delivery"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
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
	flags.Var(&f.buffer, "buffer", "keep up to this `SIZE` of data for slow brokers")
	flags.DurationVar(&f.patience, "give-up-after", patience, "give up when no broker has accepted anything for this `TIME`; 0 means never")
	f.security.Register(flags)
}

// validate finds mistakes in the flags, and in the files that they name.
func (f *deliveryFlags) validate() error {
	switch {
	case f.buffer <= 0:
		return errors.New("--buffer 0: must be above zero")
	case f.patience < 0:
		return fmt.Errorf("--give-up-after %v: must not be negative", f.patience)
	}
	return f.security.Check()
}

// sinkFlags are the flags that say where a trace is sent while the program runs.
type sinkFlags struct {
	to         string // --to
	full       string // --to-full
	runID      string // --run-id; of run
	delivery   deliveryFlags
	topicFlags *pflag.FlagSet // all but --run-id
}

// Policies of --to-full: the program waits, or the rest of the trace is given up.
const (
	blockFull = "block"
	stopFull  = "stop"
)

func (f *sinkFlags) register(flags *pflag.FlagSet) {
	f.topicFlags = pflag.NewFlagSet("sink", pflag.ContinueOnError)
	f.topicFlags.SortFlags = false
	f.topicFlags.StringVar(&f.to, "to", "", "send the trace to a Kafka `TOPIC` while the program runs: kafka://BROKER/TOPIC")
	f.topicFlags.StringVar(&f.full, "to-full", blockFull, "`POLICY` when the buffer is full: block (the program waits) or stop (the rest of the trace is discarded)")
	f.delivery.register(f.topicFlags, 0)
	flags.AddFlagSet(f.topicFlags)
}

// registerRunID adds the flag that is of run alone.
func registerRunID(flags *pflag.FlagSet, id *string) {
	flags.StringVar(id, "run-id", "", "with --to, the `ID` of the run; default a unique one")
}

// checkShipping finds mistakes in the flags before anything is built.
func (f *traceFlags) checkShipping() error {
	if f.to == "" {
		return f.sinkFlags.unused()
	}
	if _, err := kafka.Parse(f.to); err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	switch {
	case f.full != blockFull && f.full != stopFull:
		return fmt.Errorf("--to-full %s: the policies are block and stop", event.Printable(f.full))
	case f.several():
		return errors.New("--to cannot be combined with --explore, --for or --runs: it sends a single trace; use --to with the --seed of one schedule")
	}
	return f.delivery.validate()
}

// unused refuses flags that do nothing without --to.
func (f *sinkFlags) unused() (err error) {
	if f.runID != "" {
		return errors.New("--run-id needs --to kafka://BROKER/TOPIC")
	}
	f.topicFlags.VisitAll(func(flag *pflag.Flag) {
		if flag.Changed && err == nil {
			err = fmt.Errorf("--%s needs --to kafka://BROKER/TOPIC", flag.Name)
		}
	})
	return err
}

// sinkConfig returns the configuration for a plan, with absolute paths.
func (f *traceFlags) sinkConfig() delivery.SinkConfig {
	if f.to == "" {
		return delivery.SinkConfig{}
	}
	s := delivery.SinkConfig{
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
