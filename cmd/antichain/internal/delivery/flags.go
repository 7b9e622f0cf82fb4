package delivery

import (
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/spf13/pflag"
)

// Flags are the flags that say how records get to brokers.
type Flags struct {
	Buffer   limits.Size   // --buffer
	Patience time.Duration // --give-up-after
	Security kafka.Security
}

const defaultBuffer = 32 << 20

// Register adds the flags, with how long brokers may be away by default.
func (f *Flags) Register(flags *pflag.FlagSet, patience time.Duration) {
	f.Buffer = defaultBuffer
	flags.Var(&f.Buffer, "buffer", "buffer up to this `SIZE` of data for slow brokers")
	flags.DurationVar(&f.Patience, "give-up-after", patience, "give up when no broker has accepted anything for this `TIME`; 0 means never")
	f.Security.Register(flags)
}

// Validate finds mistakes in the flags, and in the files that they name.
func (f *Flags) Validate() error {
	switch {
	case f.Buffer <= 0:
		return errors.New("--buffer 0: must be above zero")
	case f.Patience < 0:
		return fmt.Errorf("--give-up-after %v: must not be negative", f.Patience)
	}
	return f.Security.Check()
}

// SinkFlags are the flags that say where a trace is sent while the program runs.
type SinkFlags struct {
	To       string // --to
	full     string // --to-full
	RunID    string // --run-id; of run
	delivery Flags
	Topic    *pflag.FlagSet // all but --run-id
}

// Policies of --to-full: the program waits, or the rest of the trace is given up.
const (
	blockFull = "block"
	stopFull  = "stop"
)

// Register adds the flags but for --run-id.
func (f *SinkFlags) Register(flags *pflag.FlagSet) {
	f.Topic = pflag.NewFlagSet("sink", pflag.ContinueOnError)
	f.Topic.SortFlags = false
	f.Topic.StringVar(&f.To, "to", "", "send the trace to a Kafka `TOPIC` while the program runs: kafka://BROKER/TOPIC")
	f.Topic.StringVar(&f.full, "to-full", blockFull, "`POLICY` when the buffer is full: block (the program waits) or stop (the rest of the trace is discarded)")
	f.delivery.Register(f.Topic, 0)
	flags.AddFlagSet(f.Topic)
}

// RegisterRunID adds the flag that is of run alone.
func RegisterRunID(flags *pflag.FlagSet, id *string) {
	flags.StringVar(id, "run-id", "", "with --to, the `ID` of the run; default a unique one")
}

// Check finds mistakes in the flags of a program that runs once, or several times.
func (f *SinkFlags) Check(several bool) error {
	if f.To == "" {
		return f.rejectUnused()
	}
	if _, err := kafka.Parse(f.To); err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	switch {
	case f.full != blockFull && f.full != stopFull:
		return fmt.Errorf("--to-full %s: the policies are block and stop", event.Printable(f.full))
	case several:
		return errors.New("--to cannot be combined with --explore, --for or --runs: it sends a single trace; use --to with the --seed of one schedule")
	}
	return f.delivery.Validate()
}

// rejectUnused refuses flags that do nothing without --to.
func (f *SinkFlags) rejectUnused() (err error) {
	if f.RunID != "" {
		return errors.New("--run-id needs --to kafka://BROKER/TOPIC")
	}
	f.Topic.VisitAll(func(flag *pflag.Flag) {
		if flag.Changed && err == nil {
			err = fmt.Errorf("--%s needs --to kafka://BROKER/TOPIC", flag.Name)
		}
	})
	return err
}

// Config returns the configuration for a plan, with absolute paths.
func (f *SinkFlags) Config() SinkConfig {
	if f.To == "" {
		return SinkConfig{}
	}
	s := SinkConfig{
		To: f.To, RunID: f.RunID, Stop: f.full == stopFull,
		Buffer: int(f.delivery.Buffer), Patience: f.delivery.Patience, Security: f.delivery.Security,
	}
	for _, path := range []*string{&s.Security.CA, &s.Security.Cert, &s.Security.Key, &s.Security.PasswordFile} {
		if *path != "" {
			*path = specfile.Absolute([]string{*path})[0]
		}
	}
	return s
}
