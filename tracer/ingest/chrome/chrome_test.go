package chrome_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/chrome"
)

// read returns the events of a file, each as "task: what, after".
func read(t *testing.T, text string) (*chrome.Reader, []string) {
	t.Helper()
	r := chrome.NewReader(strings.NewReader(text), "x.json", chrome.Options{})
	trace, err := santest.Collect(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Build(); err != nil {
		t.Fatalf("no trace: %v", err)
	}
	var all []string
	for _, e := range trace.Events {
		line := e.Task + ":"
		for _, part := range []struct{ name, text string }{{"enter", e.Enter}, {"exit", e.Exit}, {"op", e.Op}} {
			if part.text != "" {
				line += " " + part.name + " " + part.text
			}
		}
		for _, b := range slices.Concat(e.Set, e.Global) {
			line += fmt.Sprintf(" %s=%v", b.Name, b.Value)
		}
		for _, a := range e.After {
			line += fmt.Sprintf(" after %s %d", a.Task, a.K)
		}
		all = append(all, line)
	}
	return r, all
}

func event1(fields string) string { return `{"pid":1,"tid":1,` + fields + `}` }
func event2(fields string) string { return `{"pid":1,"tid":2,` + fields + `}` }

func TestRead(t *testing.T) {
	named := `{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"worker"}}`
	tests := []struct {
		name, text string
		want       []string
	}{
		{"slices nest, longest first", `[` + event1(`"ph":"X","ts":5,"dur":1,"name":"b"`) + `,` +
			event1(`"ph":"X","ts":5,"dur":9,"name":"a","args":{"n":1}`) + `,` +
			event1(`"ph":"B","ts":7,"name":"c"`) + `,` + event1(`"ph":"E","ts":8,"args":{"r":2}`) + `]`,
			[]string{"thread 1: enter a n=1", "thread 1: enter b", "thread 1: exit b", "thread 1: enter c",
				"thread 1: exit c r=2", "thread 1: exit a"}},
		{"one begins where another ends", `[` + event1(`"ph":"X","ts":0,"dur":5,"name":"a"`) + `,` +
			event1(`"ph":"X","ts":5,"dur":5,"name":"b"`) + `]`,
			[]string{"thread 1: enter a", "thread 1: exit a", "thread 1: enter b", "thread 1: exit b"}},
		{"a flow between threads with names", `{"displayTimeUnit":"ms","traceEvents":[` +
			event1(`"ph":"X","ts":0,"dur":5,"name":"post"`) + `,` +
			event1(`"ph":"s","ts":5,"id":"0x1","name":"f"`) + `,` +
			event2(`"ph":"f","ts":6,"id":"0x1","name":"f","bp":"e"`) + `,` + named + `],"more":{"a":[1]}}`,
			[]string{"thread 1: enter post", "thread 1: op flow", "thread 1: exit post",
				"worker: op flow after thread 1 2"}},
		{"a flow ends where the next slice begins, and is of its own time", `[` +
			event1(`"ph":"s","ts":0,"id":1,"name":"f"`) + `,` + event2(`"ph":"f","ts":1,"id":1,"name":"f"`) + `,` +
			event1(`"ph":"s","ts":2,"id":1,"name":"f"`) + `,` + event2(`"ph":"X","ts":3,"dur":1,"name":"run"`) + `]`,
			[]string{"thread 1: op flow", "thread 1: op flow", "thread 2: enter run after thread 1 1",
				"thread 2: exit run"}},
		{"flows at the same time as slices", `[` + event1(`"ph":"s","ts":0,"id":1`) + `,` +
			event1(`"ph":"X","ts":0,"dur":1,"name":"a"`) + `,` + event2(`"ph":"X","ts":1,"dur":1,"name":"b"`) + `,` +
			event2(`"ph":"f","ts":1,"id":1`) + `]`,
			[]string{"thread 1: enter a", "thread 1: op flow", "thread 1: exit a", "thread 2: enter b after thread 1 2",
				"thread 2: exit b"}},
		{"a flow goes on", `[` + event1(`"ph":"s","ts":0,"id":1`) + `,` + event2(`"ph":"t","ts":1,"id":1`) + `,` +
			`{"pid":1,"tid":3,"ph":"f","ts":2,"id":1,"bp":"e"}]`,
			[]string{"thread 1: op flow", "thread 2: op flow after thread 1 1", "thread 3: op flow after thread 2 1"}},
		{"slices name a flow", `[` + event1(`"ph":"X","ts":0,"dur":9,"name":"a","bind_id":"7","flow_out":true`) + `,` +
			event2(`"ph":"X","ts":1,"dur":1,"name":"b","bind_id":"7","flow_in":true`) + `]`,
			[]string{"thread 1: enter a", "thread 2: enter b after thread 1 1", "thread 2: exit b",
				"thread 1: exit a"}},
		{"asynchronous slices and instants", `[` + event1(`"ph":"b","ts":0,"cat":"net","id":3,"name":"get"`) + `,` +
			event2(`"ph":"n","ts":1,"cat":"net","id":3,"name":"sent","args":{"n":1}`) + `,` +
			event2(`"ph":"b","ts":1,"cat":"net","id":4,"name":"get"`) + `,` +
			event2(`"ph":"e","ts":2,"cat":"net","id":3,"name":"get"`) + `]`,
			[]string{"get: enter get", `get: n=1 event="sent"`, "get 2: enter get", "get: exit get"}},
		{"what is written at last lacks the end, times are texts",
			`[` + event1(`"ph":"B","ts":"1.5","name":"a"`) + ",\n",
			[]string{"thread 1: enter a"}},
		{"processes", `[{"pid":1,"tid":1,"ph":"i","ts":1,"name":"x"},{"pid":2,"tid":1,"ph":"i","ts":0,"name":"y"},` +
			`{"ph":"M","pid":2,"name":"process_name","args":{"name":"gpu"}},{"ph":"C","pid":2,"ts":1,"args":{"n":1}}]`,
			[]string{`gpu/thread 1: event="y"`, `process 1/thread 1: event="x"`}},
	}
	for _, test := range tests {
		r, got := read(t, test.text)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
		if h, _ := r.Header(); h.Caveat != "" || len(r.Warnings()) > 0 {
			t.Errorf("%s: %q, %q", test.name, h.Caveat, r.Warnings())
		}
	}
}

// What does not fit is counted.
func TestIrregular(t *testing.T) {
	r, got := read(t, `[`+event1(`"ph":"E","ts":0`)+`,`+event1(`"ph":"X","ts":1,"dur":4,"name":"a"`)+`,`+
		event1(`"ph":"X","ts":3,"dur":4,"name":"b"`)+`,`+event1(`"ph":"f","ts":6,"id":1,"bp":"e"`)+`]`)
	want := []string{"thread 1: enter a", "thread 1: enter b", "thread 1: exit b", "thread 1: exit a",
		"thread 1: op flow"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	wanted := []string{"slices that end after the one around them are taken to end with it: 1",
		"ends of slices without a beginning are left out: 1"}
	if h, _ := r.Header(); !strings.HasPrefix(h.Caveat, "of 1 of the flows that end") ||
		!slices.Equal(r.Warnings(), wanted) {
		t.Errorf("%q, %q", h.Caveat, r.Warnings())
	}
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		``:                                  "x.json:1: bad JSON: unexpected end",
		`7`:                                 "x.json:1: neither an array nor an object",
		"{\n\"a\":1}":                       `x.json:1: no "traceEvents" in the object`,
		`{"traceEvents":1}`:                 `x.json:1: "traceEvents" is no array`,
		`{"traceEvents":[`:                  "x.json:1: bad JSON: unexpected end",
		"[\n{\"ph\":\n}]":                   "x.json:3: bad JSON: invalid character '}' looking for beginning of value",
		"[\n{\"ph\":":                       "x.json:2: bad JSON: unexpected end",
		`[1]`:                               "x.json:1: an event that is no object",
		`[{"ph":"M"}]`:                      "x.json: no event of a track in the file",
		"[\n\n{\"ph\":\"i\"}]":              `x.json:3: an event without "ts"`,
		`[{"ph":"i","ts":"soon"}]`:          `x.json:1: "ts" is no time in microseconds`,
		`[{"ph":"X","ts":1e300,"dur":1}]`:   `x.json:1: "ts" is no time in microseconds`,
		`[{"ph":"X","ts":1,"dur":{"a":1}}]`: `x.json:1: "dur" is no time in microseconds`,
	} {
		_, err := santest.Collect(chrome.NewReader(strings.NewReader(text), "x.json", chrome.Options{}))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	big := chrome.NewReader(strings.NewReader("[         ]"), "x.json", chrome.Options{Size: 5})
	if _, err := big.Header(); err == nil || !strings.Contains(err.Error(), "more than 5 bytes") {
		t.Errorf("%v", err)
	}
}

// FuzzRead feeds arbitrary files: what is accepted is a trace, and anything else an error with a
// position.
func FuzzRead(f *testing.F) {
	f.Add(`[{"ph":"X","ts":1,"dur":2,"name":"a"},{"ph":"s","ts":1,"id":1},{"tid":2,"ph":"f","ts":1,"id":1}]`)
	f.Add(`{"traceEvents":[{"ph":"b","ts":1,"id2":{"local":"1"}},{"ph":"E","ts":1}]}`)
	f.Add(`[{"ph":"B","ts":1,"bind_id":1,"flow_in":true,"flow_out":true},{"ph":"X","ts":1,"dur":9},{"ph":"E","ts":2},`)
	f.Fuzz(func(t *testing.T, text string) {
		trace, err := santest.Collect(chrome.NewReader(strings.NewReader(text), "x.json", chrome.Options{}))
		if err != nil {
			if _, ok := errors.AsType[*event.Error](err); !ok {
				t.Fatalf("%v", err)
			}
			return
		}
		if _, err := trace.Build(); err != nil {
			t.Fatalf("no trace: %v", err)
		}
	})
}
