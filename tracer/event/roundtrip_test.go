package event

import (
	"bytes"
	"io"
	"strconv"
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

// TestTablesAreEmptied writes with tables that are full all the time.
func TestTablesAreEmptied(t *testing.T) {
	es := serverEvents(3000)
	for name, sizes := range map[string]tableSizes{
		"all":     {},
		"strings": {strings: 40, bytes: 1e9, tasks: 1e9, shapes: 1e9, names: 1e9},
		"bytes":   {strings: 1e9, bytes: 200, tasks: 1e9, shapes: 1e9, names: 1e9},
		"tasks":   {strings: 1e9, bytes: 1e9, tasks: 20, shapes: 1e9, names: 1e9},
		"shapes":  {strings: 1e9, bytes: 1e9, tasks: 1e9, shapes: 10, names: 1e9},
		"names":   {strings: 1e9, bytes: 1e9, tasks: 1e9, shapes: 1e9, names: 4},
	} {
		t.Run(name, func(t *testing.T) {
			var w *BinaryWriter
			form := func(out io.Writer, h *Header) Writer {
				w = NewBinaryWriter(out, h)
				w.enc.sizes = sizes
				return w
			}
			b := write(t, form, serverHeader(), es, func(i int) bool { return i%70 == 69 })
			if w.enc.epoch == 0 {
				t.Error("no table was emptied")
			}
			_, got, err := readAll(b)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(lines(es), lines(got)); d != "" {
				t.Error(d)
			}
		})
	}
}

func lines(es []*Event) []string {
	var ls []string
	for _, e := range es {
		ls = append(ls, string(AppendText(nil, e)))
	}
	return ls
}

// TestEndedTasksAreForgotten: what a writer remembers depends on the tasks that live.
func TestEndedTasksAreForgotten(t *testing.T) {
	w := NewBinaryWriter(io.Discard, serverHeader())
	w.enc.sizes = tableSizes{}
	for i := range maxEnded + 1 {
		task := strconv.Itoa(i)
		if err := w.Write(&Event{Task: task, Op: OpEnd}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if len(w.check.tasks) != 0 || len(w.enc.tasks) != 0 {
		t.Errorf("%d and %d tasks are remembered", len(w.check.tasks), len(w.enc.tasks))
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
