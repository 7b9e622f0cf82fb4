package tlcheck_test

import (
	"context"
	"fmt"
	"log"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// The witness is an order of events that did not happen in this run.
func ExampleCheck() {
	builder, err := san.NewBuilder(&event.Header{Tasks: []string{"web", "db"}})
	if err != nil {
		log.Fatal(err)
	}
	for i, e := range []event.Event{{Task: "web", Enter: "write"}, {Task: "web", Exit: "write"}, {Task: "db", Enter: "write"}} {
		if err := builder.Add(&e, fmt.Sprintf("event %d", i+1)); err != nil {
			log.Fatal(err)
		}
	}
	net, err := builder.Finish()
	if err != nil {
		log.Fatal(err)
	}
	property, err := spec.ParseFormula("not (a:(in.write) and b:(in.write)) if a != b")
	if err != nil {
		log.Fatal(err)
	}
	result, err := tlcheck.Check(context.Background(), net, property, tlcheck.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Verdict)
	for _, a := range result.Witness.Schedule {
		fmt.Println(net.Name(a.Task), net.Describe(a))
	}
	// Output:
	// violated
	// web enter write
	// db enter write
}
