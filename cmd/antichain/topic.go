package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime/debug"
	stdslices "slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"

	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/onthefly/runs"
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
	flags.StringVar(&f.group, "group", "", "share the partitions of the topic with the other members of a consumer `GROUP`, and go on where it has stopped")
	flags.StringVar(&f.verdicts, "verdicts", "", "send verdicts to a `TOPIC` of the same brokers instead of printing them")
	flags.StringVar(&f.dead, "dead-letters", "", "send records that cannot be read to a `TOPIC` of the same brokers (with --group: that of the runs with -dead behind it)")
	flags.BoolVar(&f.fromEnd, "from-end", false, "begin at the end of the topic, where the group has not been before")
	flags.DurationVar(&f.idle, "idle", defaultIdle, "a run without a record for this `TIME` is cut off")
	flags.DurationVar(&f.late, "late", defaultLate, "how long records and events may come after those that wait for them, and sources after the end of others")
	flags.Var(&f.memory, "run-memory", "how much memory a run may take, roughly, as a `SIZE` like 64MiB")
	flags.StringVar(&f.metrics, "metrics", "", "serve metrics for Prometheus, and /healthz and /readyz, at `HOST:PORT`; port 0 is a free one")
	flags.StringVar(&f.level, "log-level", "info", "how much the log on standard error says, as a `LEVEL`: debug, info, warn or error")
	flags.DurationVar(&f.grace, "grace", 10*time.Second, "how long the end may take: what has not been saved or sent by then is read again by who goes on")
	f.security.Register(flags)
	flags.DurationVar(&f.every, "snapshot-every", 5*time.Second, "how often the state of the runs of a partition is saved")
	flags.DurationVar(&f.session, "session", 3*time.Second, "after which silence of a member the others take its partitions over")
}

// topicFlagNames are the flags that are of no use without a topic.
var topicFlagNames = []string{"group", "verdicts", "dead-letters", "from-end", "idle", "late", "run-memory", "snapshot-every", "session", "grace", "metrics", "log-level"}

// given finds out which of the flags were given.
func (f *topicFlags) given(flags *pflag.FlagSet) {
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
		return fmt.Errorf("%s is about topics of Kafka: name one as kafka://BROKER/TOPIC", f.named[0])
	case topics && len(words) > 1:
		return errors.New("a topic of Kafka is read alone: start another monitor for the other sources")
	case !topics:
		return nil
	}
	for _, limit := range []struct {
		name string
		time time.Duration
	}{{"idle", f.idle}, {"late", f.late}, {"snapshot-every", f.every}, {"session", f.session}, {"grace", f.grace}} {
		if limit.time <= 0 {
			return fmt.Errorf("--%s %v: give a time above zero", limit.name, limit.time)
		}
	}
	if f.session < shortestSession {
		return fmt.Errorf("--session %v: give at least %v", f.session, shortestSession)
	}
	return nil
}

// shortestSession is the shortest one that the client takes.
const shortestSession = 100 * time.Millisecond

// snapshotsOf is the topic with the snapshots of a group.
func snapshotsOf(read, group string) string { return read + "-" + group + "-snapshots" }

// others finds what is wrong with the topics beside the one that is read.
func (f *topicFlags) others(read string) error {
	taken := map[string]string{
		read:                       "is the one that is read: what monitor says would be read again, for ever",
		snapshotsOf(read, f.group): "is for the snapshots of the group",
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
			return fmt.Errorf("%s: a topic cannot be named %s: %s", other.flag, event.Printable(other.topic), kafka.TopicNames)
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
		return fmt.Errorf("--format %s: the records of a topic are pieces of traces or, with --format otlp, messages of spans", format.Name)
	}
	if f.group != "" && flags.untilEOF {
		return errors.New("--until-eof and --group exclude each other: a group goes on, with whoever is a member")
	}
	log, err := newLog(m.Stderr, f.level)
	if err != nil {
		return err
	}
	if f.group != "" && f.dead == "" {
		f.dead = address.Topic + "-dead"
	}
	if err := f.others(address.Topic); err != nil {
		return err
	}
	m.Named = true
	relaxGarbage()
	out := &verdicts{monitor: m, topic: f.verdicts, dead: f.dead, shared: f.group != "", undefined: map[string]bool{}, told: newTold(m.Properties), log: log}
	defer out.heldBack()
	t := &topic{monitor: m, out: out, flags: f, log: log, partitions: map[int32]*partition{},
		places: places{log: log, byRun: map[string]int32{}},
		format: format, input: strings.Join(flags.input.Words(""), " ")}
	if f.metrics != "" {
		stop, err := t.serve(ctx, f.metrics)
		if err != nil {
			return err
		}
		defer stop()
	}
	if topics := stdslices.DeleteFunc([]string{out.topic, out.dead}, func(name string) bool { return name == "" }); len(topics) > 0 {
		if out.outbox, err = kafka.OpenOutbox(ctx, address, f.security, f.grace, log, topics...); err != nil {
			return err
		}
		defer out.outbox.Close()
	}
	if f.group == "" {
		return t.alone(ctx, address, flags.untilEOF)
	}
	return t.member(ctx, address)
}

// topicPercent lets the garbage collector wait until the heap is four times as large as what is in use: else a fifth of
// the processor time is its own. Near the limit of --memory it works harder.
const topicPercent = 300

// relaxGarbage does so, unless the user has a say in it or nothing limits the memory.
func relaxGarbage() {
	if os.Getenv("GOGC") == "" && debug.SetMemoryLimit(-1) < math.MaxInt64 {
		debug.SetGCPercent(topicPercent)
	}
}

// topic is a topic that is read.
type topic struct {
	monitor *monitor.Monitor
	out     *verdicts
	flags   *topicFlags
	log     zerolog.Logger
	format  *input.Format // of the records; nil for traces
	input   string        // the flags that say so
	places  places

	mu         sync.Mutex
	partitions map[int32]*partition
	past       runs.Counts // of the partitions that others go on with
	source     interface{ Stats() kafka.Stats }
}

// begins says where the numbers about the reading come from.
func (t *topic) begins(source interface{ Stats() kafka.Stats }) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.source = source
}

// read returns numbers about the reading, once it has begun.
func (t *topic) read() (s kafka.Stats, begun bool) {
	t.mu.Lock()
	source := t.source
	t.mu.Unlock()
	if source == nil {
		return s, false
	}
	return source.Stats(), true
}

// numbers returns those of all runs that were checked here.
func (t *topic) numbers() runs.Stats {
	t.mu.Lock()
	defer t.mu.Unlock()
	sum := runs.Stats{Counts: t.past}
	for _, p := range t.partitions {
		s := p.stats.Load()
		sum.Counts = sum.Plus(s.Counts)
		sum.Live, sum.Bytes, sum.Largest = sum.Live+s.Live, sum.Bytes+s.Bytes, max(sum.Largest, s.Largest)
	}
	return sum
}

// gone notes that a partition is somebody else's.
func (t *topic) gone(p *partition) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.past = t.past.Plus(p.stats.Load().Counts)
	maps.DeleteFunc(t.partitions, func(_ int32, other *partition) bool { return other == p })
}

// processor returns what checks the runs of a partition.
func (t *topic) processor(number int32, state []byte) (kafka.Processor, error) {
	m := t.monitor
	c := runs.Config{
		Properties: m.Properties, Logic: m.Options.Logic,
		Limits: runs.Limits{Memory: int(t.flags.memory), Late: t.flags.late, Idle: t.flags.idle},
		Split:  m.Split,
		Lives:  func(run string, live bool) { t.places.note(run, number, live) },
	}
	var checked input.Runs = runs.New(c, t.out)
	if t.format != nil {
		checked = t.format.Records(c, t.out)
	}
	p, err := newPartition(checked, markOf(m.Properties, m.Options.Logic, t.input), t.out, state)
	if err != nil {
		return nil, err
	}
	p.gone = t.gone
	t.mu.Lock()
	defer t.mu.Unlock()
	t.partitions[number] = p
	return p, nil
}

// alone reads the whole topic.
func (t *topic) alone(ctx context.Context, a kafka.Address, untilEOF bool) error {
	r, err := kafka.OpenReader(ctx, kafka.ReadConfig{
		Address: a, Security: t.flags.security, New: t.processor, FromEnd: t.flags.fromEnd, ToEnd: untilEOF, Log: t.log,
	})
	if err != nil {
		return err
	}
	t.begins(r)
	processors, err := r.Run()
	cut := onthefly.Truncation("cut off")
	switch {
	case ctx.Err() != nil:
		cut, err = monitor.CutOf(context.Cause(ctx)), nil
	case err == nil && t.format != nil:
		cut = "" // as in a file, for no span says that it is the last one
	}
	for _, n := range stdslices.Sorted(maps.Keys(processors)) {
		processors[n].(*partition).Close(cut)
	}
	return errors.Join(err, t.flush(ctx))
}

// flush waits until all that was said has arrived, after an interrupt no longer than the grace.
func (t *topic) flush(ctx context.Context) error {
	end, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(t.flags.grace, cancel) })
	defer stop()
	if err := t.out.flush(end); end.Err() != nil {
		return fmt.Errorf("verdicts, or dead letters, have not arrived within %v: %w", t.flags.grace, err)
	} else if err != nil {
		return err
	}
	return nil
}

// longSession is the shortest session that brokers accept without being told otherwise.
const longSession = 6 * time.Second

// member takes part in a consumer group. What is being checked when an interrupt ends it has its grace.
func (t *topic) member(ctx context.Context, a kafka.Address) error {
	var stop func()
	t.monitor.Checking, stop = interrupt.After(ctx, t.flags.grace+interrupt.LastWork)
	defer stop()
	err := t.join(ctx, a, t.flags.session)
	if errors.Is(err, kafka.ErrSession) && !stdslices.Contains(t.flags.named, "--session") {
		t.log.Warn().Msgf("the brokers accept no sessions of %v (group.min.session.timeout.ms): others take over from a silent member after %v", t.flags.session, longSession)
		err = t.join(ctx, a, longSession)
	}
	if errors.Is(err, kafka.ErrSession) {
		return fmt.Errorf("--session %v: the brokers accept no such session (group.min.session.timeout.ms, group.max.session.timeout.ms): give another one", t.flags.session)
	}
	return err
}

func (t *topic) join(ctx context.Context, a kafka.Address, session time.Duration) error {
	g, err := kafka.Join(ctx, kafka.GroupConfig{
		Address: a, Security: t.flags.security, Group: t.flags.group, New: t.processor,
		Snapshots: snapshotsOf(a.Topic, t.flags.group), FromEnd: t.flags.fromEnd,
		Every: t.flags.every, Session: session, Grace: t.flags.grace, Log: t.log,
	})
	if err != nil {
		return err
	}
	t.begins(g)
	err = g.Run()
	var unsaved *kafka.UnsavedError
	if errors.As(err, &unsaved) { // a violation counts for more
		t.log.Error().Ints32("partitions", unsaved.Partitions).Int64("records", unsaved.Records).Msg(unsaved.Error())
		t.monitor.Failed = true
		return nil
	}
	return err
}
