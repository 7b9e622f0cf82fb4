package zipkin_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/zipkin"
)

// A call that client and server report as one span becomes two.
func ExampleRead() {
	const text = `[
		{"traceId":"a1","id":"1","kind":"CLIENT","name":"get","timestamp":1,"duration":3},
		{"traceId":"a1","id":"1","kind":"SERVER","name":"get /cart","shared":true,"timestamp":2,"duration":1}
	]`
	traces, err := zipkin.Read(strings.NewReader(text), "trace.json", otlp.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range traces[0].Spans {
		fmt.Println(s.Name, s.ID, "in", s.Parent)
	}
	// Output:
	// get 0000000000000001 in 0000000000000000
	// get /cart 8000000000000001 in 0000000000000001
}
