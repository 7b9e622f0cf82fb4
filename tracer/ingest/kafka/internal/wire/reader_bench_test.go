package wire

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// BenchmarkRead reads a topic of eight partitions, compressed by zstd, and compares with another
// library.
func BenchmarkRead(b *testing.B) {
	const partitions = 8
	for size, n := range map[int]int{100: 400_000, 6000: 24_000} {
		brokers, c := fake(b, partitions, kfake.NumBrokers(1))
		client := sender(b, brokers, kgo.ProducerBatchCompression(kgo.ZstdCompression()),
			kgo.MaxBufferedRecords(100_000))
		for i := range n {
			value := make([]byte, 0, size+40)
			for j := 0; len(value) < size; j++ {
				value = fmt.Appendf(value, "task main.%d enter worker main.go:%d, ", j%7, (i+j)*31%997)
			}
			client.Produce(b.Context(), &kgo.Record{
				Partition: int32(i % partitions), Key: []byte("run-1"), Value: value[:size],
				Headers: []kgo.RecordHeader{{Key: "source", Value: []byte("a")},
					{Key: "seq", Value: strconv.AppendInt(nil, int64(i), 10)}},
			}, nil)
		}
		if err := client.Flush(b.Context()); err != nil {
			b.Fatal(err)
		}
		rate := func(b *testing.B) {
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
		}
		b.Run(fmt.Sprint(size, "/own"), func(b *testing.B) {
			for b.Loop() {
				from := map[int32]int64{}
				for p := range int32(partitions) {
					from[p] = 0
				}
				r := c.NewReader(ReaderConfig{Topic: topic, ID: ask(b, c).ID, Limit: 64 << 20})
				r.Set(from)
				for got := 0; got < n; {
					batches, err := r.Poll(b.Context())
					if err != nil {
						b.Fatal(err)
					}
					for _, batch := range batches {
						got += len(batch.Records)
					}
				}
				r.Close()
			}
			rate(b)
		})
		b.Run(fmt.Sprint(size, "/franz"), func(b *testing.B) {
			for b.Loop() {
				client, err := kgo.NewClient(kgo.SeedBrokers(brokers.ListenAddrs()...), kgo.ConsumeTopics(topic),
					kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchIsolationLevel(kgo.ReadCommitted()))
				if err != nil {
					b.Fatal(err)
				}
				for got := 0; got < n; {
					got += client.PollFetches(b.Context()).NumRecords()
				}
				client.Close()
			}
			rate(b)
		})
	}
}
