package onthefly_test

import (
	"context"
	"fmt"
	"io"
	"log"

	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// Two tasks are checked while they write what they do. It is reported before the run is over that
// one can be in put and one in get: nothing orders these calls, although one was over when the
// other began.
func ExampleCheck() {
	file, err := spec.Parse("lock.tl", `
		property exclusive: not (t1:(in.put) and t2:(in.get))
		property once: t:(term.put) -> next t:(not in.put)
	`)
	if err != nil {
		log.Fatal(err)
	}

	in, out := io.Pipe()
	defer in.Close()
	trace := event.NewTextWriter(out, &event.Header{Tasks: []string{"a", "b"}})
	write := func(events ...*event.Event) {
		for _, e := range events {
			if err := trace.Write(e); err != nil {
				log.Fatal(err)
			}
		}
		if err := trace.Flush(); err != nil {
			log.Fatal(err)
		}
	}
	reported := make(chan bool)
	go func() {
		write(&event.Event{Task: "a", Enter: "put"}, &event.Event{Task: "a", Exit: "put"},
			&event.Event{Task: "a", Op: "end"})
		write(&event.Event{Task: "b", Enter: "get"})
		<-reported
		write(&event.Event{Task: "b", Exit: "get"}, &event.Event{Task: "b", Op: "end"})
		out.Close()
	}()

	source, err := event.OpenStream(in, "pipe")
	if err != nil {
		log.Fatal(err)
	}
	run := onthefly.Check(context.Background(), file.Properties, lsl.L3, source)
	fmt.Println(report.Line(<-run.Violations(), report.Style{}))
	reported <- true
	results, err := run.Wait()
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range results {
		fmt.Println(r.Property.Name, r.Verdict)
	}
	// Output:
	// exclusive: violated: t1 is a, after its event 1, t2 is b, after its event 1; it did not happen in this run, but the same events can come in an order that leads there
	// exclusive violated
	// once holds
}
