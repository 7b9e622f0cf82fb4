package santest

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// RingBuffer is the example of docs/trace-format.md, the net of Frey 1996, figure 6: get waits
// until put has filled the buffer.
const RingBuffer = `{"antichain":1,"tasks":["main"],"run":"fig6"}
{"t":"main","spawn":"get"}
{"t":"main","spawn":"put"}
{"t":"put","enter":"put","set":{"elem":21}}
{"t":"get","enter":"get"}
{"t":"put","enter":"append"}
{"t":"put","global":{"b.last":1,"b.data":[0,21]}}
{"t":"put","exit":"append"}
{"t":"get","after":[["put",3]],"op":"wait","obj":"b not empty"}
{"t":"get","enter":"remove"}
`

// Read builds the net of a valid trace in text form.
func Read(t testing.TB, trace string) *san.Net {
	t.Helper()
	tr, err := Collect(event.NewTextReader(strings.NewReader(trace), "trace"))
	if err != nil {
		t.Fatal(err)
	}
	net, err := tr.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// Collect returns what a reader delivers up to the end of the trace or the error.
func Collect(r event.Reader) (tr Trace, err error) {
	tr.Header, err = r.Header()
	for err == nil {
		var e event.Event
		if err = r.Next(&e); err == nil {
			tr.Events = append(tr.Events, e.Clone())
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return tr, err
}

// Text returns the trace in text form.
func (tr Trace) Text() (string, error) {
	var b bytes.Buffer
	w := event.NewTextWriter(&b, tr.Header)
	for _, e := range tr.Events {
		if err := w.Write(e); err != nil {
			return "", err
		}
	}
	err := w.Close()
	return b.String(), err
}

// Closure returns the transitive closure of an order of n elements by brute force: before[i][j],
// for i < j, reports whether j comes after i. direct is the relation to close.
func Closure(n int, direct func(i, j int) bool) (before [][]bool) {
	before = make([][]bool, n)
	for i := range before {
		before[i] = make([]bool, n)
	}
	for j := range n {
		for i := range j {
			if !direct(i, j) {
				continue
			}
			before[i][j] = true
			for h := range i {
				before[h][j] = before[h][j] || before[h][i]
			}
		}
	}
	return before
}
