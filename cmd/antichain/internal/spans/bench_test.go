package spans_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/spans"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// spanMessages are messages of 100 spans, 10 of each trace, as the batch processor of the collector
// makes them.
func spanMessages(messages int) (all []*record.Record) {
	service := otlp.NewSource([]event.Binding{
		{Name: "service.name", Value: event.StringValue("service-1")},
		{Name: "host.name", Value: event.StringValue("host-1")},
	}, nil, "go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp", "0.60.0")
	for m := range messages {
		var spans []otlp.Span
		for i := range 100 {
			s := otlp.Span{
				Trace: otlp.TraceID{1, byte(m >> 8), byte(m), byte(i / 10)}, ID: otlp.SpanID{1, byte(i % 10)},
				Name: "GET /items", Kind: otlp.Server,
				Start: uint64(1000 + 10*i), End: uint64(1005 + 10*i), Source: service,
				Attributes: []event.Binding{
					{Name: "http.request.method", Value: event.StringValue("GET")},
					{Name: "http.route", Value: event.StringValue("/items/{id}")},
					{Name: "http.response.status_code", Value: event.IntValue(200)},
				},
			}
			if i%10 > 0 {
				s.Parent = otlp.SpanID{1, byte(i%10-1) / 3}
			}
			spans = append(spans, s)
		}
		all = append(all, &record.Record{Value: otlp.Encode(spans), At: fmt.Sprint("spans#", m)})
	}
	return all
}

// BenchmarkSpans measures a monitor of messages of spans, and the share of decoding.
func BenchmarkSpans(b *testing.B) {
	const messages = 300
	all := spanMessages(messages)
	perSpan := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(100*messages), "ns/span")
	}
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			for _, rec := range all {
				if _, err := otlp.Decode(rec.Value, false); err != nil {
					b.Fatal(err)
				}
			}
		}
		perSpan(b)
	})
	b.Run("check", func(b *testing.B) {
		c := config(b, `t:(otel.status_code != "ERROR")`)
		for b.Loop() {
			verdicts := endReporter{table{}, b}
			traces := spans.New(c, otlp.Options{}, verdicts)
			for _, rec := range all {
				traces.Take(rec, time.Time{})
			}
			traces.Close("")
			if verdicts.table["p0"] != "holds" || traces.Stats().Ended != 10*messages {
				b.Fatal(verdicts.table, traces.Stats())
			}
		}
		perSpan(b)
	})
}
