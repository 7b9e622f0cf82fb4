package stream_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/stream"
)

// printer prints what happens in a run.
type printer struct{}

func (printer) Begin(name string, h *event.Header) (stream.Sink, error) {
	fmt.Println(name, "begins with", h.Tasks)
	return printer{}, nil
}
func (printer) Fail(err error) { fmt.Println(err) }

func (printer) Unbegun(source string) { fmt.Println("no run:", source) }

func (printer) Add(e *event.Event, pos string) error {
	fmt.Println(pos, e.Task, "enters", e.Enter)
	return nil
}
func (printer) Enter(*event.Header, string) {}

func (printer) Operation(*event.Header, *event.Event) {}

func (printer) Creates(string) bool { return false }
func (printer) End(task string)     { fmt.Println(task, "has ended") }
func (printer) Step() error         { return nil }
func (printer) Close(error) error   { return nil }

func ExampleServe() {
	const trace = `{"antichain":1,"tasks":["a"]}
{"t":"a","enter":"f"}
`
	r, err := event.Open(strings.NewReader(trace), "run.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	if err := stream.Serve(context.Background(), []stream.Source{stream.FromReader("the run", r)},
		printer{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// the run begins with [a]
	// run.jsonl:2 a enters f
}
