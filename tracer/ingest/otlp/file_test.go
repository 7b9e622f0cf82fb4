package otlp

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/antichain-go/antichain/tracer/event"
)

// spansOf returns a trace of n spans.
func spansOf(trace byte, n int) []Span {
	source := NewSource([]event.Binding{{Name: "service.name", Value: event.StringValue("a")}}, nil, "", "")
	spans := make([]Span, n)
	for i := range spans {
		spans[i] = Span{Trace: TraceID{trace}, ID: SpanID{1, byte(i)}, Name: "f", Start: uint64(i + 1),
			End: uint64(n + 1), Source: source}
		if i > 0 {
			spans[i].Parent = SpanID{1, byte(i - 1)}
		}
	}
	return spans
}

func frame(message []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(message))), message...)
}

func compressed(message []byte) []byte {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	return w.EncodeAll(message, nil)
}

func gzipped(file []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(file)
	w.Close()
	return b.Bytes()
}

// laidOut is a message as jq writes it.
func laidOut(t *testing.T, spans []Span) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, encodeJSON(t, spans), "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestForms reads the same spans from files of every form.
func TestForms(t *testing.T) {
	first, second := spansOf(7, 3), spansOf(3, 2)
	one, two := append(spansOf(7, 3)[:2:2], second...), first[2:]
	lines := append(append(encodeJSON(t, one), "\r\n\n"...), encodeJSON(t, two)...)
	frames := append(frame(Encode(one)), frame(Encode(two))...)
	for _, tt := range []struct {
		name string
		file []byte
	}{
		{"lines", lines},
		{"lines with an end", append(bytes.Clone(lines), '\n')},
		{"laid out", append(append(laidOut(t, one), '\n'), laidOut(t, two)...)},
		{"laid out in one line", append(encodeJSON(t, one), encodeJSON(t, two)...)},
		{"an array", []byte("[" + string(encodeJSON(t, one)) + "\n, " + string(encodeJSON(t, two)) + "]\n")},
		{"arrays and messages", []byte(" [\n" + string(laidOut(t, one)) + "]\n[]" + string(laidOut(t, two)))},
		{"gzip", gzipped(lines)},
		{"zstd", compressed(lines)},
		{"frames", frames},
		{"frames in gzip", gzipped(frames)},
		{"frames of JSON", append(frame(encodeJSON(t, one)), frame(encodeJSON(t, two))...)},
		{"frames of zstd", append(frame(compressed(Encode(one))), frame(compressed(encodeJSON(t, two)))...)},
		{"one message", append(Encode(one), Encode(two)...)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			traces, err := Read(bytes.NewReader(tt.file), "spans", Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if len(traces) != 2 || traces[0].ID != first[0].Trace || traces[1].ID != second[0].Trace {
				t.Fatalf("%v", traces)
			}
			for i, want := range [][]Span{first, second} {
				r, err := traces[i].Build(Options{})
				if err != nil {
					t.Fatal(err)
				}
				wanted, err := Build(want, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if text(t, r) != text(t, wanted) {
					t.Error("another run")
				}
				if want := "spans:" + traces[i].ID.String() + ":" + want[len(want)-1].ID.String(); r.Pos() != want {
					t.Errorf("position %s, not %s", r.Pos(), want)
				}
			}
		})
	}
}

// TestWrongFiles: mistakes have a position and a remedy, and what stands before them is read.
func TestWrongFiles(t *testing.T) {
	good := spansOf(1, 2)
	line := string(encodeJSON(t, good)) + "\n"
	message := string(frame(Encode(good)))
	limits := Limits{Message: len(line), Memory: 2000}
	for _, tt := range []struct {
		name, file string
		want       string
		before     int // traces
	}{
		{"empty", "", "spans: no spans in the file", 0},
		{"no spans", "{}\n{}", "spans: no spans in the file", 0},
		{"logs between spans", line + `{"resourceLogs":[]}` + "\n" + line + "{", "spans:4: not a message of spans", 1},
		{"something else", "package otlp", "spans: not a file of spans", 0},
		{"a trace", `{"antichain":1,"tasks":["a"]}` + "\n", "spans: no spans in the file", 0},
		{"cut line", line + line[:40], "spans:2: not a message of spans: bad JSON: unexpected end", 1},
		{"laid out badly", line + "{\n  \"resourceSpans\": [],,\n}",
			"spans:3:23: not a message of spans: bad JSON: invalid character ','", 1},
		{"laid out and cut", line + "{\n  \"resourceSpans\": [\n",
			"spans:2: not a message of spans: bad JSON: unexpected end", 1},
		{"a bracket too few", line + "{\"resourceSpans\": [\n}\n" + line,
			"spans:3:1: not a message of spans: bad JSON: invalid character '}'", 1},
		{"a quote too few", line + "{\"resourceSpans: []}\n" + line,
			"spans:2:21: not a message of spans: bad JSON: invalid character '\\n' in string", 1},
		{"text between", line + "  and " + line,
			"spans:2:3: not a message of spans: bad JSON: invalid character 'a' where a message begins", 1},
		{"cut array", "[" + line, "spans:2:1: not a message of spans: bad JSON: unexpected end of an array", 1},
		{"no comma", "[" + line + line + "]", "spans:2:1: not a message of spans: bad JSON: invalid character '{'", 1},
		{"closed twice", "[" + line + "]\n]", "spans:3:1: not a message of spans: bad JSON: invalid character ']'", 1},
		{"bad id", line + strings.Replace(line, `"spanId":"01`, `"spanId":"0x`, 1), "spans:2: not a message", 1},
		{"long line", line + "{" + strings.Repeat(" ", len(line)) + line[1:], "spans:2: a message of more than", 1},
		{"cut frame", message + message[:len(message)-1], "spans:message 2: truncated", 1},
		{"cut length", message + "\x00\x00", "spans:message 2: truncated", 1},
		{"long frame", message + "\x00\x01\x00\x00", "spans:message 2: a message of more than", 1},
		{"bad frame", message + "\x00\x00\x00\x02\x0a\x05", "spans:message 2: not a message of spans: unexpected EOF",
			1},
		{"bad zstd", message + string(frame([]byte("\x28\xb5\x2f\xfdxxx"))), "spans:message 2: bad compressed message",
			1},
		{"zstd that unfolds", message + string(frame(compressed(bytes.Repeat([]byte(" "), 1<<20)))),
			"spans:message 2: a message of more than", 1},
		{"cut gzip", string(gzipped([]byte(line))[:30]), "spans: truncated", 0},
		{"long message", string(Encode(good)) + strings.Repeat("\x0a\x00", len(line)),
			"spans:message 1: a message of more than", 0},
		{"memory", strings.Repeat(line, 9), "the spans take more than 2000 bytes", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			traces, err := Read(strings.NewReader(tt.file), "spans", limits)
			var e *event.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || e.Remedy == "" {
				t.Errorf("%v, not %s", err, tt.want)
			}
			if len(traces) != tt.before {
				t.Errorf("%d traces before", len(traces))
			}
		})
	}
}

// TestReadError: what a reader says is passed on.
func TestReadError(t *testing.T) {
	bad := errors.New("bad disk")
	for _, begin := range []string{"", "{", "\x00", "\x00\x00\x00\x05a", "\x0a"} {
		_, err := Read(&failingReader{strings.NewReader(begin), bad}, "spans", Limits{})
		if !errors.Is(err, bad) || !strings.HasPrefix(err.Error(), "spans") {
			t.Errorf("%q: %v", begin, err)
		}
	}
}

// failingReader fails where r ends.
type failingReader struct {
	r   *strings.Reader
	err error
}

func (f *failingReader) Read(p []byte) (int, error) {
	if f.r.Len() == 0 {
		return 0, f.err
	}
	return f.r.Read(p)
}

// FuzzRead: what is accepted are traces, and anything else is an error that can be printed.
func FuzzRead(f *testing.F) {
	spans := spansOf(1, 2)
	f.Add(append(encodeJSON(f, spans), '\n'))
	f.Add(append(append([]byte("[\n"), encodeJSON(f, spans)...), ",{}]"...))
	f.Add(frame(Encode(spans)))
	f.Add(frame(compressed(Encode(spans))))
	f.Add(Encode(spans))
	f.Fuzz(func(t *testing.T, file []byte) {
		traces, err := Read(bytes.NewReader(file), "spans", Limits{Message: 1 << 16, Memory: 1 << 20})
		if err != nil {
			printable(t, err)
		} else if len(traces) == 0 {
			t.Fatal("neither traces nor an error")
		}
		for _, trace := range traces {
			if _, err := trace.Build(Options{}); err != nil {
				printable(t, err)
			}
		}
	})
}

// oneNano is the least difference between clocks that is one.
var oneNano time.Duration = 1
