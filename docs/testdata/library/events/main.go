// Command events checks a specification on events that it makes itself.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

func main() {
	specification := must(spec.Parse("write.tl", string(must(os.ReadFile("write.tl")))))
	ordered := []event.Event{
		{Task: "web", Enter: "write"},
		{Task: "web", Exit: "write"},
		{Task: "web", Op: "send", Obj: "lease"},
		{Task: "db", Op: "recv", Obj: "lease", After: []event.Ref{{Task: "web", K: 3}}},
		{Task: "db", Enter: "write"},
	}
	unordered := []event.Event{{Task: "web", Enter: "write"}, {Task: "db", Enter: "write"}}
	for _, events := range [][]event.Event{ordered, unordered} {
		net := netOf(events)
		for _, property := range specification.Properties {
			result := must(tlcheck.Check(context.Background(), net, property, tlcheck.Options{}))
			if err := report.WriteText(os.Stdout, result, report.Style{}); err != nil {
				log.Fatal(err)
			}
		}
	}
}

// netOf makes the net of events, which are in an order in which they can come.
func netOf(events []event.Event) *san.Net {
	builder := must(san.NewBuilder(&event.Header{Tasks: []string{"web", "db"}}))
	for i := range events {
		if err := builder.Add(&events[i], fmt.Sprintf("event %d", i+1)); err != nil {
			log.Fatal(err)
		}
	}
	return must(builder.Finish())
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
