package event

import (
	"bytes"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// readAll reads what Open makes of b, up to an error.
func readAll(b []byte) (*Header, []*Event, error) {
	r, err := Open(bytes.NewReader(b), "trace")
	if err != nil {
		return nil, nil, err
	}
	h, err := r.Header()
	if err != nil {
		return nil, nil, err
	}
	var es []*Event
	var e Event
	for {
		if err := r.Next(&e); err == io.EOF {
			return h, es, nil
		} else if err != nil {
			return h, es, err
		}
		es = append(es, e.Clone())
	}
}

var sameTrace = cmpopts.EquateEmpty()

// newWriter returns a writer of one of the forms.
type newWriter func(io.Writer, *Header) Writer

var forms = map[string]newWriter{
	"text":   func(w io.Writer, h *Header) Writer { return NewTextWriter(w, h) },
	"binary": func(w io.Writer, h *Header) Writer { return NewBinaryWriter(w, h) },
}

func write(t rapid.TB, form newWriter, h *Header, es []*Event, flush func(i int) bool) []byte {
	var out bytes.Buffer
	w := form(&out, h)
	for i, e := range es {
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
		if flush != nil && flush(i) {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRoundTrip(t *testing.T) {
	for name, form := range forms {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			h := drawHeader(t)
			es := drawEvents(t, h)
			b := write(t, form, h, es, func(int) bool { return rapid.Bool().Draw(t, "flush") })
			gotHeader, got, err := readAll(b)
			if err != nil {
				t.Fatalf("%v\n%q", err, b)
			}
			if d := cmp.Diff(h, gotHeader, sameTrace); d != "" {
				t.Fatalf("header: %s", d)
			}
			if d := cmp.Diff(es, got, sameTrace); d != "" {
				t.Fatalf("events: %s", d)
			}
			if again := write(t, form, gotHeader, got, nil); name == "text" && !bytes.Equal(again, b) {
				t.Fatalf("%s\nis written the second time as\n%s", b, again)
			}
		}))
	}
}

// TestConvert goes from text to binary and back, as the verb convert does.
func TestConvert(t *testing.T) {
	es := serverEvents(20_000)
	text := write(t, forms["text"], serverHeader(), es, nil)
	h, got, err := readAll(text)
	if err != nil {
		t.Fatal(err)
	}
	h, got, err = readAll(write(t, forms["binary"], h, got, nil))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, write(t, forms["text"], h, got, nil)) {
		t.Error("the text is not the same after a binary trace in between")
	}
}

// TestManyNames runs over the sizes at which tables are emptied.
func TestManyNames(t *testing.T) {
	es := serverEvents(4 * 15 * resetTasks / 10)
	b := write(t, forms["binary"], serverHeader(), es, nil)
	if !bytes.Contains(b, []byte{blockReset, blockEvents}) {
		t.Fatal("no table was emptied")
	}
	_, got, err := readAll(b)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(es) {
		t.Fatalf("%d events, want %d", len(got), len(es))
	}
	for i := range es {
		if want, got := AppendText(nil, es[i]), AppendText(nil, got[i]); !bytes.Equal(want, got) {
			t.Fatalf("event %d: %s, want %s", i+1, got, want)
		}
	}
}

// TestSize holds the binary trace to what its doc promises.
func TestSize(t *testing.T) {
	es := serverEvents(100_000)
	b := write(t, forms["binary"], serverHeader(), es, nil)
	if per := float64(len(b)) / float64(len(es)); per > 6 {
		t.Errorf("%.1f bytes an event", per)
	}
}

func TestReadingAllocatesNothingInSteadyState(t *testing.T) {
	const events = 30_000
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			var es []*Event
			for i := range events {
				es = append(es, &Event{Task: "main", Op: "send", Obj: "chan 1", At: "a.go:1",
					Set:   []Binding{{"i", IntValue(int64(i))}, {"s", StringValue("text")}},
					After: []Ref{{"a", i/2 + 1}}})
			}
			r, err := Open(bytes.NewReader(write(t, form, serverHeader(), es, nil)), "trace")
			if err != nil {
				t.Fatal(err)
			}
			var e Event
			for range 1000 {
				if err := r.Next(&e); err != nil {
					t.Fatal(err)
				}
			}
			per := testing.AllocsPerRun(20_000, func() {
				if err := r.Next(&e); err != nil {
					t.Fatal(err)
				}
			})
			if per > 0.01 {
				t.Errorf("%v allocations an event", per)
			}
		})
	}
}
