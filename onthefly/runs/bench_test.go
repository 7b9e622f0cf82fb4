package runs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/snapshot"
	"github.com/antichain-go/antichain/onthefly/runs"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// workload is 100 runs whose records are mixed: calls of a function in four tasks that pass a token around. A call is three
// events: a task is in the function until what it does behind it.
func workload(b *testing.B, events int, text bool) (all []*record.Record, total int) {
	const runs, calls = 100, 134
	queues := make([][]*record.Record, runs)
	for n := range queues {
		h := &event.Header{Tasks: []string{"a", "b", "c", "d"}}
		w, err := record.NewWriter(fmt.Sprint("run", n), "s", h, record.Options{Events: events, Text: text}, func(r *record.Record) error {
			r.At = "topic/0@1"
			queues[n] = append(queues[n], r)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		for i := range 3 * calls {
			call := i / 3
			e := &event.Event{Task: h.Tasks[call%4]}
			switch i % 3 {
			case 0:
				e.Enter, e.At = "critical", "main.go:7"
				if call > 0 {
					e.After = []event.Ref{{Task: h.Tasks[(call+3)%4], K: 3 * ((call-1)/4 + 1)}}
				}
			case 1:
				e.Exit, e.At = "critical", "main.go:9"
			case 2:
				e.At = "main.go:10"
			}
			if err := w.Write(e); err != nil {
				b.Fatal(err)
			}
			total++
		}
		if err := w.End(record.EndRun); err != nil {
			b.Fatal(err)
		}
	}
	for i := 0; ; i++ {
		more := false
		for _, q := range queues {
			if i < len(q) {
				all, more = append(all, q[i]), true
			}
		}
		if !more {
			return all, total
		}
	}
}

// BenchmarkTake is what a monitor does with the records of a partition, and how much of that is decoding.
func BenchmarkTake(b *testing.B) {
	for _, events := range []int{1, 100} {
		for _, form := range []string{"text", "block"} {
			all, total := workload(b, events, form == "text")
			perEvent := func(b *testing.B) {
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(total), "ns/event")
			}
			b.Run(fmt.Sprintf("decode/%s/%d", form, events), func(b *testing.B) {
				r := event.NewPartReader(event.Limits{})
				var e event.Event
				for b.Loop() {
					for _, rec := range all {
						if _, err := r.Open(rec.Value, rec.At); err != nil {
							b.Fatal(err)
						}
						for r.Next(&e) == nil {
						}
					}
				}
				perEvent(b)
			})
			b.Run(fmt.Sprintf("check/%s/%d", form, events), func(b *testing.B) {
				c := config(b, false, "not (t1:(in.critical) and t2:(in.critical)) if t1 != t2")
				for b.Loop() {
					t := table{}
					rs := runs.New(c, t)
					for _, rec := range all {
						again := *rec
						rs.Take(&again, time.Time{})
					}
					for _, verdict := range t {
						if len(t) != 100 || verdict != "holds " {
							b.Fatal(t)
						}
					}
				}
				perEvent(b)
			})
		}
	}
}

// BenchmarkArchive saves, and reads, runs that go on.
func BenchmarkArchive(b *testing.B) {
	all, _ := workload(b, 100, false)
	c := config(b, false, "not (t1:(in.critical) and t2:(in.critical)) if t1 != t2")
	rs := runs.New(c, table{})
	for _, rec := range all {
		if rec.End == 0 {
			rs.Take(rec, time.Time{})
		}
	}
	w := snapshot.NewWriter()
	if err := rs.Archive(w); err != nil {
		b.Fatal(err)
	}
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if err := rs.Archive(snapshot.NewWriter()); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(w.Bytes())), "bytes")
		b.ReportMetric(float64(rs.Stats().Bytes), "live-bytes")
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if err := runs.New(c, table{}).Archive(snapshot.NewReader(w.Bytes())); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// spanMessages are messages of 100 spans, 10 of each trace, as the batch processor of the collector makes them.
func spanMessages(messages int) (all []*record.Record) {
	service := otlp.NewSource([]event.Binding{
		{Name: "service.name", Value: event.StringValue("service-1")}, {Name: "host.name", Value: event.StringValue("host-1")},
	}, nil, "go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp", "0.60.0")
	for m := range messages {
		var spans []otlp.Span
		for i := range 100 {
			s := otlp.Span{
				Trace: otlp.TraceID{1, byte(m >> 8), byte(m), byte(i / 10)}, ID: otlp.SpanID{1, byte(i % 10)}, Name: "GET /items", Kind: otlp.Server,
				Start: uint64(1000 + 10*i), End: uint64(1005 + 10*i), Source: service,
				Attributes: []event.Binding{
					{Name: "http.request.method", Value: event.StringValue("GET")}, {Name: "http.route", Value: event.StringValue("/items/{id}")},
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

// BenchmarkSpans is what a monitor does with messages of spans, and how much of that is decoding.
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
		c := config(b, false, `t:(otel.status_code != "ERROR")`)
		for b.Loop() {
			verdicts := over{table{}, b}
			spans := runs.NewSpans(c, otlp.Options{}, verdicts)
			for _, rec := range all {
				spans.Take(rec, time.Time{})
			}
			spans.Close("")
			if verdicts.table["p0"] != "holds" || spans.Stats().Ended != 10*messages {
				b.Fatal(verdicts.table, spans.Stats())
			}
		}
		perSpan(b)
	})
}
