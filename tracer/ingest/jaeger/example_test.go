package jaeger_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/antichain-go/antichain/tracer/ingest/jaeger"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
)

// Each trace is a run of spans.
func ExampleRead() {
	const text = `{"data":[{"traceID":"a1","spans":[
		{"traceID":"a1","spanID":"1","operationName":"GET /cart","startTime":1,"duration":3,"processID":"p1"},
		{"traceID":"a1","spanID":"2","operationName":"query","startTime":2,"duration":1,"processID":"p2",
			"references":[{"refType":"CHILD_OF","traceID":"a1","spanID":"1"}]}
	],"processes":{"p1":{"serviceName":"shop"},"p2":{"serviceName":"stock"}}}]}`
	traces, err := jaeger.Read(strings.NewReader(text), "trace.json", otlp.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	run, err := traces[0].Build(otlp.Options{Sync: true})
	if err != nil {
		log.Fatal(err)
	}
	header, err := run.Header()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(header.Run, len(traces[0].Spans))
	// Output: 000000000000000000000000000000a1 2
}
