package main

import (
	"context"
	"errors"
	"fmt"
	stdslices "slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/antichain-go/antichain/cmd/antichain/internal/kafkaservice"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/logging"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
)

// topicFlags are the flags of monitor that are about a topic of Kafka.
type topicFlags struct {
	group    string        // --group
	verdicts string        // --verdicts
	dead     string        // --dead-letters
	fromEnd  bool          // --from-end
	idle     time.Duration // --idle
	late     time.Duration // --late
	memory   limits.Size   // --run-memory
	every    time.Duration // --snapshot-every
	session  time.Duration // --session
	grace    time.Duration // --grace
	metrics  string        // --metrics
	level    string        // --log-level
	security kafka.Security
	named    []string // those that were given
}

const (
	defaultIdle      = 5 * time.Minute
	defaultLate      = 10 * time.Second
	defaultRunMemory = 64 << 20
)

func (f *topicFlags) register(flags *pflag.FlagSet) {
	f.memory = defaultRunMemory
	flags.StringVar(&f.group, "group", "", "share the partitions of the topic with the other members of a consumer `GROUP`, and continue where it stopped")
	flags.StringVar(&f.verdicts, "verdicts", "", "send verdicts to a `TOPIC` of the same brokers instead of printing them")
	flags.StringVar(&f.dead, "dead-letters", "", "send records that cannot be read to a `TOPIC` of the same brokers (with --group, default the topic of the runs with suffix -dead)")
	flags.BoolVar(&f.fromEnd, "from-end", false, "begin at the end of the topic in partitions that the group has not read before")
	flags.DurationVar(&f.idle, "idle", defaultIdle, "cut a run off after this `TIME` without a record")
	flags.DurationVar(&f.late, "late", defaultLate, "wait for this `TIME` for records and events that others depend on, and for sources after the end of others")
	flags.Var(&f.memory, "run-memory", "limit the memory of a run to about this `SIZE`, like 64MiB")
	flags.StringVar(&f.metrics, "metrics", "", "serve metrics for Prometheus, and /healthz and /readyz, at `HOST:PORT`; port 0 is a free one")
	flags.StringVar(&f.level, "log-level", "info", "log to standard error from this `LEVEL` on: debug, info, warn or error")
	flags.DurationVar(&f.grace, "grace", 10*time.Second, "limit the time for shutting down to this `TIME`; what is not saved or sent by then, the next owner reads again")
	f.security.Register(flags)
	flags.DurationVar(&f.every, "snapshot-every", 5*time.Second, "save the state of the runs of a partition whenever this `TIME` has passed")
	flags.DurationVar(&f.session, "session", 3*time.Second, "take over the partitions of a member that has been silent for this `TIME`")
}

// topicFlagNames are the flags that are of no use without a topic.
var topicFlagNames = []string{"group", "verdicts", "dead-letters", "from-end", "idle", "late", "run-memory", "snapshot-every", "session", "grace", "metrics", "log-level"}

// noteGiven finds out which of the flags were given.
func (f *topicFlags) noteGiven(flags *pflag.FlagSet) {
	for _, name := range topicFlagNames {
		if flags.Changed(name) {
			f.named = append(f.named, "--"+name)
		}
	}
}

// validate finds what is wrong with the flags.
func (f *topicFlags) validate(words []string) error {
	topics := stdslices.IndexFunc(words, kafka.IsAddress) >= 0
	switch {
	case !topics && len(f.named) > 0:
		return fmt.Errorf("%s needs a Kafka topic: name one as kafka://BROKER/TOPIC", f.named[0])
	case topics && len(words) > 1:
		return errors.New("a Kafka topic must be the only SOURCE: start another monitor for the others")
	case !topics:
		return nil
	}
	for _, limit := range []struct {
		name string
		time time.Duration
	}{{"idle", f.idle}, {"late", f.late}, {"snapshot-every", f.every}, {"session", f.session}, {"grace", f.grace}} {
		if limit.time <= 0 {
			return fmt.Errorf("--%s %v: must be above zero", limit.name, limit.time)
		}
	}
	if f.session < shortestSession {
		return fmt.Errorf("--session %v: must be at least %v", f.session, shortestSession)
	}
	return nil
}

// shortestSession is the shortest one that the client takes.
const shortestSession = 100 * time.Millisecond

// validateOthers finds what is wrong with the topics beside the one that is read.
func (f *topicFlags) validateOthers(read string) error {
	taken := map[string]string{
		read: "is the one that is read: what monitor says would be read again, for ever",
		kafkaservice.SnapshotTopic(read, f.group): "is for the snapshots of the group",
	}
	for _, other := range []struct{ flag, topic, use string }{
		{"--verdicts", f.verdicts, "is for verdicts"}, {"--dead-letters", f.dead, "is for dead letters"},
	} {
		why, used := taken[other.topic]
		switch {
		case other.topic == "":
		case used:
			return fmt.Errorf("topic %s %s; name others for --verdicts and --dead-letters", other.topic, why)
		case !kafka.IsTopic(other.topic):
			return fmt.Errorf("%s: invalid topic name %s: %s", other.flag, event.Printable(other.topic), kafka.TopicNames)
		}
		taken[other.topic] = other.use
	}
	return nil
}

// monitorTopic reads a topic until its end, if that is wanted, or until an interrupt.
func monitorTopic(ctx context.Context, m *monitor.Monitor, word string, flags *monitorFlags) error {
	f := &flags.topic
	address, err := kafka.Parse(word)
	if err != nil {
		return err
	}
	format, err := flags.input.Chosen()
	if err != nil {
		return err
	}
	if format != nil && format.Records == nil {
		return fmt.Errorf("--format %s: a topic has pieces of traces or, with --format otlp, messages of spans", format.Name)
	}
	if f.group != "" && flags.untilEOF {
		return errors.New("--until-eof cannot be combined with --group: a group does not end")
	}
	log, err := logging.New(m.Stderr, f.level)
	if err != nil {
		return err
	}
	if f.group != "" && f.dead == "" {
		f.dead = address.Topic + "-dead"
	}
	if err := f.validateOthers(address.Topic); err != nil {
		return err
	}
	return kafkaservice.Run(ctx, m, kafkaservice.Config{
		Address: address, Security: f.security, Format: format, FormatFlags: flags.input.Words(""), Log: log,
		Group: f.group, Verdicts: f.verdicts, DeadLetters: f.dead, FromEnd: f.fromEnd, UntilEOF: flags.untilEOF,
		Late: f.late, Idle: f.idle, RunMemory: int(f.memory), Memory: int64(flags.how.Memory), SnapshotEvery: f.every,
		Session: f.session, SessionGiven: stdslices.Contains(f.named, "--session"), Grace: f.grace, Metrics: f.metrics,
	})
}
