package ndjson_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/ndjson"
)

// The mapping says which field is the task, and that an order is received after it was sent.
func ExampleRead() {
	mapping, err := ndjson.ParseMapping("mapping.json", []byte(`{
		"task": "svc", "event": "msg",
		"send": {"key": "id", "if": {"msg": "order"}},
		"receive": {"key": "id", "if": {"msg": "order received"}}
	}`))
	if err != nil {
		log.Fatal(err)
	}
	const text = `{"svc":"db","msg":"order received","id":"o1"}
{"svc":"web","msg":"order","id":"o1"}
`
	runs, err := ndjson.Read(strings.NewReader(text), "shop.log", mapping, ndjson.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for e := new(event.Event); ; {
		err := runs[0].Next(e)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(runs[0].Pos(), e.Task, e.Op, "after", e.After)
	}
	// Output:
	// shop.log:2 web order after []
	// shop.log:1 db order received after [{web 1}]
}
