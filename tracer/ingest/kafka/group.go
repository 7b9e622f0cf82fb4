package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// Processor does something with the records of one partition, in their order. Its methods are called one at a
// time.
//
// Tick lets time pass. It is not called while there is more to read in the partition, or may be, since the brokers are
// away: what somebody waits for may be there. Nor is it called while nobody has the partition, or the process is stopped.
type Processor interface {
	// Take takes the next record.
	Take(r *record.Record, now time.Time)
	// Tick is called about once a second. It reports whether the state is another one now.
	Tick(now time.Time) bool
	// Flush waits until what was said about the records so far has arrived.
	Flush(ctx context.Context) error
	// State returns what another processor needs to go on behind the records so far.
	State() ([]byte, error)
	// Drop ends the processor: somebody else goes on, or nobody.
	Drop()
}

// GroupConfig says what a member of a consumer group does.
type GroupConfig struct {
	Address  Address
	Security Security
	Group    string

	// New returns a processor for a partition, which goes on behind a state; nil is none.
	New func(partition int32, state []byte) (Processor, error)

	Snapshots string        // topic of the snapshots; it is made if it is missing
	FromEnd   bool          // begin at the end of the topic where the group has not been
	Every     time.Duration // how often a partition's state is saved; 0 is 5 seconds
	Session   time.Duration // after which silence of a member the others take over; 0 is 3 seconds
	Grace     time.Duration // how long a partition may take to be saved when it is given up; 0 is 10 seconds
	Log       zerolog.Logger

	options []kgo.Opt // of all connections
}

const (
	defaultEvery   = 5 * time.Second
	defaultSession = 3 * time.Second
	defaultGrace   = 10 * time.Second

	// queueBytes is how much of a partition waits to be processed before no more is fetched.
	queueBytes = 16 << 20
)

// Group is a member of a consumer group.
//
// The member works by generations: between two rebalances it has some partitions, each with a goroutine of its
// own that takes the records, and from time to time saves the state of its processor. First it waits until what was
// said has arrived, then it writes a snapshot, and then it commits the offset of the next record together with
// where the snapshot is, under its generation: that is one step, and refused if the partition has another
// owner by now. Who gets the partition goes on with that snapshot, and reads again what came behind it. So
// each record is in the state of the processor exactly once, and what was said may be said again, but is not
// lost.
type Group struct {
	config    GroupConfig
	network   *network
	client    *kgo.Client
	snapshots *snapshotStore
	outer     context.Context // of Join
	ctx       context.Context // ends with the member; its cause says why
	end       context.CancelCauseFunc

	mu         sync.Mutex
	partitions map[int32]*partition
	kept       map[int32]*partition // whose processors may be of use in the next generation
	stopping   map[*partition]bool  // given up, and perhaps still at work
	behind     map[int32]int64      // offset behind the last batch of a partition that was skipped
	forced     map[int32]bool       // partitions for which a rebalance was forced, and that have delivered nothing since
	joined     bool
	leaving    bool
	member     string // of the present generation
	generation int32
	rebalances atomic.Int64
	fetching   outage
	session    outage // of the member with the group
}

// Join returns a member of a group, which begins to work with Run, and ends when the context does. Settings that brokers
// refuse are an error at once, brokers that do not answer after ten seconds.
func Join(ctx context.Context, c GroupConfig) (*Group, error) {
	c.Every, c.Session, c.Grace = cmp.Or(c.Every, defaultEvery), cmp.Or(c.Session, defaultSession), cmp.Or(c.Grace, defaultGrace)
	g := &Group{
		outer: ctx, network: newNetwork(c.Log), partitions: map[int32]*partition{}, kept: map[int32]*partition{},
		stopping: map[*partition]bool{}, behind: map[int32]int64{}, forced: map[int32]bool{},
	}
	if !isName(c.Snapshots) {
		return nil, fmt.Errorf("the topic of snapshots cannot be called %s: choose a group of letters, digits, dots, underscores and dashes, and a shorter one", event.Printable(c.Snapshots))
	}
	g.ctx, g.end = context.WithCancelCause(ctx)
	security, contact, err := c.Security.connection(c.Address, g.end)
	if err != nil {
		return nil, err
	}
	c.options = slices.Concat(security, g.network.options(), c.options)
	g.config = c
	start := kgo.NewOffset().AtStart()
	if c.FromEnd {
		start = kgo.NewOffset().AtEnd()
	}
	options := append([]kgo.Opt{
		kgo.SeedBrokers(c.Address.Brokers...),
		kgo.ConsumerGroup(c.Group),
		kgo.ConsumeTopics(c.Address.Topic),
		kgo.ConsumeStartOffset(start),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), // where the group was, and that is gone
		kgo.Balancers(kgo.StickyBalancer()),               // gives up all partitions at a rebalance: a generation is a unit
		kgo.SessionTimeout(c.Session),
		kgo.HeartbeatInterval(c.Session / 6),
		kgo.RebalanceTimeout(c.Grace + 5*time.Second),
		kgo.DisableAutoCommit(),
		kgo.BlockRebalanceOnPoll(),
		kgo.FetchMaxWait(250 * time.Millisecond),
		kgo.MaxDecompressBatchBytes(maxBatch),
		kgo.MetadataMaxAge(10 * time.Second), // partitions can be added
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		kgo.KeepControlRecords(), // else the end of a partition may never be seen
		kgo.OnPartitionsAssigned(g.assigned),
		kgo.OnOffsetsFetched(g.offsets),
		kgo.AdjustFetchOffsetsFn(g.start),
		kgo.OnPartitionsRevoked(func(ctx context.Context, _ *kgo.Client, ps map[string][]int32) { g.revoked(ps, true) }),
		kgo.OnPartitionsLost(func(ctx context.Context, _ *kgo.Client, ps map[string][]int32) { g.revoked(ps, false) }),
	}, c.options...)
	if g.snapshots, err = openSnapshots(g.ctx, contact, c); err != nil {
		return nil, err
	}
	if g.client, err = kgo.NewClient(options...); err != nil { // it joins at once, and partitions need their snapshots
		g.snapshots.close()
		return nil, err
	}
	return g, nil
}

// Run takes part in the group until the context of Join ends, then saves what it has and leaves. The error says
// what else has ended it, or, as an *UnsavedError, what could not be saved.
func (g *Group) Run() error {
	defer g.snapshots.close()
	defer g.end(nil)
	go g.watch()
	for g.ctx.Err() == nil {
		fetches := g.client.PollFetches(g.ctx)
		fetches.EachError(g.fetchError)
		fetches.EachPartition(func(p kgo.FetchTopicPartition) { g.feed(p) })
		g.client.AllowRebalance()
	}
	unsaved := g.shutDown()
	g.dropKept()
	if g.outer.Err() != nil {
		return unsaved
	}
	return context.Cause(g.ctx)
}

// ErrSession is the error of a member whose session is shorter, or longer, than the brokers accept.
var ErrSession error = kerr.InvalidSessionTimeout

// fail ends the member.
func (g *Group) fail(err error) {
	if g.ctx.Err() != nil {
		g.config.Log.Error().Err(err).Msg("failed while shutting down")
	}
	g.end(err)
}

// watch ends the member when its topic is gone, or another one of the same name: who has no partition is told of that by
// nobody.
func (g *Group) watch() {
	name := g.config.Address.Topic
	look := func(ctx context.Context) (wire.TopicID, error) {
		found, err := lookUp(ctx, g.snapshots.admin, name)
		return wire.TopicID(found.ID), err
	}
	watchTopic(g.ctx, name, wire.TopicID(g.snapshots.input), look, g.nudge, func(err error) {
		g.fail(cmp.Or(err, anewError(name)))
	})
}

// anewError says that the topic of a group is another one by now.
func anewError(topic string) error {
	return fmt.Errorf("topic %s was deleted and made anew since the group has read it: the group's runs are gone; use another group", topic)
}

// fetchError decides whether an error of the client is one that passes: it tries again by itself.
func (g *Group) fetchError(topic string, p int32, err error) {
	switch batch, lasts := tooLarge(err), lasting(err); {
	case g.ctx.Err() != nil, errors.Is(err, context.Canceled):
	case batch != nil:
		g.skip(batch)
	case errors.Is(err, kerr.UnknownTopicOrPartition), errors.Is(err, kerr.UnknownTopicID):
		g.fail(goneError(topic, err))
	case lasts != nil:
		g.fail(lasts)
	default:
		g.fails(p, err)
	}
}

// fails says that something does not work for now, once.
func (g *Group) fails(p int32, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var session *kgo.ErrGroupSession
	if errors.As(err, &session) {
		if g.session.is(session.Err, time.Now()) {
			g.config.Log.Warn().Str("why", g.session.reason).Msg("the session with the group is interrupted")
		}
		return
	}
	if g.fetching.is(err, time.Now()) {
		g.config.Log.Warn().Str("why", g.fetching.reason).Int32("partition", p).Msg("reading fails")
	}
}

// feed gives fetched records to their partition.
func (g *Group) feed(f kgo.FetchTopicPartition) {
	g.mu.Lock()
	p := g.partitions[f.Partition]
	if len(f.Records) > 0 {
		delete(g.forced, f.Partition)
		if lasted, was := g.fetching.over(time.Now()); was {
			g.config.Log.Info().Dur("lasted_ms", lasted).Msg("reading works again")
		}
	}
	g.mu.Unlock()
	if p != nil { // else it was given up meanwhile
		p.put(f.Records, f.LogStartOffset, f.HighWatermark)
	}
}

// assigned begins a generation.
func (g *Group) assigned(_ context.Context, client *kgo.Client, ps map[string][]int32) {
	g.rebalances.Add(1)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.member, g.generation = client.GroupMetadata()
	log := g.config.Log.Info()
	if lasted, was := g.session.over(time.Now()); was {
		log.Dur("interrupted_ms", lasted)
	}
	what := "assigned"
	if !g.joined {
		what = "joined the group"
		log.Str("group", g.config.Group).Str("member", g.member)
	}
	g.joined = true
	log.Int32("generation", g.generation).Ints32("partitions", sorted(ps[g.config.Address.Topic])).Msg(what)
}

func sorted(numbers []int32) []int32 { return slices.Sorted(slices.Values(numbers)) }

// offsets begins with the partitions of a generation, where their last owner has stopped.
func (g *Group) offsets(_ context.Context, _ *kgo.Client, resp *kmsg.OffsetFetchResponse) error {
	for _, group := range resp.Groups {
		for _, topic := range group.Topics {
			for _, p := range topic.Partitions {
				if err := kerr.ErrorForCode(p.ErrorCode); err != nil {
					return err
				}
				metadata := ""
				if p.Metadata != nil {
					metadata = *p.Metadata
				}
				g.begin(p.Partition, p.Offset, metadata)
			}
		}
	}
	g.dropKept()
	return nil
}

// start changes where partitions begin in a generation: behind batches that were skipped, and at the start if they were added
// since the member has joined, even if the group began at the end.
func (g *Group) start(_ context.Context, all map[string]map[int32]kgo.Offset) (map[string]map[int32]kgo.Offset, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for p, offset := range all[g.config.Address.Topic] {
		at := offset.EpochOffset().Offset // negative if there was no commit
		if behind, ok := g.behind[p]; ok && at < behind {
			all[g.config.Address.Topic][p] = kgo.NewOffset().At(behind)
		} else if at < 0 && p >= g.snapshots.known {
			all[g.config.Address.Topic][p] = kgo.NewOffset().AtStart()
		}
	}
	return all, nil
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

// keep keeps the processor of a partition whose state is saved: the member may have it in the next generation, too, and
// then need not read the state.
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

// revoked gives partitions up. If they are lost already, nothing is saved.
func (g *Group) revoked(ps map[string][]int32, save bool) {
	start := time.Now()
	numbers := sorted(ps[g.config.Address.Topic])
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
	switch log := g.config.Log.With().Int32("generation", g.generation).Ints32("partitions", numbers).Dur("took_ms", time.Since(start)).Logger(); {
	case g.leaving, len(numbers) == 0: // nothing that a session without partitions, or none, can lose
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

// hears reports whether it is known what there is to read of a partition.
func (g *Group) hears(partition int32, now time.Time) bool {
	return g.network.hears(g.client, g.config.Address.Topic, partition, now)
}

func (g *Group) all() []int32 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Sorted(maps.Keys(g.partitions))
}

// commit commits that a partition goes on with a record, under the generation in which it was assigned.
func (g *Group) commit(ctx context.Context, p *partition, offset int64, metadata string) error {
	req := kmsg.NewPtrOffsetCommitRequest()
	req.Group, req.MemberID, req.Generation = g.config.Group, p.member, p.generation
	partition := kmsg.NewOffsetCommitRequestTopicPartition()
	partition.Partition, partition.Offset, partition.Metadata = p.number, offset, &metadata
	topic := kmsg.NewOffsetCommitRequestTopic()
	topic.Topic, topic.TopicID = g.config.Address.Topic, g.snapshots.input // the name or, for new brokers, the id
	topic.Partitions = append(topic.Partitions, partition)
	req.Topics = append(req.Topics, topic)
	resp, err := req.RequestWith(ctx, g.client)
	if err != nil {
		return err
	}
	for _, topic := range resp.Topics {
		for _, partition := range topic.Partitions {
			return kerr.ErrorForCode(partition.ErrorCode)
		}
	}
	return errors.New("the broker says nothing about a commit")
}

// fenced reports whether an error says that a partition has, or may have, another owner by now.
func fenced(err error) bool {
	return errors.Is(err, kerr.IllegalGeneration) || errors.Is(err, kerr.UnknownMemberID) || errors.Is(err, kerr.FencedInstanceID) ||
		errors.Is(err, kerr.StaleMemberEpoch)
}
