package otlp_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
)

// A span is a task, which is created by its parent.
func ExampleRead() {
	const text = `{"resourceSpans":[{"scopeSpans":[{"spans":[` +
		`{"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"0000000000000001","name":"GET /cart","startTimeUnixNano":"1","endTimeUnixNano":"4"},` +
		`{"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"0000000000000002","parentSpanId":"0000000000000001","name":"query","startTimeUnixNano":"2","endTimeUnixNano":"3"}` +
		`]}]}]}`
	traces, err := otlp.Read(strings.NewReader(text), "spans.jsonl", otlp.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	run, err := traces[0].Build(otlp.Options{Sync: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("run", traces[0].ID)
	for e := new(event.Event); ; {
		err := run.Next(e)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		if e.Spawn != "" {
			fmt.Println(e.Task, "creates", e.Spawn)
		}
	}
	// Output:
	// run 4bf92f3577b34da6a3ce929d0e0e4736
	// env creates GET /cart 0000000000000001
	// GET /cart 0000000000000001 creates query 0000000000000002
}
