//go:build unix

package main

import (
	"encoding/binary"
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
)

// A message has spans of several traces, as the batch processor of the collector makes them.
const (
	messageTraces = 10
	traceSpans    = 10
	messageSpans  = messageTraces * traceSpans
)

// spanProperty is what is checked on each trace.
const spanProperty = `t:(otel.status_code != "ERROR")`

var spanHead = table{"messages", "spans", "spans/s", "CPU s / M spans", "spans/s a core", "≥ 100000"}

// spanTable prints how many spans a second of processor time brings from messages of OpenTelemetry
// to verdicts.
func (s *streamBench) spanTable() error {
	messages := max(streamPartitions, s.events/messageSpans)
	var all loads
	for range s.count {
		took, err := s.work(func(of subject) (*party, error) {
			return s.monitors(of, 1, "-e", spanProperty, "--format", "otlp", "--late", "1s")
		}, messages*messageTraces, func(put func(*kgo.Record)) error {
			for i := range messages {
				put(&kgo.Record{Partition: int32(i % streamPartitions), Value: otlp.Encode(spansOf(i))})
			}
			return nil
		})
		if err != nil {
			return err
		}
		all = append(all, took.per(messages*messageSpans))
	}
	fmt.Printf("\nMessages otlp_proto of %d spans, %d of each trace, to a verdict on each trace: one monitor.\n\n", messageSpans, traceSpans)
	t := spanHead.start()
	perCore := 1e6 / all.cpu()
	t.add(fmt.Sprint(messages), fmt.Sprint(messages*messageSpans), number(all.rate()), number(all.cpu()), number(perCore), met(perCore >= 100_000))
	flush(t)
	return nil
}

// spanSources are the services.
var spanSources = func() (all []*otlp.Source) {
	for i := range 3 {
		all = append(all, otlp.NewSource([]event.Binding{
			{Name: "service.name", Value: event.StringValue(fmt.Sprint("service-", i))},
			{Name: "service.instance.id", Value: event.StringValue(fmt.Sprint("627cc493-f310-47de-96bd-71410b7dec0", i))},
			{Name: "host.name", Value: event.StringValue("host-1")},
		}, nil, "go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp", "0.60.0"))
	}
	return all
}()

// spansOf returns the spans of a message: in each trace a request calls others, which call others.
func spansOf(message int) (spans []otlp.Span) {
	for trace := range messageTraces {
		var id otlp.TraceID
		binary.BigEndian.PutUint64(id[:], uint64(message+1))
		id[15] = byte(trace)
		for i := range byte(traceSpans) {
			start := 1_700_000_000_000_000_000 + 1000*uint64(i)
			s := otlp.Span{
				Trace: id, ID: otlp.SpanID{1, i}, Name: "GET /items", Kind: otlp.Kind(2 + i%2), Start: start, End: start + 500, Source: spanSources[i%3],
				Attributes: []event.Binding{
					{Name: "http.request.method", Value: event.StringValue("GET")},
					{Name: "http.route", Value: event.StringValue("/items/{id}")},
					{Name: "http.response.status_code", Value: event.IntValue(200)},
				},
			}
			if i > 0 {
				s.Parent = otlp.SpanID{1, (i - 1) / 3}
			}
			spans = append(spans, s)
		}
	}
	return spans
}
