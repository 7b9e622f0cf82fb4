// Package kafkaservice checks the runs in a topic of Kafka, alone or as a member of a consumer
// group.
//
// It reads partitions, reports verdicts and dead letters, saves the state of runs, and serves
// metrics and health. It also copies the spans of a topic to another topic, with trace ids as keys.
package kafkaservice

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
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
)

// Config says which topic Run reads, and how.
type Config struct {
	Address     kafka.Address
	Security    kafka.Security
	FromEnd     bool          // begin at the end of partitions that the group has not read
	UntilEOF    bool          // stop at the present end of the topic; not for a group
	Format      *input.Format // of the records; nil for traces
	FormatFlags []string      // the flags that select it

	Group         string        // consumer group; "" reads all partitions
	SnapshotEvery time.Duration // time between saved states of a partition
	Session       time.Duration // silence of a member after which others take over its partitions
	SessionGiven  bool          // the user chose Session: do not increase it if brokers refuse it
	Grace         time.Duration // time for the shutdown

	Late      time.Duration // how late a record may be for those that wait for it
	Idle      time.Duration // time without records after which a run is cut off
	RunMemory int           // limit for the bytes of a run, approximately
	Memory    int64         // of the process, in bytes; 0 is no limit

	Verdicts    string // topic for verdicts; "" prints them
	DeadLetters string // topic for unreadable records; "" drops them
	Metrics     string // HOST:PORT of metrics and health; "" for none
	Log         zerolog.Logger
}

// SnapshotTopic returns the topic for the snapshots of a group.
func SnapshotTopic(read, group string) string { return read + "-" + group + "-snapshots" }

// Run checks the runs of a topic until the context ends or, with UntilEOF, until the topic ends.
// The outcomes of the monitor collect verdicts and errors.
func Run(ctx context.Context, m *monitor.Monitor, c Config) error {
	m.Named = true
	relaxGarbage()
	out := &reporter{
		monitor: m, topic: c.Verdicts, dead: c.DeadLetters, shared: c.Group != "",
		undefined: map[string]bool{}, metrics: newVerdictMetrics(m.Properties, m.Builtins.Properties), log: c.Log,
	}
	defer out.logHeldBack()
	s := &service{
		monitor: m, out: out, config: c, log: c.Log, partitions: map[int32]*partition{},
		tracker: partitionTracker{log: c.Log, byRun: map[string]int32{}},
	}
	if c.Metrics != "" {
		stop, err := s.serve(ctx, c.Metrics)
		if err != nil {
			return err
		}
		defer stop()
	}
	if topics := stdslices.DeleteFunc([]string{out.topic, out.dead},
		func(name string) bool { return name == "" }); len(topics) > 0 {
		var err error
		if out.outbox, err = kafka.OpenOutbox(ctx, c.Address, c.Security, c.Grace, c.Log, topics...); err != nil {
			return unbegun(ctx, err)
		}
		defer out.outbox.Close()
	}
	if c.Group == "" {
		return s.readAll(ctx)
	}
	return s.readAsMember(ctx)
}

// unbegun returns the reason why the service has not started. The end of the context is no error.
func unbegun(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// heapGrowth lets the heap grow to four times the memory in use between garbage collections, which
// otherwise take a fifth of the processor time. Near the limit of --memory the collector works
// harder.
const heapGrowth = 300

// relaxGarbage sets heapGrowth, unless the user has set GOGC or there is no
// limit of memory.
func relaxGarbage() {
	if os.Getenv("GOGC") == "" && debug.SetMemoryLimit(-1) < math.MaxInt64 {
		debug.SetGCPercent(heapGrowth)
	}
}

// service checks the runs of a topic.
type service struct {
	monitor *monitor.Monitor
	out     *reporter
	config  Config
	log     zerolog.Logger
	tracker partitionTracker
	source  atomic.Value // the *kafka.Reader or *kafka.Group, once it reads

	owned      atomic.Int64 // partitions
	mu         sync.Mutex
	partitions map[int32]*partition
	past       runs.Counts // of the partitions that others have taken over
}

// readStats returns the numbers about reading. It reports whether reading has begun.
func (s *service) readStats() (stats kafka.Stats, begun bool) {
	source, begun := s.source.Load().(interface{ Stats() kafka.Stats })
	if begun {
		stats = source.Stats()
	}
	return stats, begun
}

// runStats returns the numbers about all runs checked here.
func (s *service) runStats() runs.Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := runs.Stats{Counts: s.past}
	for _, p := range s.partitions {
		stats := p.stats.Load()
		sum.Counts = sum.Plus(stats.Counts)
		sum.Live, sum.Bytes, sum.Largest = sum.Live+stats.Live, sum.Bytes+stats.Bytes, max(sum.Largest, stats.Largest)
		sum.Past, sum.PastBytes = sum.Past+stats.Past, sum.PastBytes+stats.PastBytes
	}
	return sum
}

// verdicts returns how many verdicts there were in each partition that this member has, also by
// former owners.
func (s *service) verdicts() map[int32]map[string]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[int32]map[string]int64{}
	for n, p := range s.partitions {
		all[n] = *p.verdicts.Load()
	}
	return all
}

// release records that another member takes over a partition.
func (s *service) release(p *partition) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.past = s.past.Plus(p.stats.Load().Counts)
	maps.DeleteFunc(s.partitions, func(_ int32, other *partition) bool { return other == p })
	s.owned.Store(int64(len(s.partitions)))
}

func (s *service) newProcessor(number int32, state []byte) (kafka.Processor, error) {
	m := s.monitor
	c := runs.Config{
		Properties: m.Properties, Builtins: m.Builtins, Logic: m.Options.Logic,
		Limits: runs.Limits{Memory: s.config.RunMemory, Late: s.config.Late, Idle: s.config.Idle},
		Split:  m.Split,
		Lives:  func(run string, live bool) { s.tracker.track(run, number, live) },
	}
	if s.config.Memory > 0 {
		c.PastBytes = s.pastBytes
	}
	to := &partitionReporter{reporter: s.out, said: map[string]int64{}}
	var checked input.Runs = runs.New(c, to)
	if s.config.Format != nil {
		checked = s.config.Format.Records(c, to)
	}
	p, err := newPartition(checked, newStateHeader(m.Properties, m.Builtins, m.Options.Logic,
		strings.Join(s.config.FormatFlags, " ")), to, state)
	if err != nil {
		return nil, err
	}
	p.released = s.release
	s.mu.Lock()
	defer s.mu.Unlock()
	s.partitions[number] = p
	s.owned.Store(int64(len(s.partitions)))
	return p, nil
}

// Shares of the memory of the process: for runs that are over, and for records that are read and
// wait to be processed. The collector of garbage needs as much again for each, and the rest is for
// runs that go on.
const (
	pastShare  = 16
	queueShare = 8
)

// pastBytes returns how much memory a partition has for runs that are over.
func (s *service) pastBytes() int {
	return int(s.config.Memory / pastShare / max(s.owned.Load(), 1))
}

func (s *service) readAll(ctx context.Context) error {
	r, err := kafka.OpenReader(ctx, kafka.ReadConfig{
		Address: s.config.Address, Security: s.config.Security, New: s.newProcessor,
		FromEnd: s.config.FromEnd, ToEnd: s.config.UntilEOF, Log: s.log,
	})
	if err != nil {
		return unbegun(ctx, err)
	}
	s.source.Store(r)
	processors, err := r.Run()
	cut := tlcheck.Truncation("cut off")
	switch {
	case ctx.Err() != nil:
		cut, err = monitor.CutOf(context.Cause(ctx)), nil
	case err == nil && s.config.Format != nil:
		cut = "" // as in a file: no span is marked as the last one
	}
	for _, n := range stdslices.Sorted(maps.Keys(processors)) {
		processors[n].(*partition).Close(cut)
	}
	return errors.Join(err, s.flush(ctx))
}

// flush waits until all verdicts have arrived; after an interrupt, no longer than the grace.
func (s *service) flush(ctx context.Context) error {
	end, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(s.config.Grace, cancel) })
	defer stop()
	if err := s.out.flush(end); end.Err() != nil {
		return fmt.Errorf("verdicts, or dead letters, have not arrived within %v: %w", s.config.Grace, err)
	} else if err != nil {
		return err
	}
	return nil
}

// longSession is the shortest session that brokers accept by default.
const longSession = 6 * time.Second

// readAsMember takes part in a consumer group. After an interrupt, running checks have the grace to
// finish.
func (s *service) readAsMember(ctx context.Context) error {
	var stop func()
	s.monitor.Checking, stop = interrupt.After(ctx, s.config.Grace+interrupt.LastWork)
	defer stop()
	err := s.join(ctx, s.config.Session)
	if errors.Is(err, kafka.ErrSession) && !s.config.SessionGiven {
		s.log.Warn().Msgf("the brokers accept no sessions of %v (group.min.session.timeout.ms): others take over from a silent member after %v", s.config.Session, longSession)
		err = s.join(ctx, longSession)
	}
	if errors.Is(err, kafka.ErrSession) {
		return fmt.Errorf("--session %v: the brokers reject it (group.min.session.timeout.ms, group.max.session.timeout.ms): choose another one", s.config.Session)
	}
	return err
}

// join takes part in the group, with a session that brokers may refuse.
func (s *service) join(ctx context.Context, session time.Duration) error {
	g, err := kafka.Join(ctx, kafka.GroupConfig{
		Address: s.config.Address, Security: s.config.Security, Group: s.config.Group, New: s.newProcessor,
		Snapshots: SnapshotTopic(s.config.Address.Topic, s.config.Group), FromEnd: s.config.FromEnd,
		Every: s.config.SnapshotEvery, Session: session, Grace: s.config.Grace, Log: s.log,
		Memory: int(s.config.Memory / queueShare),
	})
	if err != nil {
		return unbegun(ctx, err)
	}
	s.source.Store(g)
	err = g.Run()
	var unsaved *kafka.UnsavedError
	if errors.As(err, &unsaved) {
		s.log.Error().Ints32("partitions", unsaved.Partitions).Int64("records", unsaved.Records).Msg(unsaved.Error())
		return exit.Code(exit.Error)
	}
	return err
}
