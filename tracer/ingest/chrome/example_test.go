package chrome_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/chrome"
)

// The arrow from one thread to another one is the only order between them.
func ExampleNewReader() {
	const text = `[
		{"ph":"X","pid":1,"tid":1,"ts":10,"dur":5,"name":"load"},
		{"ph":"s","pid":1,"tid":1,"ts":12,"id":7,"name":"post"},
		{"ph":"f","pid":1,"tid":2,"ts":20,"id":7,"name":"post"},
		{"ph":"X","pid":1,"tid":2,"ts":21,"dur":1,"name":"run"}
	]`
	r := chrome.NewReader(strings.NewReader(text), "trace.json", chrome.Options{})
	for e := new(event.Event); ; {
		err := r.Next(e)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Task, e.Enter+e.Exit+e.Op, "after", e.After)
	}
	// Output:
	// thread 1 load after []
	// thread 1 flow after []
	// thread 1 load after []
	// thread 2 run after [{thread 1 2}]
	// thread 2 run after []
}
