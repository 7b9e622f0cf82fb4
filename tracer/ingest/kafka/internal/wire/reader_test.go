package wire

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	kafka "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// sender returns a client of another library that sends to the topic.
func sender(t testing.TB, brokers *kfake.Cluster, options ...kgo.Opt) *kgo.Client {
	t.Helper()
	client, err := kgo.NewClient(append(options, kgo.SeedBrokers(brokers.ListenAddrs()...),
		kgo.DefaultProduceTopic(topic),
		kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.MetadataMinAge(50*time.Millisecond),
		kgo.ProducerLinger(0))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func send(t testing.TB, client *kgo.Client, partition int32, value string) {
	t.Helper()
	if err := client.ProduceSync(t.Context(),
		&kgo.Record{Partition: partition, Value: []byte(value)}).FirstErr(); err != nil {
		t.Fatal(err)
	}
}

// reader returns a reader of partitions, each from an offset on.
func reader(t testing.TB, c *Cluster, config ReaderConfig, from map[int32]int64) *Reader {
	t.Helper()
	config.Topic, config.ID = topic, ask(t, c).ID
	if config.Limit == 0 {
		config.Limit = 1 << 20
	}
	r := c.NewReader(config)
	t.Cleanup(r.Close)
	r.Set(from)
	return r
}

// values polls until so many records have come, and returns their values.
func values(t testing.TB, r *Reader, n int) (got []string) {
	t.Helper()
	for len(got) < n {
		batches, err := r.Poll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range batches {
			if b.Err != nil {
				t.Fatal(b.Err)
			}
			for _, record := range b.Records {
				got = append(got, string(record.Value))
			}
		}
	}
	return got
}

// Every record is read once and in its order, while leaders change. That a partition is between two
// leaders for long may be reported.
func TestReadWhileLeadersChange(t *testing.T) {
	t.Parallel()
	const partitions, each = 6, 300
	brokers, c := fake(t, partitions, kfake.NumBrokers(3))
	client := sender(t, brokers)
	from := map[int32]int64{}
	for p := range int32(partitions) {
		from[p] = 0
		go func() {
			for i := range each {
				r := &kgo.Record{Partition: p, Value: []byte(strconv.Itoa(i))}
				client.Produce(t.Context(), r, nil)
				if i%20 == 0 {
					_ = client.Flush(t.Context())
					time.Sleep(10 * time.Millisecond)
				}
			}
		}()
	}
	r := reader(t, c, ReaderConfig{Lost: AtStart}, from)
	next := map[int32]int{}
	move := time.NewTicker(100 * time.Millisecond)
	defer move.Stop()
	for read := 0; read < partitions*each; {
		select {
		case <-move.C:
			if err := brokers.MoveTopicPartition(topic, rand.Int32N(partitions), rand.Int32N(3)); err != nil {
				t.Fatal(err)
			}
		default:
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		batches, _ := r.Poll(ctx)
		cancel()
		for _, b := range batches {
			if b.Err != nil && !isTransient(b.Err) {
				t.Fatal(b.Err)
			}
			for _, record := range b.Records {
				if string(record.Value) != strconv.Itoa(next[b.Partition]) {
					t.Fatalf("partition %d: %s, not %d", b.Partition, record.Value, next[b.Partition])
				}
				next[b.Partition]++
				read++
			}
		}
	}
}

// next returns where a partition goes on.
func (r *Reader) next(partition int32) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cursors[partition].next
}

// Of what was set before, nothing comes behind Set, nor of what was dropped, or is paused.
func TestSet(t *testing.T) {
	t.Parallel()
	brokers, c := fake(t, 2)
	client := sender(t, brokers)
	for i := range 9 {
		send(t, client, 0, strconv.Itoa(i))
	}
	r := reader(t, c, ReaderConfig{}, map[int32]int64{0: 0})
	time.Sleep(20 * time.Millisecond) // something may have come
	r.Set(map[int32]int64{0: 7})
	if got := values(t, r, 2); fmt.Sprint(got) != "[7 8]" {
		t.Error(got)
	}
	r.Drop(0)
	r.Set(map[int32]int64{0: 8})
	for r.next(0) < 9 { // then an answer waits for Poll, until behind what comes now
		time.Sleep(time.Millisecond)
	}
	r.Drop(0)
	r.Set(map[int32]int64{0: AtStart, 1: AtEnd})
	if got := values(t, r, 9); got[0] != "0" {
		t.Error(got)
	}
	r.Drop(0)
	send(t, client, 0, "dropped")
	r.Pause(1, true)
	time.Sleep(2 * fetchWait) // a request that is under way ends
	send(t, client, 1, "paused")
	ctx, cancel := context.WithTimeout(t.Context(), 2*fetchWait)
	defer cancel()
	if got, err := r.Poll(ctx); err == nil && len(got) > 0 {
		t.Errorf("%+v", got)
	}
	r.Pause(1, false)
	if got := values(t, r, 1); fmt.Sprint(got) != "[paused]" {
		t.Error(got)
	}
	if heard := r.Heard(1); time.Since(heard) > time.Minute {
		t.Errorf("heard of at %v", heard)
	}
	if heard := r.Heard(0); !heard.IsZero() {
		t.Errorf("heard of what was dropped at %v", heard)
	}
	r.Close()
	if _, err := r.Poll(t.Context()); err == nil {
		t.Error("it reads behind Close")
	}
}

// A batch that exceeds the decompression limit is reported, and skipped.
func TestReadBehindTooLarge(t *testing.T) {
	t.Parallel()
	brokers, c := fake(t, 1)
	client := sender(t, brokers, kgo.ProducerBatchCompression(kgo.ZstdCompression()), kgo.ProducerBatchMaxBytes(8<<20))
	send(t, client, 0, "before")
	send(t, client, 0, string(make([]byte, 4<<20)))
	send(t, client, 0, "behind")
	r := reader(t, c, ReaderConfig{}, map[int32]int64{0: 0})
	var said []string
	for len(said) < 3 {
		batches, err := r.Poll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range batches {
			for _, record := range b.Records {
				said = append(said, string(record.Value))
			}
			var skipped *BatchError
			if errors.As(b.Err, &skipped) {
				said = append(said, fmt.Sprint(skipped.TooLarge, skipped.First, skipped.Last, b.Next))
			}
		}
	}
	if fmt.Sprint(said) != "[before true 1 1 2 behind]" {
		t.Error(said)
	}
}

// When the records of an offset are gone, reading goes on where that is wanted; a partition that is
// added is read from its start.
func TestGoneAndAdded(t *testing.T) {
	t.Parallel()
	brokers, c := fake(t, 1)
	client := sender(t, brokers)
	for i := range 5 {
		send(t, client, 0, strconv.Itoa(i))
	}
	leader := ask(t, c).Leaders[0].Broker
	if err := c.DeleteRecords(t.Context(), leader, topic, map[int32]int64{0: 3}); err != nil {
		t.Fatal(err)
	}
	r := reader(t, c, ReaderConfig{Lost: AtStart, Added: true}, map[int32]int64{0: 1})
	if got := values(t, r, 2); fmt.Sprint(got) != "[3 4]" {
		t.Error(got)
	}
	end := reader(t, c, ReaderConfig{Lost: AtEnd}, map[int32]int64{0: 1})
	for end.next(0) != 5 {
		time.Sleep(time.Millisecond)
	}
	send(t, client, 0, "5")
	if got := values(t, end, 1); fmt.Sprint(got) != "[5]" {
		t.Error(got)
	}
	values(t, r, 1)
	made, err := (&kafka.Client{Addr: kafka.TCP(c.config.Brokers...)}).CreatePartitions(t.Context(),
		&kafka.CreatePartitionsRequest{Topics: []kafka.TopicPartitionsConfig{{Name: topic, Count: 2}}})
	if err != nil || made.Errors[topic] != nil {
		t.Fatal(err, made.Errors)
	}
	poke(r.unknown) // before its time
	added := sender(t, brokers)
	send(t, added, 1, "added")
	if got := values(t, r, 1); fmt.Sprint(got) != "[added]" {
		t.Error(got)
	}
}

// A partition whose offsets a broker omits, or answers uselessly, does not keep others from being
// read, and is asked for only now and then.
func TestOffsetsOmitted(t *testing.T) {
	t.Parallel()
	for name, offset := range map[string]int64{"left out": -3, "before the start": -1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			brokers, c := fake(t, 2)
			send(t, sender(t, brokers), 0, "x")
			var asked atomic.Int64
			brokers.ControlKey(int16(kmsg.ListOffsets), func(r kmsg.Request) (kmsg.Response, error, bool) {
				brokers.KeepControl()
				asked.Add(1)
				resp := r.ResponseKind().(*kmsg.ListOffsetsResponse)
				if offset != -3 {
					p := kmsg.NewListOffsetsResponseTopicPartition()
					p.Partition, p.Offset = 1, offset
					resp.Topics = []kmsg.ListOffsetsResponseTopic{{Topic: topic,
						Partitions: []kmsg.ListOffsetsResponseTopicPartition{p}}}
				}
				return resp, nil, true
			})
			start := time.Now()
			r := reader(t, c, ReaderConfig{Lost: AtStart}, map[int32]int64{0: 0, 1: AtStart})
			if got := values(t, r, 1); got[0] != "x" {
				t.Error(got)
			}
			for asked.Load() < 3 {
				time.Sleep(time.Millisecond)
			}
			if n := asked.Load(); n > 1+int64(time.Since(start)/again) {
				t.Errorf("%d requests in %v", n, time.Since(start))
			}
		})
	}
}

// Errors of whole answers, and of offsets, are reported when they do not pass, and reading
// continues when they have.
func TestErrorsAreTold(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]int16{"fetch": int16(kmsg.Fetch), "offsets": int16(kmsg.ListOffsets)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			brokers, c := fake(t, 1)
			send(t, sender(t, brokers), 0, "x")
			var well atomic.Bool
			brokers.ControlKey(key, func(r kmsg.Request) (kmsg.Response, error, bool) {
				brokers.KeepControl()
				return refusal(r), nil, !well.Load()
			})
			r := reader(t, c, ReaderConfig{Lost: AtStart}, map[int32]int64{0: AtStart})
			batches, err := r.Poll(t.Context())
			if err != nil || len(batches) != 1 || batches[0].Partition != 0 ||
				!errors.Is(batches[0].Err, kafka.Unknown) || len(batches[0].Records) > 0 {
				t.Fatalf("%+v, error %v", batches, err)
			}
			well.Store(true)
			for len(batches[0].Records) == 0 {
				if batches, err = r.Poll(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// refusal says that a broker has an error that it has no number for.
func refusal(r kmsg.Request) kmsg.Response {
	resp, code := r.ResponseKind(), int16(kafka.Unknown)
	switch resp := resp.(type) {
	case *kmsg.FetchResponse:
		resp.ErrorCode = code
	case *kmsg.ListOffsetsResponse:
		p := kmsg.NewListOffsetsResponseTopicPartition()
		p.ErrorCode = code
		resp.Topics = []kmsg.ListOffsetsResponseTopic{{Topic: topic,
			Partitions: []kmsg.ListOffsetsResponseTopicPartition{p}}}
	}
	return resp
}
