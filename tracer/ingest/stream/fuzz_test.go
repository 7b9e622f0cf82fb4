package stream

import (
	"io"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// netSink builds the net of a run, as a checker does.
func (netSink) Enter(*event.Header, string) {}

func (netSink) Operation(*event.Header, *event.Event) {}

type netSink struct {
	*san.Builder
	t *testing.T
}

func (s netSink) Step() error { return nil }

func (s netSink) Close(cut error) error {
	if stuck := s.PendingError(); stuck != nil && stuck.Error() == "" {
		s.t.Error("events wait without a reason")
	}
	if net := s.Partial(); cut == nil && net.Tasks() == 0 {
		s.t.Error("a run without tasks")
	}
	return nil
}

// nets begins a net for every run.
type nets struct{ t *testing.T }

func (n nets) Begin(_ string, h *event.Header) (Sink, error) {
	b, err := san.NewBuilder(h)
	if err != nil {
		return nil, err
	}
	b.RequireMutual()
	return netSink{b, n.t}, nil
}

func (n nets) Unbegun(string) {}

func (n nets) Fail(err error) {
	if err.Error() == "" {
		n.t.Error("a mistake without a reason")
	}
}

// FuzzServe reads two producers, whatever they send: mistakes are errors with a reason, and nothing
// panics or hangs.
func FuzzServe(f *testing.F) {
	const a = `{"antichain":1,"tasks":["a"],"run":"R"}` + "\n"
	const b = `{"antichain":1,"tasks":["b"],"run":"R"}` + "\n"
	for _, seed := range [][2]string{
		{a + `{"t":"a","spawn":"c"}` + "\n" + `{"t":"c","op":"end"}`, b + `{"t":"b","after":[["a",1]]}`},
		{a + `{"t":"a","with":[["b",1]]}`, b + `{"t":"b","with":[["a",1]]}`},
		{a + `{"t":"a","after":[["b",1]]}`, b + `{"t":"b","after":[["a",1]]}`},
		{a + `{"t":"b","op":"x"}`, b + `{"t":"env","spawn":"a"}`},
		{a + `{"t":"a","exit":"f"}`, `{"antichain":1,"tasks":["a","env"],"run":"R","const":{"N":1}}`},
		{a + "garbage", ""},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		s := &scriptedSource{several: true, traces: []io.Reader{strings.NewReader(first), strings.NewReader(second)}}
		if err := Serve(t.Context(), []Source{s}, nets{t}); err != nil {
			t.Error(err)
		}
	})
}
