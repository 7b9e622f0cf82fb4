package tracemodel_test

import (
	"context"
	"fmt"
	"log"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
	"github.com/antichain-go/antichain/tracer/event"
)

// The states of a run are its global states, whatever order its events came in.
func Example() {
	builder, err := san.NewBuilder(&event.Header{Tasks: []string{"a", "b"}})
	if err != nil {
		log.Fatal(err)
	}
	for i, e := range []event.Event{{Task: "a", Enter: "f"}, {Task: "a", Exit: "f"}, {Task: "b", Enter: "f"},
		{Task: "b", Exit: "f"}} {
		if err := builder.Add(&e, fmt.Sprintf("event %d", i+1)); err != nil {
			log.Fatal(err)
		}
	}
	net, err := builder.Finish()
	if err != nil {
		log.Fatal(err)
	}
	run := tracemodel.New(net)
	starts, err := run.Atom("a:(start.f)")
	if err != nil {
		log.Fatal(err)
	}
	graph, err := kripke.Explore(context.Background(), run)
	if err != nil {
		log.Fatal(err)
	}
	held := 0
	for s := range kripke.State(graph.States()) {
		if run.Holds(starts, s) {
			held++
		}
	}
	fmt.Println("a is at the start of f in", held, "of", graph.States(), "global states")
	// Output:
	// a is at the start of f in 3 of 9 global states
}
