package kafka

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// Outbox sends what is said about records to other topics. It is safe for concurrent use.
type Outbox struct {
	client *kgo.Client

	mu  sync.Mutex
	err error // of the first record that could not be delivered; it stays, since each partition has to hear of it
}

// OpenOutbox returns an outbox for topics of the cluster of an address. Those that are missing are made, as the brokers
// make topics of which nothing is known.
func OpenOutbox(ctx context.Context, a Address, security Security, log zerolog.Logger, topics ...string) (*Outbox, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	options, contact, err := security.connection(a, end)
	if err != nil {
		return nil, err
	}
	client, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(a.Brokers...)}, options...)...)
	if err != nil {
		return nil, err
	}
	if err = contact.meet(ctx, client, firstContact); err == nil {
		err = contact.insist(ctx, func() error { return provide(ctx, kadm.NewClient(client), log, topics) })
	}
	if err != nil {
		client.Close()
		return nil, err
	}
	return &Outbox{client: client}, nil
}

// provide makes topics that are missing.
func provide(ctx context.Context, admin *kadm.Client, log zerolog.Logger, topics []string) error {
	there, err := admin.ListTopics(ctx, topics...)
	if err != nil {
		return err
	}
	for _, topic := range topics {
		err := there[topic].Err
		if errors.Is(err, kerr.UnknownTopicOrPartition) {
			log.Info().Str("topic", topic).Msg("making a topic that is missing")
			_, err = admin.CreateTopic(ctx, -1, -1, nil, topic)
		}
		if err != nil && !errors.Is(err, kerr.TopicAlreadyExists) {
			return fmt.Errorf("topic %s: %w", topic, err)
		}
	}
	return nil
}

// Put sends a record, which is on its way when it returns. It waits if very many are.
func (o *Outbox) Put(topic, key string, value []byte, headers []record.Header) {
	r := &kgo.Record{Topic: topic, Key: []byte(key), Value: value}
	for _, h := range headers {
		r.Headers = append(r.Headers, kgo.RecordHeader{Key: h.Key, Value: h.Value})
	}
	o.client.Produce(context.Background(), r, func(r *kgo.Record, err error) {
		if err == nil {
			return
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = fmt.Errorf("topic %s: %w", r.Topic, err)
		}
	})
}

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
func (o *Outbox) Close() { o.client.Close() }
