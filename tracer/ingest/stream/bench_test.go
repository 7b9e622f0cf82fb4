package stream

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/tracer/event"
)

// sinkhole is a handler, and a sink, that does nothing.
type sinkhole struct{}

func (sinkhole) Begin(string, *event.Header) (Sink, error) { return sinkhole{}, nil }
func (sinkhole) Fail(error)                                {}
func (sinkhole) Unbegun(string)                            {}
func (sinkhole) Add(*event.Event, string) error            { return nil }
func (sinkhole) Enter(*event.Header, string)               {}

func (sinkhole) Operation(*event.Header, *event.Event) {}

func (sinkhole) Creates(string) bool { return false }
func (sinkhole) End(string)          {}
func (sinkhole) Step() error         { return nil }
func (sinkhole) Close(error) error   { return nil }

// BenchmarkServe moves events of a stream to a sink: those of calls in 100 tasks.
func BenchmarkServe(b *testing.B) {
	const events = 100_000
	h := &event.Header{}
	for t := range 100 {
		h.Tasks = append(h.Tasks, fmt.Sprint("t", t))
	}
	for _, form := range []string{"text", "binary"} {
		b.Run(form, func(b *testing.B) {
			var trace bytes.Buffer
			var w event.Writer = event.NewTextWriter(&trace, h)
			if form == "binary" {
				w = event.NewBinaryWriter(&trace, h)
			}
			for k := range events {
				e := &event.Event{Task: h.Tasks[k%100], Enter: "f", At: "main.go:7"}
				if k/100%2 == 1 {
					e.Enter, e.Exit = "", "f"
				}
				if err := w.Write(e); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				s := &input{reader: bytes.NewReader(trace.Bytes())}
				if err := Serve(b.Context(), []Source{s}, sinkhole{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/events, "ns/event")
		})
	}
}
