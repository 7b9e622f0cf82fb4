package wire

import (
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// benchLog is a MiB or so of records such as those of traces.
func benchLog(b *testing.B, codec, size int) *testLog {
	l := &testLog{}
	value := make([]byte, 0, size)
	for i := 0; len(value) < size; i++ {
		value = fmt.Appendf(value, "task main.%d enter worker main.go:%d, ", i%7, i*31%997)
	}
	per := max(1, (64<<10)/size)
	for len(l.bytes) < 1<<20 && l.next < 20_000 {
		var records []kmsg.Record
		for i := range per {
			records = append(records, kmsg.Record{
				OffsetDelta: int32(i), TimestampDelta64: int64(i), Key: []byte("run-1"), Value: value[:size],
				Headers: []kmsg.Header{{Key: "source", Value: []byte("a")}, {Key: "seq", Value: []byte("12345")}},
			})
		}
		l.batch(b, kmsg.RecordBatch{}, codec, records, 0)
	}
	return l
}

// BenchmarkDecode compares with another library; its records are those of the same batches.
func BenchmarkDecode(b *testing.B) {
	for _, size := range []int{100, 6000} {
		for codec, name := range []string{"none", "gzip", "snappy", "lz4", "zstd"} {
			l := benchLog(b, codec, size)
			b.Run(fmt.Sprintf("%s-%d/own", name, size), func(b *testing.B) {
				d := NewDecoder(256 << 20)
				defer d.Close()
				for b.Loop() {
					d.Reset()
					if got, _, err := d.Decode(nil, l.partition(), 0); err != nil || int64(len(got)) != l.next {
						b.Fatal(len(got), err)
					}
				}
				b.ReportMetric(float64(l.next)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
			})
			b.Run(fmt.Sprintf("%s-%d/franz", name, size), func(b *testing.B) {
				d := kgo.DefaultDecompressor()
				for b.Loop() {
					answer := kmsg.FetchResponseTopicPartition{RecordBatches: l.bytes}
					got, _ := kgo.ProcessFetchPartition(kgo.ProcessFetchPartitionOpts{}, &answer, d, nil)
					if int64(len(got.Records)) != l.next {
						b.Fatal(len(got.Records), got.Err)
					}
				}
				b.ReportMetric(float64(l.next)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
			})
		}
	}
}

// BenchmarkEncode makes batches of 64 KiB.
func BenchmarkEncode(b *testing.B) {
	for _, size := range []int{100, 6000} {
		d := NewDecoder(64 << 20)
		records, _, err := d.Decode(nil, benchLog(b, 0, size).partition(), 0)
		if err != nil {
			b.Fatal(err)
		}
		records = records[:max(1, (64<<10)/size)]
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var out []byte
			for b.Loop() {
				out = AppendBatch(out[:0], records, NoProducer, 0, true)
			}
			b.ReportMetric(float64(len(records))*float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
