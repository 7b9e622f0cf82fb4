package poset_test

import (
	"context"
	"fmt"
	"log"

	"github.com/antichain-go/antichain/internal/poset"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// Three tasks with four events each have 5³ global states if nothing orders them.
func Example() {
	builder, err := san.NewBuilder(&event.Header{Tasks: []string{"a", "b", "c"}})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 12 {
		if err := builder.Add(&event.Event{Task: string(rune('a' + i%3)), Op: "step"},
			fmt.Sprintf("event %d", i+1)); err != nil {
			log.Fatal(err)
		}
	}
	net, err := builder.Finish()
	if err != nil {
		log.Fatal(err)
	}
	p := poset.New(net)
	fmt.Println(p.Len(), "actions, longest chain", p.Height(), "global states", p.Ideals(context.Background()).Max)
	// Output:
	// 12 actions, longest chain 4 global states 125
}
