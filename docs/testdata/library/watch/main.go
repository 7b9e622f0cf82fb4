// Command watch checks a specification on the trace that is written to its standard input.
package main

import (
	"context"
	"log"
	"os"

	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

func main() {
	specification := must(spec.Parse("write.tl", string(must(os.ReadFile("write.tl")))))
	events := must(event.OpenStream(os.Stdin, "standard input"))
	run := onthefly.Check(context.Background(), specification.Properties, lsl.L3, events)
	for violation := range run.Violations() { // while the run goes on
		if err := report.WriteText(os.Stdout, violation, report.Style{}); err != nil {
			log.Fatal(err)
		}
	}
	for _, result := range must(run.Wait()) {
		if err := report.WriteJSON(os.Stdout, "standard input", result, report.Source{}); err != nil {
			log.Fatal(err)
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
