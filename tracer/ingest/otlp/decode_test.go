package otlp

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/event"
)

var sameSpans = cmp.Options{cmp.AllowUnexported(Source{}), cmp.Comparer(event.Value.Equal)}

// encodeJSON is Encode in the other form.
func encodeJSON(t fataler, spans []Span) []byte {
	t.Helper()
	traces, err := new(ptrace.ProtoUnmarshaler).UnmarshalTraces(Encode(spans))
	if err != nil {
		t.Fatal(err)
	}
	b, err := new(ptrace.JSONMarshaler).MarshalTraces(traces)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSet: a run is that of the set of its spans, in whatever order, batches and forms they come,
// and however often.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spans, o := drawSpans(t), drawOptions(t)
		seed := slices.Clone(spans)
		r, err := Build(spans, o)
		for range rapid.IntRange(0, 2).Draw(t, "again") {
			spans = append(spans, spans[rapid.IntRange(0, len(spans)-1).Draw(t, "which")])
		}
		spans = rapid.Permutation(spans).Draw(t, "order")
		var came []Span
		for len(spans) > 0 {
			n := rapid.IntRange(1, len(spans)).Draw(t, "batch")
			var batch []Span
			var broken error
			if rapid.Bool().Draw(t, "json") {
				batch, broken = Decode(encodeJSON(t, spans[:n]), true)
			} else {
				batch, broken = Decode(Encode(spans[:n]), false)
			}
			if broken != nil {
				t.Fatal(broken)
			}
			came, spans = append(came, batch...), spans[n:]
		}
		again, broken := Build(came, o)
		if err != nil || broken != nil {
			if err == nil || broken == nil || err.Error() != broken.Error() {
				t.Fatalf("%v, but %v", err, broken)
			}
			return
		}
		if d := cmp.Diff(text(t, r), text(t, again)); d != "" {
			t.Fatal(d)
		}
		if got, want := again.Notes().Duplicates, len(came)-len(seed); got != want {
			t.Fatalf("%d duplicates, not %d", got, want)
		}
	})
}

// TestEncode: spans with values of every kind come back.
func TestEncode(t *testing.T) {
	value := event.ListValue([]event.Value{
		event.NullValue(), event.BoolValue(true), event.IntValue(-1), event.FloatValue(0.5), event.StringValue("x"),
		event.ObjectValue([]event.Binding{{Name: "a", Value: event.IntValue(1)},
			{Name: "b", Value: event.ListValue([]event.Value{})}}),
	})
	attributes := []event.Binding{{Name: "v", Value: value}, {Name: "w", Value: event.IntValue(2)}}
	spans := []Span{{
		Trace: TraceID{1}, ID: SpanID{2}, Parent: SpanID{3}, Name: "n", Kind: Consumer, Status: Failed,
		Description: "d", Start: 4, End: 5,
		Attributes: attributes, Moments: []Moment{{6, "m", attributes}}, Links: []Link{{TraceID{7}, SpanID{8}}},
		Source: NewSource(attributes, attributes[:1:1], "l", "v"),
	}}
	for _, json := range []bool{false, true} {
		payload := Encode(spans)
		if json {
			payload = encodeJSON(t, spans)
		}
		got, err := Decode(payload, json)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(spans, got, sameSpans); d != "" {
			t.Error(d)
		}
		if !got[0].Equal(&spans[0]) {
			t.Error("not equal")
		}
	}
}

// TestEqual: a span that differs anywhere is another one.
func TestEqual(t *testing.T) {
	a := []event.Binding{{Name: "a", Value: event.IntValue(1)}}
	s := Span{Source: NewSource(nil, nil, "", ""), Moments: []Moment{{}}}
	for i, change := range []func(*Span){
		func(s *Span) { s.Trace[0]++ }, func(s *Span) { s.ID[0]++ }, func(s *Span) { s.Parent[0]++ },
		func(s *Span) { s.Name = "x" }, func(s *Span) { s.Kind++ }, func(s *Span) { s.Status++ },
		func(s *Span) { s.Description = "x" },
		func(s *Span) { s.Start++ }, func(s *Span) { s.End++ }, func(s *Span) { s.Attributes = a },
		func(s *Span) { s.Moments = []Moment{{Time: 1}} }, func(s *Span) { s.Moments = []Moment{{Name: "x"}} },
		func(s *Span) { s.Moments = []Moment{{Attributes: a}} }, func(s *Span) { s.Links = []Link{{}} },
		func(s *Span) { s.Source = NewSource(a, nil, "", "") }, func(s *Span) { s.Source = NewSource(nil, a, "", "") },
		func(s *Span) { s.Source = NewSource(nil, nil, "x", "") },
		func(s *Span) { s.Source = NewSource(nil, nil, "", "x") },
	} {
		u := s
		change(&u)
		if s.Equal(&u) {
			t.Errorf("change %d makes no difference", i)
		}
	}
}

// field encodes a field that has a length.
func fieldOf(number int, content string) string {
	b := binary.AppendUvarint(nil, uint64(number)<<3|wireLength)
	return string(binary.AppendUvarint(b, uint64(len(content)))) + content
}

// attribute puts a value into a message, as an attribute of a resource.
func attribute(value string) string {
	return fieldOf(1, fieldOf(1, fieldOf(1, fieldOf(1, "k")+fieldOf(2, value))))
}

// TestHostile: messages that would take the decoder too much are refused before they do.
func TestHostile(t *testing.T) {
	var list, shorter string
	for i := range maxNesting {
		list = fieldOf(5, fieldOf(1, list))
		if i == maxDepth {
			shorter = list
		}
	}
	const levels = 10000
	object := strings.Repeat(`{"arrayValue":{"values":[`, levels) + `{}` + strings.Repeat(`]}}`, levels)
	for _, tt := range []struct {
		name, payload string
		json          bool
		want          string
	}{
		{"nested", attribute(list), false, "parts nested deeper"},
		{"nested less", attribute(shorter), false, "values nested deeper"},
		{"nested less", `{"resourceSpans":[{"resource":{"attributes":[{"key":"k","value":` +
			strings.Repeat(`{"arrayValue":{"values":[`, maxDepth+1) + `{}` + strings.Repeat(`]}}`, maxDepth+1) +
			`}]}}]}`, true, "values nested deeper"},
		{"nested", `{"resourceSpans":[{"resource":{"attributes":[{"key":"k","value":` + object + `}]}}]}`, true,
			"exceeded max depth"},
		{"empty spans", fieldOf(1, fieldOf(2, strings.Repeat(fieldOf(2, ""), 1<<16))), false, "empty parts"},
		{"empty values", attribute(fieldOf(6, strings.Repeat(fieldOf(1, ""), 1<<16))), false, "empty parts"},
		{"empty spans", `{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.Repeat("{},", 1<<16) + `{}]}]}]}`, true,
			"empty parts"},
		{"attributes", fieldOf(1, fieldOf(1, strings.Repeat(fieldOf(1, fieldOf(1, "twelve bytes")), maxAttributes+1))+
			fieldOf(2, fieldOf(2, ""))), false, "4097 attributes"},
		{"no ids", fieldOf(1, fieldOf(2, fieldOf(2, fieldOf(5, "x\n")))), false,
			`span 1 of the message, "x\n", has no trace id`},
		{"bad id", fieldOf(1, fieldOf(2, fieldOf(2, fieldOf(1, "x")))), false, "invalid TraceID length"},
		{"cut", "\x0a\x05", false, "unexpected EOF"},
		{"base64 ids", `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"S/kvNXezTaajzpKdDg5HNg=="}]}]}]}`, true,
			"length mismatch"},
		{"rest", `{} x`, true, "invalid character 'x'"},
		{"logs", `{"resourceLogs":[{"scopeLogs":[]}]}`, true, `it has "resourceLogs"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Decode([]byte(tt.payload), tt.json)
			var e *event.Error
			if !errors.As(err, &e) || e.Pos != "" || e.Remedy == "" || !strings.Contains(e.Reason, tt.want) {
				t.Errorf("%.200v, not %s", err, tt.want)
			}
		})
	}
}

// FuzzDecode: what is accepted comes back from both forms, and makes a run or an error that can be
// printed.
func FuzzDecode(f *testing.F) {
	spans := []Span{
		{Trace: TraceID{1}, ID: SpanID{1}, Start: 1, End: 9, Source: NewSource(nil, nil, "", "")},
		{Trace: TraceID{1}, ID: SpanID{2}, Parent: SpanID{1}, Name: "f", Start: 2, End: 3,
			Source:  NewSource(nil, nil, "l", ""),
			Moments: []Moment{{Time: 2, Name: "e"}}, Links: []Link{{TraceID{1}, SpanID{1}}},
			Attributes: []event.Binding{{Name: "a", Value: event.FloatValue(1)}}},
	}
	f.Add(Encode(spans), false)
	f.Add(encodeJSON(f, spans), true)
	f.Add([]byte(attribute(fieldOf(5, fieldOf(1, fieldOf(6, ""))))), false)
	f.Fuzz(func(t *testing.T, payload []byte, json bool) {
		spans, err := Decode(payload, json)
		if err != nil {
			printable(t, err)
			return
		}
		again, err := decode(new(ptrace.ProtoUnmarshaler).UnmarshalTraces(Encode(spans)))
		if err != nil || len(again) != len(spans) {
			t.Fatalf("%d spans came back as %d, %v", len(spans), len(again), err)
		}
		for len(spans) > 0 {
			trace := spans[0].Trace
			other := func(s Span) bool { return s.Trace != trace }
			one := slices.DeleteFunc(slices.Clone(spans), other)
			spans = slices.DeleteFunc(spans, func(s Span) bool { return !other(s) })
			r, err := Build(one, Options{Sync: true, Skew: &oneNano})
			if err != nil {
				printable(t, err)
				continue
			}
			tr, err := traceOf(r, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tr.Build(); err != nil {
				t.Fatalf("not a run: %v", err)
			}
		}
	})
}

func printable(t *testing.T, err error) {
	var e *event.Error
	if !errors.As(err, &e) || event.Printable(e.Reason) != e.Reason {
		t.Fatalf("%q", err)
	}
}

// TestDuplicateKeys: the last value counts, few names or many.
func TestDuplicateKeys(t *testing.T) {
	for _, n := range []int{1, fewNames} {
		var bs []event.Binding
		for i := range 2 * n {
			bs = append(bs, event.Binding{Name: string(rune('a' + i%n)), Value: event.IntValue(int64(i))})
		}
		got := unique(bs)
		if len(got) != n || got[0].Value.Int() != int64(n) {
			t.Errorf("%v", got)
		}
	}
}

// A message in protocol buffers whose first part has 123 bytes begins with a line end and a brace.
// TestNoSpans has messages that could have had spans.
func TestNoSpans(t *testing.T) {
	for _, message := range []string{`{}`, `{"resourceSpans":[]}`, `{"more":1,"resource_spans":[]}`} {
		if spans, err := Decode([]byte(message), true); err != nil || len(spans) > 0 {
			t.Errorf("%s: %v, %v", message, spans, err)
		}
	}
}

func TestIsJSON(t *testing.T) {
	source := NewSource(nil, nil, "", "")
	for n := range 200 {
		message := Encode([]Span{{Trace: TraceID{1}, ID: SpanID{1}, Name: strings.Repeat("x", n), Source: source}})
		if IsJSON(message) {
			t.Fatalf("%q is not JSON", message)
		}
	}
	if !IsJSON([]byte(`{"resourceSpans":[]}`)) || IsJSON(nil) {
		t.Error("JSON is not told from nothing")
	}
}
