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

// Outbox sends what is said about records to other topics. It is safe for concurrent use.
type Outbox struct {
	cluster *wire.Cluster
	writer  *wire.Writer
	ctx     context.Context // ends when nothing more is sent
	end     context.CancelFunc

	mu      sync.Mutex
	changed sync.Cond                     // of what follows
	records int                           // that wait for brokers
	bytes   int                           // of these
	keyless map[string]*randomPartitioner // by topic
	err     error                         // of the first record that could not be delivered; it stays, since each partition has to hear of it
}

// outboxRecords and outboxBytes are how much waits for brokers in an outbox. A record may have a MiB, so that their number is not enough of a limit.
const (
	outboxRecords = 10_000
	outboxBytes   = 64 << 20
)

// OpenOutbox returns an outbox for topics of the cluster of an address. Those that are missing are made, as the brokers
// make topics of which nothing is known. What has not arrived some time after the context has ended is given up; 0 is
// 10 seconds.
func OpenOutbox(ctx context.Context, a Address, security Security, grace time.Duration, log zerolog.Logger, topics ...string) (*Outbox, error) {
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
	if err = contact.meet(opening, cluster, contact.patience()); err == nil {
		err = insist(opening, func() error { return provide(opening, cluster, log, topics) })
	}
	if err == nil {
		err = insist(opening, func() error { return settle(opening, func() error { return learn(opening, o.writer, all...) }) })
	}
	if err != nil {
		o.Close()
		return nil, err
	}
	context.AfterFunc(ctx, func() { time.AfterFunc(cmp.Or(grace, defaultGrace), o.end) })
	return o, nil
}

// refuse gives up since brokers have refused what no retry mends. Flush says why.
func (o *Outbox) refuse(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.err = cmp.Or(o.err, err)
	o.end()
}

// provide makes topics that are missing.
func provide(ctx context.Context, cluster *wire.Cluster, log zerolog.Logger, topics []string) error {
	for _, topic := range topics {
		_, err := find(ctx, cluster, topic)
		if is(err, client.UnknownTopicOrPartition) {
			log.Info().Str("topic", topic).Msg("making a topic that is missing")
			err = makeTopic(ctx, cluster, topic)
		}
		if err != nil && !is(err, client.TopicAlreadyExists) {
			return err
		}
	}
	return nil
}

// makeTopic makes a topic as the brokers make those of which nothing is known.
func makeTopic(ctx context.Context, cluster *wire.Cluster, topic string) error {
	if err := cluster.CreateTopic(ctx, &wire.NewTopic{Name: topic, Partitions: -1}); err != nil {
		return fmt.Errorf("making %w", about(topic, err))
	}
	return nil
}

// learn asks for the partitions of topics. Those of a topic that was just made may not be known yet.
func learn(ctx context.Context, w *wire.Writer, topics ...string) error {
	if err := w.Refresh(ctx); err != nil {
		return err
	}
	for _, topic := range topics {
		if len(w.Partitions(topic)) == 0 {
			return about(topic, client.LeaderNotAvailable)
		}
	}
	return nil
}

// Put sends a record, which is on its way when it returns. It waits if very many are, or very large ones. Without a key it may go to any
// partition.
func (o *Outbox) Put(topic, key string, value []byte, headers []record.Header) {
	r := wire.Record{Time: time.Now().UnixMilli(), Value: value, Headers: headersOf(headers)}
	if key != "" {
		r.Key = []byte(key)
	}
	size := wire.MaxSize(&r)
	to := wire.Target{Topic: topic, Partition: o.reserve(topic, key, size)}
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

// done is told what has become of a record.
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
		o.err = about(topic, err)
	}
}

// errGivenUp says that brokers have not taken a record before the time was up.
var errGivenUp = errors.New("records have not arrived in time")

// Flush waits until all that was put has arrived. After an error not all of it has, and all further calls return it.
func (o *Outbox) Flush(ctx context.Context) error {
	if err := o.writer.Flush(ctx); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// Close gives up what is still on its way.
func (o *Outbox) Close() {
	o.end()
	o.disconnect()
}

func (o *Outbox) disconnect() {
	o.writer.Close()
	o.cluster.Close()
}
