package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"
	client "github.com/segmentio/kafka-go"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// Outbox sends reports about records to other topics. It is safe for concurrent use.
type Outbox struct {
	cluster *wire.Cluster
	writer  *wire.Writer
	ctx     context.Context // ends when nothing more is sent
	end     context.CancelFunc

	mu      sync.Mutex
	changed sync.Cond                     // guards the fields below
	records int                           // waiting for brokers
	bytes   int                           // of these
	keyless map[string]*randomPartitioner // by topic
	// of the first record that could not be delivered; it stays, since each partition must receive
	// it
	err error
}

// outboxRecords and outboxBytes bound the records that wait for brokers. A record may have a MiB,
// so a bound on their number is not enough.
const (
	outboxRecords = 10_000
	outboxBytes   = 64 << 20
)

// OpenOutbox returns an outbox for topics of the cluster of an address. Missing topics are created
// with the brokers' defaults. Records that have not arrived some time after the context has ended
// are given up; 0 is 10 seconds.
func OpenOutbox(ctx context.Context, a Address, security Security, grace time.Duration, log zerolog.Logger,
	topics ...string) (*Outbox, error) {
	opening, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	o := &Outbox{keyless: map[string]*randomPartitioner{}}
	o.changed.L = &o.mu
	o.ctx, o.end = context.WithCancel(context.WithoutCancel(ctx))
	all := append([]string{a.Topic}, topics...)
	refuse := func(err error) {
		stop(err)
		o.refuse(err)
	}
	cluster, contact, err := security.cluster(a, newNetwork(zerolog.Nop()), refuse)
	if err != nil {
		o.end()
		return nil, err
	}
	o.cluster, o.writer = cluster, cluster.NewWriter(defaultBatch, all...)
	context.AfterFunc(o.ctx, o.disconnect)
	if err = contact.waitForTopic(opening, cluster, contact.patience()); err == nil {
		err = insist(opening, func() error { return provide(opening, cluster, log, topics) })
	}
	if err == nil {
		err = insist(opening, func() error {
			return settle(opening,
				func() error { return learn(opening, o.writer, all...) })
		})
	}
	if err != nil {
		o.Close()
		return nil, err
	}
	context.AfterFunc(ctx, func() { time.AfterFunc(cmp.Or(grace, defaultGrace), o.end) })
	return o, nil
}

// refuse gives up after a refusal that no retry can resolve. Flush returns the reason.
func (o *Outbox) refuse(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.err = cmp.Or(o.err, err)
	o.end()
}

// provide creates missing topics.
func provide(ctx context.Context, cluster *wire.Cluster, log zerolog.Logger, topics []string) error {
	for _, topic := range topics {
		_, err := find(ctx, cluster, topic)
		if wire.HasCode(err, client.UnknownTopicOrPartition) {
			log.Info().Str("topic", topic).Msg("making a topic that is missing")
			err = makeTopic(ctx, cluster, topic)
		}
		if err != nil && !wire.HasCode(err, client.TopicAlreadyExists) {
			return err
		}
	}
	return nil
}

// makeTopic creates a topic with the brokers' defaults.
func makeTopic(ctx context.Context, cluster *wire.Cluster, topic string) error {
	if err := cluster.CreateTopic(ctx, &wire.NewTopic{Name: topic, Partitions: -1}); err != nil {
		return fmt.Errorf("making %w", withTopic(topic, err))
	}
	return nil
}

// learn requests the partitions of topics. Those of a new topic may not be known yet.
func learn(ctx context.Context, w *wire.Writer, topics ...string) error {
	if err := w.Refresh(ctx); err != nil {
		return err
	}
	for _, topic := range topics {
		if len(w.Partitions(topic)) == 0 {
			return withTopic(topic, client.LeaderNotAvailable)
		}
	}
	return nil
}

// Put sends a record, without waiting for its delivery. It waits if very many are in transit, or
// very large ones. A record without a key may go to any partition.
func (o *Outbox) Put(topic, key string, value []byte, headers []record.Header) {
	r := wire.Record{Time: time.Now().UnixMilli(), Value: value, Headers: headersOf(headers)}
	if key != "" {
		r.Key = []byte(key)
	}
	size := wire.MaxSize(&r)
	to := wire.TopicPartition{Topic: topic, Partition: o.reserve(topic, key, size)}
	o.writer.Put(to, r, func(err error) { o.done(topic, size, err) })
}

// reserve waits for room for a record, and returns its partition.
func (o *Outbox) reserve(topic, key string, size int) int32 {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.records > 0 && (o.records >= outboxRecords || o.bytes+size > outboxBytes) {
		o.changed.Wait()
	}
	o.records++
	o.bytes += size
	partitions := o.writer.Partitions(topic)
	if key != "" {
		return partitionOf(key, len(partitions))
	}
	random := o.keyless[topic]
	if random == nil {
		random = &randomPartitioner{}
		o.keyless[topic] = random
	}
	return random.of(size, partitions)
}

// done receives the fate of a record.
func (o *Outbox) done(topic string, size int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.records--
	o.bytes -= size
	o.changed.Broadcast()
	if err != nil && o.ctx.Err() != nil {
		err = errGivenUp
	}
	if err != nil && o.err == nil {
		o.err = withTopic(topic, err)
	}
}

// errGivenUp says that brokers have not taken a record in time.
var errGivenUp = errors.New("records have not arrived in time")

// Flush waits until all records so far have arrived. After an error not all have, and all further
// calls return it.
func (o *Outbox) Flush(ctx context.Context) error {
	if err := o.writer.Flush(ctx); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// Close gives up the records in transit.
func (o *Outbox) Close() {
	o.end()
	o.disconnect()
}

func (o *Outbox) disconnect() {
	o.writer.Close()
	o.cluster.Close()
}
