package kafka

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

// BenchmarkRecordOf is what each record takes before it is read.
func BenchmarkRecordOf(b *testing.B) {
	r := &kgo.Record{Topic: topic, Partition: 11, Offset: 1_234_567, Key: []byte("run-12-345"), Value: []byte("{}"), Headers: []kgo.RecordHeader{
		{Key: "antichain-source", Value: []byte("server-7")}, {Key: "antichain-seq", Value: []byte("1234")},
	}}
	b.ReportAllocs()
	for b.Loop() {
		if rec := recordOf(r); rec.Bad != nil || rec.Seq != 1234 {
			b.Fatal(rec)
		}
	}
}
