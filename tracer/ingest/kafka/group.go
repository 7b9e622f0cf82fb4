package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	client "github.com/segmentio/kafka-go"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// Processor processes the records of one partition, in their order. Its methods are called one at a
// time.
//
// Tick lets time pass. It is not called while records of the partition are still to be read, since
// runs may wait for just these. As long as the brokers are unreachable there may be such records.
// Nor is it called while no member has the partition, or the process is stopped.
type Processor interface {
	// Take takes the next record.
	Take(r *record.Record, now time.Time)
	// Tick is called about once a second. It reports whether the state has changed.
	Tick(now time.Time) bool
	// Flush waits until all reports about the records so far have arrived.
	Flush(ctx context.Context) error
	// State returns the state from which another processor can continue after the records so far.
	State() ([]byte, error)
	// Drop ends the processor: another one continues, or none.
	Drop()
}

// GroupConfig configures a member of a consumer group.
type GroupConfig struct {
	Address  Address
	Security Security
	Group    string

	// New returns a processor for a partition, which continues from a state; nil is none.
	New func(partition int32, state []byte) (Processor, error)

	Snapshots string        // topic of the snapshots; created if it is missing
	FromEnd   bool          // begin at the end of the topic where the group has not been
	Every     time.Duration // how often a partition's state is saved; 0 is 5 seconds
	// time without a sign of life after which others take over; 0 is 3 seconds
	Session time.Duration
	// how long a partition may take to be saved when it is given up; 0 is 10 seconds
	Grace time.Duration
	Log   zerolog.Logger

	// Memory is for records of all partitions together that are read and wait to be processed, in
	// bytes, roughly; 0 is 16 MiB for each partition.
	Memory int

	// for tests; nil is a net.Dialer
	dial func(ctx context.Context, network, address string) (net.Conn, error)
	// decompressed bytes of a batch; 0 is maxUnfolded
	limit int
}

const (
	defaultEvery   = 5 * time.Second
	defaultSession = 3 * time.Second
	defaultGrace   = 10 * time.Second

	// bytes of a partition that wait to be processed before fetching stops, at most and at least
	queueBytes      = 16 << 20
	leastQueueBytes = 64 << 10
)

// queueRoom returns how many bytes of each of so many partitions may wait before fetching stops.
// Half of the memory is for what is fetched meanwhile.
func (c *GroupConfig) queueRoom(partitions int) int {
	if c.Memory == 0 {
		return queueBytes
	}
	return min(max(c.Memory/2/max(partitions, 1), leastQueueBytes), queueBytes)
}

// portion returns how many bytes to ask a broker for at once. They unfold to several times as much.
func (c *GroupConfig) portion() int {
	const least, most = 1 << 20, 50 << 20
	if c.Memory == 0 {
		return most
	}
	return min(max(c.Memory/16, least), most)
}

// Group is a member of a consumer group.
//
// The member works by generations: between two rebalances it has some partitions, each with a
// goroutine of its own that takes the records, and from time to time saves the state of its
// processor. First it waits until all reports have arrived, then it writes a snapshot, and then it
// commits the offset of the next record together with the position of the snapshot, under its
// generation. The commit is atomic, and refused if the partition has another owner by now. The next
// owner continues from that snapshot, and reads the later records again. So each record is in the
// state of the processor exactly once, and reports may be repeated, but are not lost.
type Group struct {
	config    GroupConfig
	network   *network
	cluster   *wire.Cluster
	member    *wire.Member
	reader    *wire.Reader
	snapshots *snapshotStore
	outer     context.Context // of Join
	ctx       context.Context // ends with the member; its cause says why
	end       context.CancelCauseFunc

	mu            sync.Mutex
	partitions    map[int32]*partition
	kept          map[int32]*partition // whose processors may be useful in the next generation
	stopping      map[*partition]bool  // given up, and perhaps still at work
	joined        bool
	leaving       bool
	generation    *wire.Generation   // the present one, or the last
	endHeartbeats context.CancelFunc // ends its heartbeats
	endGeneration context.CancelFunc // ends it
	rebalances    atomic.Int64
	fetching      outage
	session       outage    // of the member with the group
	waits         time.Time // since when it waits for one; zero if it does not
}

// Join returns a member of a group, which begins to work with Run, and ends when the context does.
// It fails at once if brokers refuse the settings, and after ten seconds if they do not answer,
// unless they have answered another client before.
func Join(ctx context.Context, c GroupConfig) (*Group, error) {
	c.Every, c.Session, c.Grace = cmp.Or(c.Every, defaultEvery), cmp.Or(c.Session, defaultSession),
		cmp.Or(c.Grace, defaultGrace)
	g := &Group{
		outer: ctx, network: newNetwork(c.Log), partitions: map[int32]*partition{}, kept: map[int32]*partition{},
		stopping: map[*partition]bool{}, generation: &wire.Generation{Membership: &wire.Membership{}},
		endHeartbeats: func() {},
	}
	if !isName(c.Snapshots) {
		return nil, fmt.Errorf("the topic of snapshots cannot be called %s: choose a group of letters, digits, dots, "+
			"underscores and dashes, and a shorter one", event.Printable(c.Snapshots))
	}
	g.ctx, g.end = context.WithCancelCause(ctx)
	g.config = c
	config, contact, err := c.Security.clusterConfig(c.Address, g.network, g.end)
	if err != nil {
		return nil, err
	}
	config.Dial = c.dial
	g.cluster = wire.Open(config)
	if err = contact.waitForTopic(g.ctx, g.cluster, contact.patience()); err == nil {
		g.snapshots, err = openSnapshots(g.ctx, g.cluster, c)
	}
	if err != nil {
		g.cluster.Close()
		return nil, err
	}
	g.member = g.cluster.NewMember(wire.MemberConfig{
		Group: c.Group, Topic: c.Address.Topic, Session: c.Session, Rebalance: c.Grace + 5*time.Second,
		Interrupted: g.noteWaiting,
	})
	g.reader = g.cluster.NewReader(wire.ReaderConfig{
		Topic: c.Address.Topic, ID: g.snapshots.input, Limit: cmp.Or(c.limit, maxUnfolded),
		Lost:    wire.AtStart, // if the group's offset no longer exists
		Portion: c.portion(),
	})
	return g, nil
}

// Run takes part in the group until the context of Join ends, then saves the states and leaves. The
// error is another reason for its end or, as an *UnsavedError, the state that could not be saved.
func (g *Group) Run() error {
	defer g.cluster.Close()
	defer g.reader.Close()
	defer g.end(nil)
	go g.watch()
	for g.ctx.Err() == nil {
		generation, err := g.member.Join(g.ctx)
		if err == nil {
			g.takePart(generation)
		} else if g.ctx.Err() == nil {
			g.fail(cmp.Or(permanent(err), err))
		}
	}
	unsaved := g.shutDown()
	g.dropKept()
	if g.outer.Err() != nil {
		return unsaved
	}
	return context.Cause(g.ctx)
}

// takePart works on the partitions of a generation until it is over, or the member ends. On return
// the partitions still work, and heartbeats continue.
func (g *Group) takePart(generation *wire.Generation) {
	reading, over := context.WithCancel(g.ctx)
	defer over()
	beating, silence := context.WithCancel(context.Background())
	g.beginGeneration(generation, silence, over)
	lost := make(chan error, 1)
	go func() {
		lost <- g.member.Beat(beating, generation, over)
		over()
	}()
	if g.start(reading, generation) {
		g.read(reading)
	}
	if g.ctx.Err() != nil {
		return
	}
	select {
	case why := <-lost:
		g.logInterruption(why)
		g.member.Lost(why)
		g.revoke(generation.Partitions, false)
	default:
		g.revoke(generation.Partitions, true)
		silence()
		if why := <-lost; why != nil {
			g.member.Lost(why)
		}
	}
	silence()
}

// read reads the partitions of the member until the context ends.
func (g *Group) read(ctx context.Context) {
	for ctx.Err() == nil {
		batches, _ := g.reader.Poll(ctx)
		for i := range batches {
			g.feed(&batches[i])
		}
	}
}

// ErrSession is the error of a member whose session is shorter, or longer, than the brokers accept.
var ErrSession error = client.InvalidSessionTimeout

// fail ends the member.
func (g *Group) fail(err error) {
	if g.ctx.Err() != nil {
		g.config.Log.Error().Err(err).Msg("failed while shutting down")
	}
	g.end(err)
}

// watch ends the member when its topic has been deleted or replaced by another one of the same
// name: a member without partitions has no other way to notice. It also starts a rebalance for
// added partitions.
func (g *Group) watch() {
	name := g.config.Address.Topic
	watchTopic(g.ctx, name, g.snapshots.input, topicID(g.cluster, name), g.rejoinIfGrown, func(err error) {
		g.fail(cmp.Or(err, anewError(name)))
	})
}

// rejoinIfGrown begins another generation if topics have more partitions than at the last
// assignment.
func (g *Group) rejoinIfGrown() {
	g.mu.Lock()
	generation, over := g.generation, g.endGeneration
	g.mu.Unlock()
	if g.member.HasNewPartitions(g.ctx, generation) {
		over()
	}
}

// anewError says that another topic has replaced that of a group.
func anewError(topic string) error {
	return fmt.Errorf("topic %s was deleted and made anew since the group has read it: the group's runs are gone; "+
		"use another group", topic)
}

// fetchError decides whether an error of the reader passes: the reader retries by itself.
func (g *Group) fetchError(b *wire.Batch) {
	switch batch, lasts := tooLargeBatch(b.Err), permanent(b.Err); {
	case g.ctx.Err() != nil:
	case batch != nil:
		logSkipped(g.config.Log, b.Partition, batch)
	case wire.HasCode(b.Err, client.UnknownTopicOrPartition, client.UnknownTopicID, client.InconsistentTopicID):
		g.fail(goneError(g.config.Address.Topic, b.Err))
	case lasts != nil:
		g.fail(lasts)
	default:
		g.mu.Lock()
		defer g.mu.Unlock()
		g.fetching.readFailed(g.config.Log, b)
	}
}

// noteWaiting notes that the member waits for a session. It logs the wait once, when it has lasted
// longer than a session.
func (g *Group) noteWaiting(err error) {
	g.mu.Lock()
	if g.waits.IsZero() {
		g.waits = time.Now()
	}
	long := time.Since(g.waits) > g.config.Session
	g.mu.Unlock()
	if long {
		g.logInterruption(err)
	}
}

// logInterruption logs once that the session of the member does not work for now. When brokers come
// back, they close old connections: that is no new reason.
func (g *Group) logInterruption(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	closed := hungUp(err) || errors.Is(err, net.ErrClosed)
	if closed && !g.session.since.IsZero() {
		return
	}
	if g.session.noteFailure(err, time.Now()) {
		g.config.Log.Warn().Str("why", g.session.reason).Msg("the session with the group is interrupted")
	}
}

// feed passes a batch to its partition.
func (g *Group) feed(b *wire.Batch) {
	if b.Err != nil {
		g.fetchError(b)
	}
	g.mu.Lock()
	p := g.partitions[b.Partition]
	room := g.config.queueRoom(len(g.partitions))
	if len(b.Records) > 0 {
		g.fetching.readWorks(g.config.Log)
	}
	g.mu.Unlock()
	if p != nil { // otherwise it was given up meanwhile
		p.put(b, room)
	}
}

// beginGeneration begins a generation. over ends it, and silence its heartbeats.
func (g *Group) beginGeneration(generation *wire.Generation, silence, over context.CancelFunc) {
	g.rebalances.Add(1)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.generation, g.endHeartbeats, g.endGeneration, g.waits = generation, silence, over, time.Time{}
	log := g.config.Log.Info()
	if lasted, was := g.session.noteSuccess(time.Now()); was {
		log.Dur("interrupted_ms", lasted)
	}
	what := "assigned"
	if !g.joined {
		what = "joined the group"
		log.Str("group", g.config.Group).Str("member", generation.Member)
	}
	g.joined = true
	log.Int32("generation", generation.Generation).Ints32("partitions", generation.Partitions).Msg(what)
}

func (g *Group) begin(number int32, offset int64, metadata string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.partitions[number] != nil {
		return
	}
	p := newPartition(g, number, offset, metadata)
	if k := g.kept[number]; k != nil && k.metadata == metadata {
		p.processor = k.processor
		p.numbers.Snapshot, p.numbers.SnapshotTime = k.numbers.Snapshot, k.numbers.SnapshotTime
		delete(g.kept, number)
	}
	g.partitions[number] = p
	go p.run()
}

// keep keeps the processor of a partition whose state is saved: if the member has the partition in
// the next generation, too, it need not read the state.
func (g *Group) keep(p *partition) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.kept[p.number] = p
}

// dropKept drops the processors of partitions that others have now.
func (g *Group) dropKept() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range g.kept {
		p.processor.Drop()
	}
	clear(g.kept)
}

// revoke gives partitions up. If they are lost already, nothing is saved.
func (g *Group) revoke(numbers []int32, save bool) {
	start := time.Now()
	g.reader.Drop(numbers...)
	stopped := g.stop(numbers, save)
	for _, p := range stopped {
		<-p.done
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range stopped {
		delete(g.stopping, p)
	}
	g.joined = g.joined && save
	switch log := g.config.Log.With().Int32("generation", g.generation.Generation).Ints32("partitions",
		numbers).Dur("took_ms", time.Since(start)).Logger(); {
	case g.leaving, len(numbers) == 0: // a session without partitions, or none, has nothing to lose
	case save:
		log.Info().Msg("revoked")
	default:
		log.Warn().Msg("lost: this member has not answered in time, or its generation is over")
	}
}

// stop stops the work on partitions, and returns them.
func (g *Group) stop(numbers []int32, save bool) (stopped []*partition) {
	g.mu.Lock()
	for _, n := range numbers {
		if p := g.partitions[n]; p != nil {
			stopped = append(stopped, p)
			delete(g.partitions, n)
			g.stopping[p] = true
		}
	}
	g.mu.Unlock()
	for _, p := range stopped {
		p.stop(save)
	}
	return stopped
}

// knowsEnd reports whether the end of a partition is known.
func (g *Group) knowsEnd(partition int32, now time.Time) bool {
	return now.Sub(g.reader.Heard(partition)) < silence
}

func (g *Group) partitionNumbers() []int32 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Sorted(maps.Keys(g.partitions))
}
