package kafkaservice

import (
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/cmd/antichain/internal/logging"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// TestRekeyLargeTrace has a message that is too large for a broker when its spans are with those of
// their trace, and a span that is too large by itself.
func TestRekeyLargeTrace(t *testing.T) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "keyed", "dead"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	outbox, err := kafka.OpenOutbox(t.Context(), kafka.Address{Brokers: c.ListenAddrs(), Topic: "keyed"},
		kafka.Security{}, 0, zerolog.Nop(), "dead")
	if err != nil {
		t.Fatal(err)
	}
	defer outbox.Close()
	source := otlp.NewSource(nil, nil, "", "")
	var spans []otlp.Span
	const small = 40
	for i := range small + 1 {
		size := 100 << 10
		if i == small {
			size = 2 << 20
		}
		spans = append(spans, otlp.Span{
			Trace: otlp.TraceID{1}, ID: otlp.SpanID{byte(i + 1)}, Name: "f", Start: 1, End: 2, Source: source,
			Attributes: []event.Binding{{Name: "text", Value: event.StringValue(strings.Repeat("x", size))}},
		})
	}
	p := &rekeyer{outbox: outbox, to: "keyed", dead: "dead", log: zerolog.Nop(), rejections: &logging.Throttle{}}
	p.Take(&record.Record{Value: otlp.Encode(spans), At: "spans/0@1"}, time.Time{})
	if err := outbox.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...), kgo.ConsumeTopics("keyed", "dead"),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	seen, dead := map[otlp.SpanID]bool{}, 0
	for len(seen) < small || dead == 0 {
		for r := range client.PollFetches(t.Context()).RecordsAll() {
			if r.Topic == "dead" {
				dead++
				continue
			}
			spans, err := otlp.Decode(r.Value, false)
			if err != nil || string(r.Key) != spans[0].Trace.String() {
				t.Fatal(string(r.Key), err)
			}
			for _, s := range spans {
				seen[s.ID] = true
			}
		}
	}
	if len(seen) != small || dead != 1 {
		t.Errorf("%d spans of %d, %d dead letters", len(seen), small, dead)
	}
}
