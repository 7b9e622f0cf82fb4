package kafka

import (
	"context"
	"fmt"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// Outbox sends what is said about records to other topics. It is safe for concurrent use.
type Outbox struct {
	client *kgo.Client

	mu  sync.Mutex
	err error // of the first record that could not be delivered since the last Flush
}

// OpenOutbox returns an outbox for topics of the cluster of an address.
func OpenOutbox(a Address, security Security) (*Outbox, error) {
	options, err := security.Options()
	if err != nil {
		return nil, err
	}
	client, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(a.Brokers...),
		kgo.AllowAutoTopicCreation(),
	}, options...)...)
	return &Outbox{client: client}, err
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

// Flush waits until all that was put has arrived. After an error not all of it has.
func (o *Outbox) Flush(ctx context.Context) error {
	if err := o.client.Flush(ctx); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.err
	o.err = nil
	return err
}

// Close gives up what is still on its way.
func (o *Outbox) Close() { o.client.Close() }
