package otlp

import (
	"fmt"
	"testing"
	"time"

	"github.com/antichain-go/antichain/tracer/event"
)

// A message of the collector, as its batch processor makes them: spans of several traces and
// services. In each trace a request calls others one after the other, which call others.
const (
	batchTraces = 10
	traceSpans  = 10
)

func batch() []Span {
	var sources []*Source
	for i := range 3 {
		sources = append(sources, NewSource([]event.Binding{
			{Name: "service.name", Value: event.StringValue(fmt.Sprint("service-", i))},
			{Name: "service.instance.id", Value: event.StringValue(fmt.Sprint("627cc493-f310-47de-96bd-71410b7dec0",
				i))},
			{Name: "host.name", Value: event.StringValue("host-1")},
		}, nil, "go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp", "0.60.0"))
	}
	var spans []Span
	for trace := range byte(batchTraces) {
		for i := range byte(traceSpans) {
			start := 1_700_000_000_000_000_000 + 1000*uint64(i)
			s := Span{
				Trace: TraceID{1, trace}, ID: SpanID{1, i}, Name: "GET /items", Kind: Kind(2 + i%2), Start: start,
				End: start + 500, Source: sources[i%3],
				Attributes: []event.Binding{
					{Name: "http.request.method", Value: event.StringValue("GET")},
					{Name: "http.route", Value: event.StringValue("/items/{id}")},
					{Name: "http.response.status_code", Value: event.IntValue(200)},
				},
			}
			if i > 0 {
				s.Parent = SpanID{1, (i - 1) / 3}
			}
			if i%5 == 0 {
				s.End = start + 1000*traceSpans
				s.Moments = []Moment{{Time: start + 1, Name: "cache miss"}}
			}
			spans = append(spans, s)
		}
	}
	return spans
}

func BenchmarkDecode(b *testing.B) {
	spans := batch()
	for _, bb := range []struct {
		name    string
		payload []byte
		json    bool
	}{{"proto", Encode(spans), false}, {"json", encodeJSON(b, spans), true}} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bb.payload)))
			for b.Loop() {
				if _, err := Decode(bb.payload, bb.json); err != nil {
					b.Fatal(err)
				}
			}
			perSpan(b)
		})
	}
}

// BenchmarkRuns is the way from a message to the events of its runs.
func BenchmarkRuns(b *testing.B) {
	payload := Encode(batch())
	for _, bb := range []struct {
		name    string
		options Options
	}{{"parents", Options{}}, {"sync", Options{Sync: true}}, {"skew", Options{Skew: new(time.Microsecond)}}} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				spans, err := Decode(payload, false)
				if err != nil {
					b.Fatal(err)
				}
				if n := readAll(b, spans, bb.options); n < batchTraces*traceSpans*4 {
					b.Fatalf("%d events", n)
				}
			}
			perSpan(b)
		})
	}
}

// readAll builds the runs of the traces, and reads their events.
func readAll(b *testing.B, spans []Span, o Options) (events int) {
	traces := make(map[TraceID][]Span)
	for i := range spans {
		traces[spans[i].Trace] = append(traces[spans[i].Trace], spans[i])
	}
	var e event.Event
	for _, spans := range traces {
		r, err := Build(spans, o)
		if err != nil {
			b.Fatal(err)
		}
		for r.Next(&e) == nil {
			events++
		}
	}
	return events
}

func perSpan(b *testing.B) {
	b.ReportMetric(float64(b.N)*batchTraces*traceSpans/b.Elapsed().Seconds(), "spans/s")
}

// BenchmarkSnapshot saves, and reads, the spans of a trace.
func BenchmarkSnapshot(b *testing.B) {
	var one []Span
	for _, s := range batch() {
		if s.Trace == (TraceID{1}) {
			one = append(one, s)
		}
	}
	data := saved(one)
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			saved(one)
		}
		b.ReportMetric(float64(len(data)), "bytes")
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := restored(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
