package event_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

func ExampleOpen() {
	const trace = `{"antichain":1,"tasks":["main"]}
{"t":"main","spawn":"main.1"}
{"t":"main.1","enter":"put","set":{"elem":21}}
{"t":"main","op":"recv","obj":"chan 1","after":[["main.1",2]]}
{"t":"main.1","after":[["main.1",2]]}
`
	r, err := event.Open(strings.NewReader(trace), "run.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	var e event.Event
	for {
		err := r.Next(&e)
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(r.Pos(), e.Task, e.Set, e.After)
	}
	// Output:
	// run.jsonl:2 main [] []
	// run.jsonl:3 main.1 [{elem 21}] []
	// run.jsonl:4 main [] [{main.1 2}]
	// run.jsonl:5: "after" names the event itself, event 2 of task "main.1"
}
