package wire

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// BenchmarkWriter writes to eight partitions of a broker in this process, which forgets the
// records, and compares with another library.
func BenchmarkWriter(b *testing.B) {
	for _, size := range []int{100, 6000} {
		values := benchValues(size)
		for _, way := range []struct {
			name string
			put  func(b *testing.B, brokers *kfake.Cluster, c *Cluster, values [][]byte)
		}{{"ours", putOurs}, {"franz-go", putTheirs}} {
			b.Run(fmt.Sprintf("bytes=%d/%s", size, way.name), func(b *testing.B) {
				brokers, c := fake(b, benchPartitions, kfake.BlackholeProduce())
				b.ReportAllocs()
				start := time.Now()
				way.put(b, brokers, c, values)
				b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "records/s")
			})
		}
	}
}

const benchPartitions = 8

// benchValues returns values that look like traces, and compress as well.
func benchValues(size int) (values [][]byte) {
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("task main enter exit critical worker send receive channel lock unlock after before " +
		"main.go:12 server.go:118 value state buffer")
	for range 512 {
		var v []byte
		for len(v) < size {
			v = fmt.Appendf(v, "%s %d,", words[random.IntN(len(words))], random.IntN(100000))
		}
		values = append(values, v[:size])
	}
	return values
}

// room keeps both from having more than 32 MiB waiting, as a producer does.
type room struct {
	mu    sync.Mutex
	freed sync.Cond
	bytes int
}

func newRoom() *room {
	r := &room{bytes: 32 << 20}
	r.freed.L = &r.mu
	return r
}

func (r *room) take(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.bytes < n {
		r.freed.Wait()
	}
	r.bytes -= n
}

func (r *room) give(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bytes += n
	r.freed.Broadcast()
}

func putOurs(b *testing.B, _ *kfake.Cluster, c *Cluster, values [][]byte) {
	ask(b, c)
	w := c.NewWriter(1_000_000, topic)
	defer w.Close()
	if err := w.Refresh(b.Context()); err != nil {
		b.Fatal(err)
	}
	space := newRoom()
	for i := range b.N {
		v := values[i%len(values)]
		space.take(len(v) + 300)
		r := Record{Time: time.Now().UnixMilli(), Key: []byte("run-1"), Value: v,
			Headers: []Header{{"seq", []byte("12345")}}}
		w.Put(TopicPartition{topic, int32(i % benchPartitions)}, r, func(err error) {
			space.give(len(v) + 300)
			if err != nil {
				b.Error(err)
			}
		})
	}
	if err := w.Flush(context.Background()); err != nil {
		b.Error(err)
	}
}

func putTheirs(b *testing.B, brokers *kfake.Cluster, _ *Cluster, values [][]byte) {
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers.ListenAddrs()...), kgo.DefaultProduceTopic(topic),
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(kgo.ZstdCompression()), kgo.MaxBufferedRecords(1<<30))
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	space := newRoom()
	for i := range b.N {
		v := values[i%len(values)]
		space.take(len(v) + 300)
		r := &kgo.Record{Partition: int32(i % benchPartitions), Key: []byte("run-1"), Value: v,
			Headers: []kgo.RecordHeader{{Key: "seq", Value: []byte("12345")}}}
		client.Produce(context.Background(), r, func(_ *kgo.Record, err error) {
			space.give(len(v) + 300)
			if err != nil {
				b.Error(err)
			}
		})
	}
	if err := client.Flush(context.Background()); err != nil {
		b.Error(err)
	}
}
