package jaeger_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/jaeger"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
)

func sample(t testing.TB) string {
	text, err := os.ReadFile("testdata/order.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRead reads what the user interface exports.
func TestRead(t *testing.T) {
	traces, err := jaeger.Read(strings.NewReader(sample(t)), "order.json", otlp.Limits{})
	if err != nil || len(traces) != 1 || len(traces[0].Spans) != 3 {
		t.Fatalf("%v, %v", traces, err)
	}
	if id := traces[0].ID.String(); id != "0000000000000000a1b2c3d4e5f60718" {
		t.Error(id)
	}
	order, reserve, mail := traces[0].Spans[0], traces[0].Spans[1], traces[0].Spans[2]
	if order.Kind != otlp.Server || order.Status != otlp.Failed || order.End-order.Start != 900_000 {
		t.Errorf("%+v", order)
	}
	if v := order.Attributes[1].Value; v.Kind() != event.Int || v.Int() != 500 {
		t.Errorf("http.status_code = %v", v)
	}
	if m := order.Moments[0]; m.Name != "failed" || m.Attributes[1].Value.Kind() != event.Int {
		t.Errorf("%+v", m)
	}
	if reserve.Parent != order.ID || reserve.Attributes[0].Value.Kind() != event.Float {
		t.Errorf("%+v", reserve)
	}
	if mail.Parent != (otlp.SpanID{}) || len(mail.Links) != 1 || mail.Links[0].Span != reserve.ID {
		t.Errorf("%+v", mail)
	}
	if name := mail.Source.Resource[0].Value.Str(); name != "stock" || mail.Source != reserve.Source {
		t.Errorf("service %q", name)
	}
}

const one = `"traceID":"a","spanID":"1","operationName":"f","startTime":5,"duration":2`

// TestDocuments reads one span from each of the documents.
func TestDocuments(t *testing.T) {
	const process = `{"serviceName":"s","tags":[]}`
	const message = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0000000000000000000000000000000a",` +
		`"spanId":"0000000000000001","name":"f"}]}]}]}`
	for _, document := range []string{
		`{"traceID":"a","spans":[{` + one + `,"processID":"p"}],"processes":{"p":` + process + `}}`,
		`{` + one + `,"process":` + process + `}`,
		`[{` + one + `,"process":` + process + `}]`,
		message,
		`{"result":` + message + `}`,
		`[{"result":` + message + `},{"result":` + message + `}]`,
	} {
		traces, err := jaeger.Read(strings.NewReader(document), "x", otlp.Limits{})
		if err != nil || len(traces) != 1 || traces[0].Spans[0].Name != "f" {
			t.Errorf("%s: %v, %v", document, traces, err)
		}
	}
}

// TestReferences: the first parent in the trace is the parent, all others are links.
func TestReferences(t *testing.T) {
	text := `{` + one + `,"process":{"serviceName":"s"},"references":[
		{"refType":"CHILD_OF","traceID":"b","spanID":"9"},{"refType":"FOLLOWS_FROM","traceID":"a","spanID":"8"},
		{"refType":"CHILD_OF","traceID":"a","spanID":"7"},{"refType":"CHILD_OF","traceID":"a","spanID":"6"}]}`
	spans, err := jaeger.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if s := spans[0]; s.Parent[7] != 7 || len(s.Links) != 3 || s.Links[0].Trace[15] != 0xb || s.Links[2].Span[7] != 6 {
		t.Errorf("%+v", s)
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"data":[]}`, "x: no spans in the file"},
		{`{"data":null,"errors":[{"code":404,"msg":"trace not found"}]}`,
			`x:1: Jaeger had an error: "trace not found"`},
		{"\n{\"a\":1}", "x:2: not a document of Jaeger: it has no data"},
		{`{"data":[null]}`, "x:1: a trace is null"},
		{`{"data":[{"spans":[null]}]}`, "x:1: span 1 of a trace is null"},
		{"{\n \"data\": [}", "x:2:11: not a message of spans: bad JSON"},
		{`{"traceID":"a","spans":[{` + one + `,"processID":"p"}]}`, `span "1", "f": its process "p" is missing`},
		{`{"traceID":"0","spans":[{"traceID":"0"}]}`, `"0" is no id of a trace`},
		{`{"spans":[{"traceID":"x"}]}`, `"x" is no id of a trace in hexadecimal digits`},
		{`{"spans":[{"traceID":"1","spanID":"11111111111111111"}]}`, "at most 16 hexadecimal digits"},
		{`{"spans":[{"traceID":"1","spanID":"1","startTime":-1}]}`, "-1 is no time"},
		{`{"spans":[{"traceID":"1","spanID":"1","duration":-1}]}`, "a duration of -1 microseconds"},
		{`{"data":[` + strings.Repeat("{},", 1<<17) + `{}]}`, "next to nothing but empty parts"},
	} {
		_, err := jaeger.Read(strings.NewReader(tt.text), "x", otlp.Limits{})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.60s: %v, want %s", tt.text, err, tt.want)
		}
	}
}

// FuzzRead: what is accepted are traces that can be built or are an error, and anything else is an
// error that can be printed.
func FuzzRead(f *testing.F) {
	f.Add(sample(f))
	f.Add(`[{` + one + `,"process":{"serviceName":"s","tags":[{"key":"k","type":"int64","value":"1"}]}}]`)
	f.Add(`{"data":[{"spans":[{` + one + `,"logs":[{"timestamp":1,"fields":[{"key":"event","value":[1,{}]}]}]}]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		traces, err := jaeger.Read(strings.NewReader(text), "x", otlp.Limits{})
		checkPrintable(t, err)
		for i := range traces {
			run, err := traces[i].Build(otlp.Options{Sync: true})
			checkPrintable(t, err)
			if err != nil {
				continue
			}
			var e event.Event
			for err == nil {
				err = run.Next(&e)
			}
			if err != io.EOF {
				t.Fatal(err)
			}
		}
	})
}

func checkPrintable(t *testing.T, err error) {
	var bad *event.Error
	if err != nil && (!errors.As(err, &bad) || event.Printable(bad.Reason) != bad.Reason) {
		t.Fatalf("%q", err)
	}
}
