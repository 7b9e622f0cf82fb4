package san_test

import (
	"fmt"
	"log"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// A net says what precedes what.
func Example() {
	builder, err := san.NewBuilder(&event.Header{Tasks: []string{"a", "b"}})
	if err != nil {
		log.Fatal(err)
	}
	for i, e := range []event.Event{
		{Task: "a", Enter: "send"},
		{Task: "a", Exit: "send"},
		{Task: "b", Enter: "receive", After: []event.Ref{{Task: "a", K: 1}}},
	} {
		if err := builder.Add(&e, fmt.Sprintf("event %d", i+1)); err != nil {
			log.Fatal(err)
		}
	}
	net, err := builder.Finish()
	if err != nil {
		log.Fatal(err)
	}
	sent, left, received := san.Action{Task: 0, K: 1}, san.Action{Task: 0, K: 2}, san.Action{Task: 1, K: 1}
	fmt.Println(net.Describe(sent), "precedes", net.Describe(received), net.Precedes(sent, received))
	fmt.Println(net.Describe(left), "is concurrent with", net.Describe(received), net.Concurrent(left, received))
	// Output:
	// enter send precedes enter receive true
	// leave send is concurrent with enter receive true
}
