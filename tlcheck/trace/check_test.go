package trace_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tlcheck/trace"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest"
	"github.com/antichain-go/antichain/tracer/ingest/ndjson"
)

const writers = `{"antichain":1,"tasks":["web","db"]}
{"t":"web","enter":"write"}
{"t":"web","exit":"write"}
{"t":"db","enter":"write"}
`

func specification(t *testing.T, src string) *spec.File {
	t.Helper()
	f, err := spec.Parse("bank.tl", src)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// verdicts are the names and verdicts of results.
func verdicts(results []*tlcheck.Result) string {
	var all []string
	for _, r := range results {
		all = append(all, r.Name()+" "+r.Verdict.String())
	}
	return strings.Join(all, ", ")
}

// The results are in the order of the properties, and can be printed.
func TestCheck(t *testing.T) {
	f := specification(t, `
		property exclusive: not (a:(in.write) and b:(in.write)) if a != b
		property quiet initially: t:(not in.write)
	`)
	results, err := trace.Check(t.Context(), strings.NewReader(writers), f, trace.Options{})
	if got := verdicts(results); err != nil || got != "exclusive violated, quiet holds" || results[0].Net == nil ||
		results[0].Witness == nil {
		t.Errorf("%s, %v", got, err)
	}
}

// One run of several is checked, and the rest is left alone.
func TestCheckChosenRun(t *testing.T) {
	mapping, err := ndjson.ParseMapping("mapping", []byte(`{"task": "svc", "event": "msg", "run": "id"}`))
	if err != nil {
		t.Fatal(err)
	}
	const log = `{"svc":"web","msg":"order","id":"1"}
{"svc":"web","msg":"refund","id":"2"}
`
	f := specification(t, `property paid: t:(event != "refund")`)
	o := trace.Options{Name: "shop.log", Input: ingest.Options{Mapping: mapping}}
	for run, want := range map[string]string{"1": "paid holds", "2": "paid violated"} {
		o.Run = run
		results, err := trace.Check(t.Context(), strings.NewReader(log), f, o)
		if got := verdicts(results); err != nil || got != want {
			t.Errorf("run %s: %s, %v", run, got, err)
		}
	}
	o.Run = ""
	results, err := trace.Check(t.Context(), strings.NewReader(log), f, o)
	var no *ingest.RunError
	if results != nil || !errors.As(err, &no) || !strings.HasPrefix(err.Error(), "shop.log has 2 runs") {
		t.Errorf("%v, %v", results, err)
	}
}

// A mistake is reported with its position, and ends the check of one property or of all.
func TestCheckErrors(t *testing.T) {
	const good = `property exclusive: not (a:(in.write) and b:(in.write)) if a != b`
	recorded := strings.Replace(writers, `"tasks"`, `"instrumented":{"package":"p","functions":["write"],"variables":[],"steps":false},"tasks"`, 1)
	for name, tt := range map[string]struct{ trace, property, results, err string }{
		"trace":      {strings.Replace(writers, `"exit"`, `"exit`, 1), good, "", "run.jsonl:3:"},
		"net":        {writers + `{"t":"nobody"}`, good, "", "run.jsonl:5: "},
		"no trace":   {"once upon a time", good, "", "run.jsonl: neither a trace nor"},
		"unrecorded": {recorded, good + "\nproperty other: not t:(in.wriet)", "exclusive violated", "bank.tl:2:"},
		"untraced": {strings.Replace(recorded, `"steps"`, `"untraced":["channels"],"steps"`, 1), good,
			"exclusive unknown", ""},
	} {
		results, err := trace.Check(t.Context(), strings.NewReader(tt.trace), specification(t, tt.property),
			trace.Options{Name: "run.jsonl"})
		if (err == nil) != (tt.err == "") || err != nil && !strings.HasPrefix(err.Error(), tt.err) {
			t.Errorf("%s: %v, want %s", name, err, tt.err)
		}
		if got := verdicts(results); got != tt.results {
			t.Errorf("%s: %s, want %s", name, got, tt.results)
		}
	}
}

// Reading ends with the context, and within the limits.
func TestCheckStops(t *testing.T) {
	f := specification(t, "property p: t:(true)")
	enough := errors.New("enough")
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	for name, tt := range map[string]struct {
		ctx   context.Context
		o     tlcheck.Options
		cause func(error) bool
	}{
		"context": {ended, tlcheck.Options{}, func(err error) bool { return err == enough }},
		"memory":  {t.Context(), tlcheck.Options{Memory: 1}, func(err error) bool { return errors.Is(err, tlcheck.ErrMemory) }},
		"time":    {t.Context(), tlcheck.Options{Time: 1}, func(err error) bool { return err == tlcheck.ErrTime }},
	} {
		results, err := trace.Check(tt.ctx, strings.NewReader(writers), f, trace.Options{Check: tt.o})
		var stopped *trace.ReadStoppedError
		if results != nil || !errors.As(err, &stopped) || !tt.cause(stopped.Cause) || stopped.Events != 0 {
			t.Errorf("%s: %v, %v", name, results, err)
		}
	}
}

// The net has all events before a mistake, and there is none of a run whose reading was stopped.
func TestReadNet(t *testing.T) {
	open := func(text string) event.Reader {
		r, err := event.Open(strings.NewReader(text), "run.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for text, events := range map[string]int{writers: 3, writers + "{": 3,
		strings.Replace(writers, `"exit"`, `"exit`, 1): 1} {
		net, err := trace.ReadNet(t.Context(), open(text))
		if net == nil || net.Len(0)+net.Len(1) != events || (err == nil) != (text == writers) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if net, err := trace.ReadNet(t.Context(), open("{")); net != nil || err == nil {
		t.Errorf("%v, %v", net, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	net, err := trace.ReadNet(ctx, &stoppingReader{open(writers), cancel})
	var stopped *trace.ReadStoppedError
	if net != nil || !errors.As(err, &stopped) || stopped.Events != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", net, err)
	}
}

// stoppingReader ends a context with its first event.
type stoppingReader struct {
	event.Reader
	stop func()
}

func (r *stoppingReader) Next(e *event.Event) error {
	r.stop()
	return r.Reader.Next(e)
}

// A reader that is wrong itself is named.
func TestCheckBrokenReader(t *testing.T) {
	gone := errors.New("the disk is gone")
	in := io.MultiReader(strings.NewReader(writers), failingReader{gone})
	_, err := trace.Check(t.Context(), in, specification(t, "property p: t:(true)"), trace.Options{Name: "run.jsonl"})
	if !errors.Is(err, gone) || !strings.HasPrefix(err.Error(), "run.jsonl: ") {
		t.Error(err)
	}
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }
