package record_test

import (
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// The records of a trace can come twice, and in another order.
func Example() {
	var sent []*record.Record
	w, err := record.NewWriter("run 1", "web", &event.Header{Tasks: []string{"a"}},
		record.Options{Text: true, Events: 1},
		func(r *record.Record) error { sent = append(sent, r); return nil })
	if err != nil {
		log.Fatal(err)
	}
	for _, function := range []string{"f", "g"} {
		if err := w.Write(&event.Event{Task: "a", Enter: function}); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	var sources record.Sources
	for _, r := range []*record.Record{sent[1], sent[0], sent[0], sent[2]} {
		ready, err := sources.Take(nil, r, 0)
		if err != nil {
			log.Fatal(err)
		}
		for _, r := range ready {
			fmt.Printf("%d %s: %s", r.Seq, r.Source, r.Value)
		}
	}
	fmt.Println("ended:", sources.Ended())
	// Output:
	// 1 web: {"antichain":1,"tasks":["a"]}
	// {"t":"a","enter":"f"}
	// 2 web: {"t":"a","enter":"g"}
	// 3 web: ended: true
}
