package kafka

import (
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// BenchmarkSink sends one event at a time to a broker in this process, which forgets them.
func BenchmarkSink(b *testing.B) {
	for _, text := range []bool{true, false} {
		for _, events := range []int{1, 100, 1000} {
			form := "binary"
			if text {
				form = "text"
			}
			b.Run(fmt.Sprintf("form=%s/events=%d", form, events), func(b *testing.B) {
				c := newCluster(b, 12, kfake.BlackholeProduce())
				s, err := NewSink(b.Context(), c.address(), Security{}, "r", "a", header,
					Options{Records: record.Options{Text: text, Events: events}})
				if err != nil {
					b.Fatal(err)
				}
				e := step(0)
				b.ReportAllocs()
				start := time.Now()
				for b.Loop() {
					if err := s.Write(e); err != nil {
						b.Fatal(err)
					}
				}
				if err := s.End(record.EndRun); err != nil {
					b.Fatal(err)
				}
				// until brokers have all
				b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "events/s")
			})
		}
	}
}
