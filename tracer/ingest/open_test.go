package ingest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/trace"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest"
	"github.com/antichain-go/antichain/tracer/ingest/ndjson"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/shiviz"
)

const text = `{"antichain":1,"tasks":["a"]}
{"t":"a","enter":"f"}
`

// file returns a file of one of the packages below.
func file(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func binary(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	w := event.NewBinaryWriter(&b, &event.Header{Tasks: []string{"a"}})
	if err := w.Write(&event.Event{Task: "a", Enter: "f"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func execution(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	if err := trace.Start(&b); err != nil {
		t.Skip(err)
	}
	trace.Log(context.Background(), "state", "idle")
	trace.Stop()
	return b.String()
}

// protobuf returns a file of spans in protocol buffers.
func protobuf(t *testing.T, jsonl string) string {
	t.Helper()
	traces, err := otlp.Read(strings.NewReader(jsonl), "spans", otlp.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return string(otlp.Encode(traces[0].Spans))
}

// inputs are one of each format, and of each form that looks different.
func inputs(t *testing.T) []struct {
	format ingest.Format
	text   string
} {
	spans := file(t, "otlp/testdata/cart.jsonl")
	return []struct {
		format ingest.Format
		text   string
	}{
		{ingest.Trace, text},
		{ingest.Trace, "\n  {\"tasks\":[\"a\"],\"antichain\":1}\n"},
		{ingest.Trace, binary(t)},
		{ingest.ShiViz, file(t, "shiviz/testdata/chord.log")},
		{ingest.ShiViz, file(t, "shiviz/testdata/facebook.log")},
		{ingest.ShiViz, "(?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})\n\nstart\na {\"a\":1}\n"},
		{ingest.STD, file(t, "std/testdata/example.std")},
		{ingest.OTLP, spans},
		{ingest.OTLP, protobuf(t, spans)},
		{ingest.Jaeger, file(t, "jaeger/testdata/order.json")},
		{ingest.Zipkin, file(t, "zipkin/testdata/order.json")},
		{ingest.Chrome, file(t, "chrome/testdata/frames.json")},
		{ingest.Chrome, `[{"args":{"n":1},"ph":"i","ts":1}`},
		{ingest.Gotrace, execution(t)},
	}
}

// events counts the events of all runs.
func events(t *testing.T, runs []ingest.Run) (n int) {
	t.Helper()
	for _, run := range runs {
		if _, err := run.Header(); err != nil {
			t.Fatal(err)
		}
		var e event.Event
		for {
			err := run.Next(&e)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
	}
	return n
}

// A format that is found out is read as one that is given, also from a compressed input.
func TestDetect(t *testing.T) {
	for _, tt := range inputs(t) {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := io.WriteString(w, tt.text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		given, err := ingest.Open(t.Context(), strings.NewReader(tt.text), "input", ingest.Options{Format: tt.format})
		if err != nil {
			t.Errorf("%s: %v", tt.format, err)
			continue
		}
		want := events(t, given)
		for _, in := range []io.Reader{strings.NewReader(tt.text), &packed} {
			found, err := ingest.Open(t.Context(), in, "input", ingest.Options{})
			if err != nil {
				t.Errorf("%s: %v", tt.format, err)
			} else if n := events(t, found); n != want {
				t.Errorf("%s: %d events, want %d: %.80q", tt.format, n, want, tt.text)
			}
		}
	}
}

// TestByteOrderMark reads texts as some editors save them. The mark is no part of the first line.
func TestByteOrderMark(t *testing.T) {
	const mark = "\ufeff"
	mapping, err := ndjson.ParseMapping("mapping", []byte(mark+`{"task": "svc"}`))
	if err != nil {
		t.Fatal(err)
	}
	all := append(inputs(t), struct {
		format ingest.Format
		text   string
	}{ingest.NDJSON, `{"svc":"web"}`})
	for _, tt := range all {
		if !utf8.ValidString(tt.text) || strings.HasPrefix(tt.text, "go 1.") {
			continue
		}
		open := func(format ingest.Format, text string) []string {
			o := ingest.Options{Format: format}
			if tt.format == ingest.NDJSON {
				o.Mapping = mapping
			}
			runs, err := ingest.Open(t.Context(), strings.NewReader(text), "input", o)
			if err != nil {
				t.Fatalf("%s: %v", tt.format, err)
			}
			return described(t, runs)
		}
		want := open(tt.format, tt.text)
		for _, format := range []ingest.Format{"", tt.format} {
			if d := cmp.Diff(want, open(format, mark+tt.text)); d != "" {
				t.Errorf("%s: %.80q: %s", tt.format, tt.text, d)
			}
		}
	}
}

// TestUTF16 reads texts as some editors and shells save them. The error says what is wrong with the
// text, whether the format is detected or given.
func TestUTF16(t *testing.T) {
	mapping, err := ndjson.ParseMapping("mapping", []byte(`{"task": "svc"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []ingest.Format{"", ingest.Trace, ingest.STD, ingest.ShiViz, ingest.OTLP, ingest.NDJSON} {
		for _, order := range []string{"little-endian", "big-endian"} {
			o := ingest.Options{Format: format}
			if format == ingest.NDJSON {
				o.Mapping = mapping
			}
			runs, err := ingest.Open(t.Context(), bytes.NewReader(inUTF16("{\"svc\":1}\n{}\n", order)), "input", o)
			if err == nil {
				_, err = runs[0].Header()
			}
			if err == nil {
				err = runs[0].Next(&event.Event{})
			}
			if err == nil || !strings.HasPrefix(err.Error(), "input") ||
				!strings.HasSuffix(err.Error(),
					": the text is in UTF-16, not in UTF-8 (convert it: iconv -f UTF-16 -t UTF-8)") {
				t.Errorf("%q, %v: %v", format, order, err)
			}
		}
	}
	for _, order := range []string{"little-endian", "big-endian"} {
		if _, err := ndjson.ParseMapping("mapping", inUTF16(`{"task": "svc"}`, order)); err == nil ||
			!strings.HasPrefix(err.Error(), "mapping: the text is in UTF-16") {
			t.Error(err)
		}
	}
}

// inUTF16 returns a text in UTF-16 behind a byte order mark.
func inUTF16(text, order string) (b []byte) {
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		low, high := byte(unit), byte(unit>>8)
		if order == "big-endian" {
			low, high = high, low
		}
		b = append(b, low, high)
	}
	return b
}

// described returns the headers and the events of all runs, with their positions.
func described(t *testing.T, runs []ingest.Run) (all []string) {
	t.Helper()
	for _, run := range runs {
		h, err := run.Header()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprint(run.ID, h.Tasks))
		var e event.Event
		for err = run.Next(&e); err == nil; err = run.Next(&e) {
			all = append(all, run.Pos()+string(event.AppendText(nil, &e)))
		}
		if err != io.EOF {
			t.Fatal(err)
		}
	}
	return all
}

// A mapping and an expression say which format it is.
func TestOptionsChoose(t *testing.T) {
	mapping, err := ndjson.ParseMapping("mapping", []byte(`{"task": "svc", "event": "msg", "run": "id"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text string
		o    ingest.Options
		ids  string
	}{
		{`{"svc":"web","msg":"order","id":"1"}` + "\n" + `{"svc":"web","msg":"order","id":"2"}`,
			ingest.Options{Mapping: mapping}, "1 2"},
		{"a|{\"a\":1}|start", ingest.Options{ShiViz: shiviz.Options{Expression: `(?<host>\S)\|(?<clock>.*)\|(?<event>.*)`}}, ""},
	} {
		runs, err := ingest.Open(t.Context(), strings.NewReader(tt.text), "input", tt.o)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, r := range runs {
			ids = append(ids, r.ID)
		}
		if got := strings.Join(ids, " "); got != tt.ids || events(t, runs) == 0 {
			t.Errorf("%s: runs %q, want %q", tt.text, got, tt.ids)
		}
	}
}

// Errors say what to do.
func TestOpenErrors(t *testing.T) {
	broken := readerFunc(func([]byte) (int, error) { return 0, errors.New("the disk is gone") })
	for _, tt := range []struct {
		in   io.Reader
		o    ingest.Options
		want string
	}{
		{strings.NewReader("once upon a time"), ingest.Options{},
			"log: neither a trace nor a log of a recognizable format (say which of the formats it has: trace, shiviz,"},
		{strings.NewReader(""), ingest.Options{}, "log: neither a trace"},
		{strings.NewReader(text), ingest.Options{Format: "xml"}, `"xml" is not a format: the formats are trace,`},
		{strings.NewReader("{}"), ingest.Options{Format: ingest.NDJSON},
			"log: a log of JSON objects without a mapping"},
		{broken, ingest.Options{Format: ingest.OTLP}, "the disk is gone"},
		{broken, ingest.Options{}, "the disk is gone"},
		{strings.NewReader(""), ingest.Options{ShiViz: shiviz.Options{Expression: "("}}, `"("`},
	} {
		runs, err := ingest.Open(t.Context(), tt.in, "log", tt.o)
		if runs != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, %v, want %s", runs, err, tt.want)
		}
	}
}

// The decompressed size of an input is bounded, whatever it is.
func TestUnfolded(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, text+strings.Repeat("\n", 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, format := range []ingest.Format{"", ingest.Trace} {
		runs, err := ingest.Open(t.Context(), bytes.NewReader(packed.Bytes()), "log",
			ingest.Options{Format: format, Unfolded: 1 << 18})
		var e event.Event
		for err == nil {
			err = runs[0].Next(&e)
		}
		if err == io.EOF || !strings.Contains(err.Error(), "262144") {
			t.Errorf("format %q: %v", format, err)
		}
	}
}

// A run is chosen by its id, or as the only one.
func TestChoose(t *testing.T) {
	named := []ingest.Run{{ID: "a"}, {ID: "b"}}
	for _, tt := range []struct {
		runs     []ingest.Run
		id, want string
	}{
		{named, "b", ""},
		{named[:1], "", ""},
		{named, "", "log has 2 runs: choose one; there are a and b"},
		{named, "c", "there is no run c in log, which has a and b"},
		{[]ingest.Run{{}}, "c", "there is no run c in log: its only run has no name"},
	} {
		run, err := ingest.Choose(tt.runs, tt.id, "log")
		var no *ingest.RunError
		switch {
		case tt.want == "" && (err != nil || tt.id != "" && run.ID != tt.id):
			t.Errorf("run %q: %v, %v", tt.id, run.ID, err)
		case tt.want != "" && (!errors.As(err, &no) || err.Error() != tt.want):
			t.Errorf("run %q: %v, want %s", tt.id, err, tt.want)
		}
	}
}

// Reading ends with the context, also behind Open.
func TestOpenContext(t *testing.T) {
	for _, format := range []ingest.Format{ingest.Trace, ingest.OTLP} {
		ctx, cancel := context.WithCancelCause(t.Context())
		in := readerFunc(func(b []byte) (int, error) {
			if ctx.Err() != nil {
				return 0, errors.New("read on")
			}
			cancel(errors.New("enough"))
			return copy(b, text), nil
		})
		runs, err := ingest.Open(ctx, in, "log", ingest.Options{Format: format})
		var e event.Event
		for err == nil {
			err = runs[0].Next(&e)
		}
		if !strings.Contains(err.Error(), "enough") {
			t.Errorf("%s: %v", format, err)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// TestShiVizIsNotSTD has a line of the STD format below one that is none.
func TestShiVizIsNotSTD(t *testing.T) {
	runs, err := ingest.Open(t.Context(), strings.NewReader("n0 {\"n0\":1}\nsend a|r|b\n"), "n", ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := runs[0].Header(); err != nil {
		t.Error(err)
	}
}

// TestEndInMidLine ends the context in the middle of a line of each format that is read line by
// line.
func TestEndInMidLine(t *testing.T) {
	cause := errors.New("enough")
	std := strings.Repeat("T0|w(x)|0\n", 100)
	objects := file(t, "ndjson/testdata/shop.log")
	mapping, err := ndjson.ParseMapping("mapping.json", []byte(file(t, "ndjson/testdata/shop.json")))
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]string{"std": std, "ndjson": objects} {
		ctx, cancel := context.WithCancelCause(t.Context())
		options := ingest.Options{Format: ingest.STD}
		if name == "ndjson" {
			options = ingest.Options{Mapping: mapping}
		}
		half := strings.NewReader(in[:len(in)/2+3])
		runs, err := ingest.Open(ctx, &cancelingReader{half, func() { cancel(cause) }}, "n", options)
		for i := 0; err == nil && i < len(runs); i++ {
			for e := new(event.Event); err == nil; {
				err = runs[i].Next(e)
			}
		}
		if !errors.Is(err, cause) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// cancelingReader is a reader that ends a context behind what it has.
type cancelingReader struct {
	*strings.Reader
	end func()
}

func (r *cancelingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p[:min(len(p), 50)])
	if r.Len() == 0 {
		r.end()
	}
	return n, err
}
