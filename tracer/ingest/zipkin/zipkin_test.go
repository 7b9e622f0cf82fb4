package zipkin_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/zipkin"
)

func sample(t testing.TB) string {
	text, err := os.ReadFile("testdata/order.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func read(t *testing.T, text string) []otlp.Trace {
	traces, err := zipkin.Read(strings.NewReader(text), "x", otlp.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return traces
}

// TestRead reads what the API returns: two traces with a call that two services report as one span,
// and a span that its service reports in two parts.
func TestRead(t *testing.T) {
	traces := read(t, sample(t))
	if len(traces) != 2 || len(traces[0].Spans) != 4 || len(traces[1].Spans) != 1 {
		t.Fatalf("%+v", traces)
	}
	order, client, server, query := traces[0].Spans[0], traces[0].Spans[1], traces[0].Spans[2], traces[0].Spans[3]
	if order.Kind != otlp.Server || order.Status != otlp.Failed || order.Description != "no stock" {
		t.Errorf("%+v", order)
	}
	if client.Parent != order.ID || client.Kind != otlp.Client || client.Moments[0].Name != "ws" {
		t.Errorf("%+v", client)
	}
	if server.Parent != client.ID || server.ID[0] != client.ID[0]^0x80 || server.Kind != otlp.Server {
		t.Errorf("%+v", server)
	}
	if query.Parent != server.ID {
		t.Errorf("%+v", query)
	}
	late := traces[1].Spans[0]
	if late.Name != "late" || late.Start != 1700000000000000_000 || late.End != late.Start+5_000 ||
		len(late.Attributes) != 1 {
		t.Errorf("%+v", late)
	}
}

const (
	span   = `{"traceId":"a","id":"2","parentId":"1","timestamp":5,"duration":1,"localEndpoint":{"serviceName":"s"}`
	shared = span + `,"kind":"SERVER","shared":true}`
)

// TestSharedAlone: a shared span whose client has reported nothing is as it is written.
func TestSharedAlone(t *testing.T) {
	s := read(t, "["+shared+"]")[0].Spans[0]
	if s.ID != (otlp.SpanID{7: 2}) || s.Parent != (otlp.SpanID{7: 1}) {
		t.Errorf("%+v", s)
	}
}

// TestTwins: two services with one id that share nothing cannot be distinguished.
func TestTwins(t *testing.T) {
	traces := read(t, "["+span+"},"+strings.Replace(span, `"s"`, `"other"`, 1)+"}]")
	if len(traces[0].Spans) != 2 {
		t.Fatalf("%+v", traces)
	}
	if _, err := traces[0].Build(otlp.Options{}); err == nil {
		t.Error("two spans with one id make a run")
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`[]`, "x: no spans in the file"},
		{`[[` + span + `}`, "unexpected end of an array"},
		{`[[` + span + `}][]]`, "invalid character '[' where a message begins"},
		{"[\n{\"traceId\":\"1\"}]", `x:2: "" is no id of a span`},
		{"[\n{\"traceId\":1}]", "x:2: not a span of Zipkin"},
		{`{"traceId":"1","id":"1","timestamp":-5}`, "-5 is no time"},
		{`{"traceId":"1","id":"1","duration":-5}`, "a duration of -5 microseconds"},
		{`{"traceId":"1","id":"1","annotations":[` + strings.Repeat(`{"value":"abcdefg"},`, 4096) + `{}]}`,
			"more than 4096 tags or annotations"},
	} {
		_, err := zipkin.Read(strings.NewReader(tt.text), "x", otlp.Limits{})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.60s: %v, want %s", tt.text, err, tt.want)
		}
	}
}

// FuzzRead: what is accepted are traces that can be built or are an error, and anything else is an
// error that can be printed.
func FuzzRead(f *testing.F) {
	f.Add(sample(f))
	f.Add("[" + span + "}," + shared + "," + shared + "]")
	f.Add("[[" + shared + "],[" + strings.Replace(span, `"2"`, `"8000000000000002"`, 1) + "}]]")
	f.Fuzz(func(t *testing.T, text string) {
		traces, err := zipkin.Read(strings.NewReader(text), "x", otlp.Limits{})
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
