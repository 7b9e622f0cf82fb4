package santest

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// RingBuffer is the example of trace-format.md, the net of F96 figure 6: get waits until put
// has filled the buffer.
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

// Read builds the net of a trace in text form, which must be right.
func Read(t testing.TB, trace string) *san.Net {
	t.Helper()
	r := event.NewTextReader(strings.NewReader(trace), "trace")
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		t.Fatal(err)
	}
	for {
		var e event.Event
		err := r.Next(&e)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = b.AddFrom(&e, r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return net
}
