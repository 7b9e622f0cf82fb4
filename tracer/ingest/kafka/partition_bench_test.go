package kafka

import (
	"testing"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// BenchmarkRecordIn is what each record takes before it is read.
func BenchmarkRecordIn(b *testing.B) {
	r := &wire.Record{Offset: 1_234_567, Key: []byte("run-12-345"), Value: []byte("{}"), Headers: []wire.Header{
		{Key: "antichain-source", Value: []byte("server-7")}, {Key: "antichain-seq", Value: []byte("1234")},
	}}
	b.ReportAllocs()
	for b.Loop() {
		if rec := recordIn(topic, 11, "server-7", r); rec.Bad != nil || rec.Seq != 1234 {
			b.Fatal(rec)
		}
	}
}
