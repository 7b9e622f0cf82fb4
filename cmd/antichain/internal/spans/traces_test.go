package spans_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/cmd/antichain/internal/spans"
	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// messages draws the spans of some traces, in messages that mix them.
func messages(t *rapid.T, source *rand.Rand) []*record.Record {
	var spans []otlp.Span
	service := otlp.NewSource([]event.Binding{{Name: "service.name", Value: event.StringValue("s")}}, nil, "", "")
	for n := range rapid.IntRange(1, 4).Draw(t, "traces") {
		trace := otlp.TraceID{byte(n + 1)}
		count := rapid.IntRange(1, 12).Draw(t, "spans")
		for i := range count {
			s := otlp.Span{Trace: trace, ID: otlp.SpanID{byte(i + 1)}, Name: "f", Start: uint64(1000 * i),
				End: uint64(1000*i + 500), Source: service}
			if i > 0 {
				s.Parent = otlp.SpanID{byte(1 + source.Intn(i))}
			}
			if source.Intn(40) > 0 { // else it is lost
				spans = append(spans, s)
			}
		}
	}
	source.Shuffle(len(spans), func(i, j int) { spans[i], spans[j] = spans[j], spans[i] })
	var all []*record.Record
	for len(spans) > 0 {
		n := 1 + source.Intn(min(4, len(spans)))
		all = append(all, &record.Record{Value: otlp.Encode(spans[:n]), At: fmt.Sprint("spans#", len(all))})
		spans = spans[n:]
	}
	return all
}

// TestTakeoverOfSpans compares the verdicts on traces with those of monitors that crash and are
// relieved by others.
func TestTakeoverOfSpans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		c := config(nil, specs...)
		all := messages(t, source)
		var now time.Time
		want := table{}
		quiet := spans.New(c, otlp.Options{}, want)
		for _, r := range all {
			quiet.Take(r, now)
		}
		later := func(s *spans.Traces) {
			s.Tick(now.Add(5 * time.Second))
			s.Tick(now.Add(11 * time.Second))
			s.Tick(now.Add(2 * time.Minute))
		}
		later(quiet)
		if len(want) == 0 && len(all) > 0 {
			t.Fatal("no verdict")
		}
		got := table{}
		living := census{}
		c.Lives = living.note(t)
		s := spans.New(c, otlp.Options{}, got)
		save := func() []byte {
			w := snapshot.NewWriter()
			if err := s.Snapshot(w); err != nil {
				t.Fatal(err)
			}
			return w.Bytes()
		}
		saved, next := save(), 0
		source.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for i := 0; i < len(all); {
			s.Take(all[i], now)
			i++
			switch source.Intn(8) {
			case 0:
				saved, next = save(), i
			case 1:
				if s.Drop(); len(living) > 0 {
					t.Fatalf("%v go on where nobody checks them", living)
				}
				s, i = spans.New(c, otlp.Options{}, got), next
				r := snapshot.NewReader(saved)
				if err := s.Snapshot(r); err != nil || r.End() != nil {
					t.Fatal(err, r.End())
				}
			}
		}
		later(s)
		if len(living) > 0 {
			t.Fatalf("%v go on", living)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// endReporter checks the properties of traces.
type endReporter struct {
	table
	t testing.TB
}

func (o endReporter) Over(r *runs.Run, net *san.Net, late []*spec.Property, _ tlcheck.Truncation) {
	for _, p := range late {
		result, err := tlcheck.Check(o.t.Context(), net, p, tlcheck.Options{})
		if err != nil {
			o.t.Fatal(err)
		}
		o.table[p.Name] = result.Verdict.String()
	}
}

// TestVariablesOfSpans: what properties say of attributes is decided, however these are nested.
func TestVariablesOfSpans(t *testing.T) {
	deep := event.ObjectValue([]event.Binding{{Name: "c",
		Value: event.ObjectValue([]event.Binding{{Name: "d", Value: event.IntValue(1)}})}})
	s := otlp.Span{
		Trace: otlp.TraceID{1}, ID: otlp.SpanID{1}, Name: "f", Start: 1, End: 2,
		Attributes: []event.Binding{{Name: "a", Value: deep}, {Name: "b.c", Value: deep},
			{Name: "x", Value: event.IntValue(1)}},
		Source: otlp.NewSource([]event.Binding{{Name: "service.name",
			Value: event.StringValue("s")}}, nil, "lib", ""),
		Moments: []otlp.Moment{{Time: 1, Name: "m", Attributes: []event.Binding{{Name: "x",
			Value: event.IntValue(2)}}}},
	}
	for _, text := range []string{
		`t:(a.c.d == 1)`, `t:(b.c.c.d == 1)`, `t:(x == 2)`, `t:(x + x == 2)`, `t:(service.name == "s")`,
		`t:(otel.scope.name == "lib")`, `t:(event.name == "m")`,
		`t:(not otel.kind == "INTERNAL")`,
	} {
		got := endReporter{table{}, t}
		traces := spans.New(config(t, "not "+text, "not "+text+" and not "+text), otlp.Options{}, got)
		traces.Take(&record.Record{Value: otlp.Encode([]otlp.Span{s})}, time.Time{})
		traces.Close("")
		if diff := cmp.Diff(table{"p0": "violated", "p1": "violated"}, got.table); diff != "" {
			t.Error(text, diff)
		}
	}
}

// TestNoMessageOfSpans has records of other kinds.
func TestNoMessageOfSpans(t *testing.T) {
	got := table{}
	s := spans.New(config(t, specs...), otlp.Options{}, got)
	s.Take(&record.Record{At: "piece", Source: "a", Seq: 1, Value: []byte(`{"antichain":1,"tasks":["a"]}`)}, start)
	s.Take(&record.Record{At: "logs", Value: []byte(`{"resourceLogs":[]}`)}, start)
	s.Take(&record.Record{At: "tombstone"}, start)
	for at, want := range map[string]string{"piece": "a piece of a trace", "logs": `it has "resourceLogs"`} {
		if !strings.Contains(got["rejected "+at], want) {
			t.Errorf("%s: %v, not %s", at, got, want)
		}
	}
	if len(got) != 2 {
		t.Error(got)
	}
}

// message is one of OpenTelemetry with a span whose parent is missing.
func message(n int, resource string) *record.Record {
	source := otlp.NewSource([]event.Binding{{Name: "service.name", Value: event.StringValue(resource)}}, nil, "", "")
	span := otlp.Span{Trace: otlp.TraceID{1}, ID: otlp.SpanID{byte(n), 1}, Parent: otlp.SpanID{9}, Name: "f", Start: 1,
		End: 2, Source: source}
	return &record.Record{At: fmt.Sprint("spans#", n), Value: otlp.Encode([]otlp.Span{span})}
}

// TestMemoryOfSpans has small spans of large resources. Further spans of a failed trace are
// ignored.
func TestMemoryOfSpans(t *testing.T) {
	got := table{}
	c := config(t, specs...)
	c.Limits.Memory = 1 << 20
	s := spans.New(c, otlp.Options{}, got)
	for n := range 20 {
		s.Take(message(n, strings.Repeat("x", 100000)), start)
	}
	if len(got) != 1 || !strings.Contains(got["01000000000000000000000000000000 failed"], "bytes of memory") ||
		s.Stats().Ignored == 0 {
		t.Errorf("%+v %v", s.Stats(), got)
	}
}

// TestSpansCutOff ends the reading of spans before their trace is over.
func TestSpansCutOff(t *testing.T) {
	for _, cut := range []tlcheck.Truncation{"", "interrupted"} {
		got := table{}
		s := spans.New(config(t, specs[0]), otlp.Options{}, got)
		s.Take(message(1, "shop"), start)
		s.Close(cut)
		if want := "late 4 " + string(cut); got["01000000000000000000000000000000 p0"] != want {
			t.Errorf("%v, not %s", got, want)
		}
	}
}
