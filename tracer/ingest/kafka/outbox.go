package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// Outbox sends what is said about records to other topics. It is safe for concurrent use.
type Outbox struct {
	client *kgo.Client
	ctx    context.Context // ends when nothing more is sent
	end    context.CancelFunc

	mu  sync.Mutex
	err error // of the first record that could not be delivered; it stays, since each partition has to hear of it
}

// outboxBytes is how much waits for brokers in an outbox. A record may have a MiB, so that their number is not enough of a limit.
const outboxBytes = 64 << 20

// OpenOutbox returns an outbox for topics of the cluster of an address. Those that are missing are made, as the brokers
// make topics of which nothing is known. What has not arrived some time after the context has ended is given up; 0 is
// 10 seconds.
func OpenOutbox(ctx context.Context, a Address, security Security, grace time.Duration, log zerolog.Logger, topics ...string) (*Outbox, error) {
	opening, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	options, contact, err := security.connection(a, stop)
	if err != nil {
		return nil, err
	}
	client, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(a.Brokers...), kgo.MaxBufferedBytes(outboxBytes)}, options...)...)
	if err != nil {
		return nil, err
	}
	if err = contact.meet(opening, client, contact.patience()); err == nil {
		err = insist(opening, func() error { return provide(opening, kadm.NewClient(client), log, topics) })
	}
	if err != nil {
		client.Close()
		return nil, err
	}
	o := &Outbox{client: client}
	o.ctx, o.end = context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(cmp.Or(grace, defaultGrace), o.end) })
	return o, nil
}

// provide makes topics that are missing.
func provide(ctx context.Context, admin *kadm.Client, log zerolog.Logger, topics []string) error {
	for _, topic := range topics {
		_, err := lookUp(ctx, admin, topic)
		if errors.Is(err, kerr.UnknownTopicOrPartition) {
			log.Info().Str("topic", topic).Msg("making a topic that is missing")
			if _, err = admin.CreateTopic(ctx, -1, -1, nil, topic); err != nil {
				err = fmt.Errorf("making %w", about(topic, err))
			}
		}
		if err != nil && !errors.Is(err, kerr.TopicAlreadyExists) {
			return err
		}
	}
	return nil
}

// lookUp asks for a topic. One at a time: of several, brokers would not say which one is not allowed.
func lookUp(ctx context.Context, admin *kadm.Client, topic string) (kadm.TopicDetail, error) {
	topics, err := admin.ListTopics(ctx, topic)
	if err = cmp.Or(err, topics[topic].Err); err != nil {
		return kadm.TopicDetail{}, about(topic, err)
	}
	return topics[topic], nil
}

// Put sends a record, which is on its way when it returns. It waits if very many are, or very large ones. Without a key it may go to any
// partition.
func (o *Outbox) Put(topic, key string, value []byte, headers []record.Header) {
	r := &kgo.Record{Topic: topic, Value: value}
	if key != "" {
		r.Key = []byte(key)
	}
	for _, h := range headers {
		r.Headers = append(r.Headers, kgo.RecordHeader{Key: h.Key, Value: h.Value})
	}
	o.client.Produce(o.ctx, r, func(r *kgo.Record, err error) {
		if err == nil {
			return
		}
		if o.ctx.Err() != nil {
			err = errGivenUp
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = about(r.Topic, err)
		}
	})
}

// errGivenUp says that brokers have not taken a record before the time was up.
var errGivenUp = errors.New("records have not arrived in time")

// Flush waits until all that was put has arrived. After an error not all of it has, and all further calls return it.
func (o *Outbox) Flush(ctx context.Context) error {
	if err := o.client.Flush(ctx); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// Close gives up what is still on its way.
func (o *Outbox) Close() {
	o.end()
	o.client.Close()
}
