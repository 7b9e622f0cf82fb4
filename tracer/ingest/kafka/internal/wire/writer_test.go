package wire

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	kafka "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"
)

// TestWriterForOthers writes records of all kinds while leaders change, and reads them with another
// library.
func TestWriterForOthers(t *testing.T) {
	t.Parallel()
	const partitions = 3
	small := map[string]string{"max.message.bytes": "2000"} // the writer does not know that
	brokers, c := fake(t, partitions, kfake.NumBrokers(2))
	if err := brokers.CreateTopic("small", partitions, small); err != nil {
		t.Fatal(err)
	}
	put := map[TopicPartition][]*kgo.Record{}
	w := c.NewWriter(100_000, topic, "small")
	defer w.Close()
	var failed atomic.Pointer[error]
	rapid.Check(t, func(t *rapid.T) {
		for range rapid.IntRange(1, 30).Draw(t, "records") {
			to := TopicPartition{rapid.SampledFrom([]string{topic, "small"}).Draw(t, "topic"),
				rapid.Int32Range(0, partitions-1).Draw(t, "partition")}
			r := Record{Time: rapid.Int64Range(0, 1<<42).Draw(t, "time"), Key: nullable.Draw(t, "key"),
				Value: nullable.Draw(t, "value")}
			want := &kgo.Record{Offset: int64(len(put[to])), Timestamp: time.UnixMilli(r.Time), Key: r.Key,
				Value: r.Value}
			for range rapid.IntRange(0, 3).Draw(t, "headers") {
				h := Header{string(someBytes.Draw(t, "name")), nullable.Draw(t, "header")}
				r.Headers = append(r.Headers, h)
				want.Headers = append(want.Headers, kgo.RecordHeader{Key: h.Key, Value: h.Value})
			}
			put[to] = append(put[to], want)
			w.Put(to, r, func(err error) {
				if err != nil {
					failed.Store(&err)
				}
			})
		}
		if rapid.IntRange(0, 19).Draw(t, "move") == 0 {
			brokers.ShufflePartitionLeaders()
		}
	})
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if err := w.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if err := failed.Load(); err != nil {
		t.Fatal(*err)
	}
	for to, want := range put {
		client, err := kgo.NewClient(kgo.SeedBrokers(brokers.ListenAddrs()...),
			kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{to.Topic: {to.Partition: kgo.NewOffset().AtStart()}}))
		if err != nil {
			t.Fatal(err)
		}
		var got []Record
		for len(got) < len(want) {
			fetches := client.PollFetches(ctx)
			if err := fetches.Err(); err != nil {
				t.Fatal(err)
			}
			for r := range fetches.RecordsAll() {
				one := Record{Offset: r.Offset, Time: r.Timestamp.UnixMilli(), Key: r.Key, Value: r.Value}
				for _, h := range r.Headers {
					one.Headers = append(one.Headers, Header{h.Key, h.Value})
				}
				got = append(got, one)
			}
		}
		client.Close()
		same(t, got, want)
	}
}

// Over connections, too, a broker that does not answer keeps nothing from the partitions of another
// one.
func TestWriterHeldBroker(t *testing.T) {
	t.Parallel()
	brokers, c := fake(t, 2, kfake.NumBrokers(2))
	if err := errors.Join(brokers.MoveTopicPartition(topic, 0, 0),
		brokers.MoveTopicPartition(topic, 1, 1)); err != nil {
		t.Fatal(err)
	}
	held := make(chan struct{})
	defer close(held)
	brokers.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
		brokers.KeepControl()
		if brokers.CurrentNode() == 0 {
			brokers.SleepControl(func() { <-held })
		}
		return nil, nil, false
	})
	w := c.NewWriter(100_000, topic)
	const records = 100
	stuck, fine := make(chan error, records), make(chan error, records)
	for i := range records {
		r := Record{Value: fmt.Append(nil, i)}
		w.Put(TopicPartition{topic, 0}, r, func(err error) { stuck <- err })
		w.Put(TopicPartition{topic, 1}, r, func(err error) { fine <- err })
	}
	for range records {
		if err := <-fine; err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	if n := len(stuck); n != records {
		t.Errorf("%d records are lost, not %d", n, records)
	}
	w.Put(TopicPartition{topic, 1}, Record{}, func(err error) { fine <- err })
	if err := <-fine; err == nil || errors.As(err, new(kafka.Error)) {
		t.Errorf("behind the end: %v", err)
	}
}

// A batch that is larger than a segment of the topic may be is sent in parts. Only a record that is
// so large by itself is lost.
func TestSegmentSmallerThanBatch(t *testing.T) {
	t.Parallel()
	const segment, records = 64 << 10, 100
	brokers, c := fake(t, 1)
	held := make(chan struct{}) // until all are put, which are a batch then
	brokers.ControlKey(int16(kmsg.Produce), func(r kmsg.Request) (kmsg.Response, error, bool) {
		brokers.KeepControl()
		<-held
		asked := r.(*kmsg.ProduceRequest).Topics[0]
		if len(asked.Partitions[0].Records) <= segment { // as UnifiedLog.append does
			return nil, nil, false
		}
		p := kmsg.NewProduceResponseTopicPartition()
		p.ErrorCode = int16(kafka.RecordListTooLarge)
		resp := r.ResponseKind().(*kmsg.ProduceResponse)
		resp.Topics = []kmsg.ProduceResponseTopic{{Topic: asked.Topic,
			Partitions: []kmsg.ProduceResponseTopicPartition{p}}}
		return resp, nil, true
	})
	w := c.NewWriter(4<<20, topic)
	t.Cleanup(w.Close)
	if err := w.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	random := rand.NewChaCha8([32]byte{})
	put := func(size int) <-chan error {
		value, done := make([]byte, size), make(chan error, 1)
		_, _ = random.Read(value) // which nothing compresses
		w.Put(TopicPartition{topic, 0}, Record{Value: value}, func(err error) { done <- err })
		return done
	}
	var all []<-chan error
	for range records {
		all = append(all, put(20_000))
	}
	large := put(2 * segment)
	all = append(all, put(1))
	close(held)
	for i, done := range all {
		if err := <-done; err != nil {
			t.Errorf("record %d: %v", i, err)
		}
	}
	if err := <-large; !errors.Is(err, kafka.RecordListTooLarge) {
		t.Errorf("the record that is too large: %v", err)
	}
}
