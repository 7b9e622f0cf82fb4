package sliced_test

import (
	"context"
	"fmt"
	"log"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/sliced"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
	"github.com/antichain-go/antichain/tracer/event"
)

// Some interleaving of the run has both tasks at the start of f, others have not.
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
	space, err := sliced.New(tracemodel.New(net), kripke.Unfair, 1000)
	if err != nil {
		log.Fatal(err)
	}
	checker := ctl.NewOnSpace(space)
	for _, text := range []string{"EF (a:(start.f) & b:(start.f))", "AF (a:(start.f) & b:(start.f))"} {
		f, err := temporal.Parse("formula", text, temporal.CTL)
		if err != nil {
			log.Fatal(err)
		}
		result, err := checker.Check(context.Background(), f)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(text, result.Holds)
	}
	// Output:
	// EF (a:(start.f) & b:(start.f)) true
	// AF (a:(start.f) & b:(start.f)) false
}
