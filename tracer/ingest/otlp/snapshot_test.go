package otlp

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

func saved(spans []Span) []byte {
	w := snapshot.NewWriter()
	Snapshot(w, spans[0].Trace, &spans)
	return w.Bytes()
}

func restored(data []byte) (spans []Span, err error) {
	r := snapshot.NewReader(data)
	Snapshot(r, TraceID{1}, &spans)
	return spans, r.End()
}

// TestSnapshot: spans come back, and those that shared a source do so.
func TestSnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spans := drawSpans(t)
		nested := event.ListValue([]event.Value{event.FloatValue(0.5),
			event.ObjectValue([]event.Binding{{Name: "a", Value: event.StringValue("x")}})})
		scope := NewSource(nil, []event.Binding{{Name: "b", Value: event.BoolValue(true)}}, "lib", "2")
		for i := range spans {
			s := &spans[i]
			s.Status, s.Description = Status(i%3), "d"
			s.Attributes = []event.Binding{{Name: "v", Value: nested}}
			s.Links = append(s.Links, Link{TraceID{2, 15: 9}, SpanID{3, 7: 4}})
			if i%4 == 3 {
				s.Source = scope
			}
		}
		got, err := restored(saved(spans))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(spans, got, sameSpans); d != "" {
			t.Fatal(d)
		}
		for i := range spans {
			for j := range i {
				if (spans[i].Source == spans[j].Source) != (got[i].Source == got[j].Source) {
					t.Fatalf("spans %d and %d: the source is another one", i, j)
				}
			}
		}
	})
}

// TestNoBounds: what was decoded in many messages is saved as a whole.
func TestNoBounds(t *testing.T) {
	var all []Span
	for i := range 100 {
		s := spansOf(1, 1)[0]
		s.ID = SpanID{byte(i + 1)}
		s.Moments = make([]Moment, 4000)
		decoded, err := Decode(Encode([]Span{s}), false)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, decoded...)
	}
	if _, err := Decode(Encode(all), false); err == nil {
		t.Error("nothing to be seen here")
	}
	got, err := restored(saved(all))
	if err != nil || len(got) != len(all) {
		t.Errorf("%d spans, %v", len(got), err)
	}
}

// FuzzSnapshot: damaged spans are an error, or spans that Build can be called with.
func FuzzSnapshot(f *testing.F) {
	f.Add(saved(spansOf(3, 2)))
	f.Fuzz(func(t *testing.T, data []byte) {
		spans, err := restored(data)
		if err != nil {
			return
		}
		for i := range spans {
			_ = spans[i].Kind.String() + spans[i].Status.String()
		}
		if _, err := Build(spans, Options{Sync: true, Skew: &oneNano}); err != nil {
			printable(t, err)
		}
	})
}
