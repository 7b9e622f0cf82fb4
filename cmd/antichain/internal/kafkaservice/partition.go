package kafkaservice

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/logging"
	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/snapshot"
	"github.com/rs/zerolog"
)

// partition checks the runs of a partition.
type partition struct {
	input.Runs
	clock     partitionClock
	to        *partitionReporter
	header    stateHeader
	base      runs.Counts                      // of former owners
	stats     atomic.Pointer[runs.Stats]       // without base, for other goroutines
	verdicts  atomic.Pointer[map[string]int64] // those of to, for other goroutines
	published time.Time                        // when Take last published stats
	released  func(*partition)                 // called when another member takes over
	size      int                              // of the last state
}

// stateHeader precedes a state and identifies its contents.
type stateHeader struct {
	Format string // of the state
	Spec   string // fingerprint of the properties, the logic and the format of the records
}

// stateFormat changes with the contents of a state.
const stateFormat = "antichain runs 11"

func newStateHeader(properties []*spec.Property, checked builtins.Config, logic lsl.Logic,
	formatFlags string) stateHeader {
	text := logic.String() + " " + formatFlags
	for _, p := range properties {
		text += "\n" + p.Name + " " + spec.FormatProperty(p)
	}
	if len(checked.Properties) > 0 {
		text += fmt.Sprintf("\n%q %q %q", checked.Properties, checked.MustFinish, checked.MayWait)
	}
	sum := sha256.Sum256([]byte(text))
	return stateHeader{stateFormat, hex.EncodeToString(sum[:8])}
}

// newPartition restores the runs of a state, if there is one.
func newPartition(checked input.Runs, h stateHeader, to *partitionReporter, state []byte) (*partition, error) {
	p := &partition{Runs: checked, to: to, header: h}
	p.stats.Store(&runs.Stats{})
	p.verdicts.Store(&map[string]int64{})
	if state == nil {
		return p, nil
	}
	a := snapshot.NewReader(state)
	var was stateHeader
	a.String(&was.Format)
	if a.Err() == nil && was.Format != p.header.Format {
		return nil, fmt.Errorf("the snapshot has the format %q, but this program reads %q: let the program that wrote it finish the runs, or use another --group", was.Format, p.header.Format)
	}
	a.String(&was.Spec)
	if a.Err() == nil && was.Spec != p.header.Spec {
		return nil, fmt.Errorf("the snapshot belongs to another specification, so its runs cannot be checked with this one: use another --group")
	}
	snapshot.Int(a, &p.clock.at)
	p.snapshotVerdicts(a)
	if err := p.restore(a); err != nil {
		return nil, fmt.Errorf("the snapshot cannot be read: %w; let the program that wrote it finish the runs, or use another --group", err)
	}
	p.base = p.Stats().Counts
	p.publish()
	return p, nil
}

// restore reads the state. A state of another program, or a damaged one, may make the checker
// panic, which becomes an error.
func (p *partition) restore(snap *snapshot.Codec) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("it contradicts itself (%v)", v)
		}
	}()
	return cmp.Or(p.Snapshot(snap), snap.End())
}

// State implements kafka.Processor.
func (p *partition) State() ([]byte, error) {
	a := snapshot.NewWriter()
	a.Grow(p.size + p.size/8)
	h := p.header
	a.String(&h.Format)
	a.String(&h.Spec)
	snapshot.Int(a, &p.clock.at)
	p.snapshotVerdicts(a)
	err := p.Snapshot(a)
	p.size = len(a.Bytes())
	return a.Bytes(), err
}

// snapshotVerdicts writes or reads how many verdicts there were.
func (p *partition) snapshotVerdicts(c *snapshot.Codec) {
	snapshot.Map(c, &p.to.said, cmp.Compare, c.String, func(n *int64) { snapshot.Int(c, n) })
}

// Take implements kafka.Processor.
func (p *partition) Take(r *record.Record, now time.Time) {
	p.Runs.Take(r, p.clock.advance(now))
	if now.Sub(p.published) >= time.Second { // there are no ticks while many records wait
		p.published = now
		p.publish()
	}
}

// Tick implements kafka.Processor.
func (p *partition) Tick(now time.Time) bool {
	changed := p.Runs.Tick(p.clock.advance(now))
	p.publish()
	return changed
}

// publish makes the numbers visible to other goroutines.
func (p *partition) publish() {
	s := p.Stats()
	s.Counts = s.Minus(p.base)
	p.stats.Store(&s)
	said := maps.Clone(p.to.said)
	p.verdicts.Store(&said)
}

// Close ends all runs.
func (p *partition) Close(cut tlcheck.Truncation) {
	p.Runs.Close(cut)
	p.publish()
}

// Drop implements kafka.Processor.
func (p *partition) Drop() {
	p.Runs.Drop()
	p.publish()
	p.released(p)
}

// Flush implements kafka.Processor.
func (p *partition) Flush(ctx context.Context) error { return p.to.flush(ctx) }

// partitionClock is the time of a partition, by which its runs are late or over. It stands still
// while no member reads the partition: while the brokers are unreachable, the process is stopped,
// or no monitor owns the partition. Records of that time are in the topic, and are read first.
type partitionClock struct {
	last time.Time // real time of the last advance
	at   int64     // time of the clock, in nanoseconds; 0 before the first advance
}

// longestTick is the longest time between two advances while the partition is read: half as long
// again as between ticks.
const longestTick = 1500 * time.Millisecond

// advance returns the time of the clock at a real time.
func (c *partitionClock) advance(now time.Time) time.Time {
	switch {
	case c.at == 0:
		c.at = now.UnixNano()
	case !c.last.IsZero():
		c.at += int64(max(0, min(longestTick, now.Sub(c.last))))
	}
	c.last = now
	return time.Unix(0, c.at)
}

// partitionTracker knows the partitions of the running runs, and warns of a run in two of them:
// each verdict then concerns a part of the run. It does not see partitions of other monitors.
type partitionTracker struct {
	log   zerolog.Logger
	lines logging.Throttle

	mu    sync.Mutex
	byRun map[string]int32 // the first one
}

// track records that a run has started or stopped in a partition.
func (p *partitionTracker) track(run string, partition int32, live bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	first, there := p.byRun[run]
	switch {
	case !live:
		if first == partition {
			delete(p.byRun, run)
		}
	case !there:
		p.byRun[run] = partition
	case first != partition:
		p.lines.Line(p.log.Warn()).Str("run", logging.Shorten(run)).Ints32("partitions", []int32{first, partition}).
			Msg("a run in two partitions is checked as two runs: either partitions were added to the topic while it goes on, or its producers choose different ones for its key")
	}
}
