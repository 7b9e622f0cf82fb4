package gotrace_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"runtime/trace"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/gotrace"
)

// Regions are functions, and logs set variables.
func ExampleNewReader() {
	var recorded bytes.Buffer
	if err := trace.Start(&recorded); err != nil {
		log.Fatal(err)
	}
	region := trace.StartRegion(context.Background(), "load page")
	trace.Log(context.Background(), "state", "idle")
	region.End()
	trace.Stop()

	r := gotrace.NewReader(&recorded, "app.trace", gotrace.Options{})
	for e := new(event.Event); ; {
		err := r.Next(e)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		switch {
		case e.Enter != "":
			fmt.Println("enters", e.Enter)
		case e.Op == "log":
			fmt.Println(e.Global)
		}
	}
	// Output:
	// enters load page
	// [{state "idle"}]
}
