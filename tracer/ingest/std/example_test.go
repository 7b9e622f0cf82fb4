package std_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/std"
)

// An acquire comes after the release before it of the same lock.
func ExampleNewReader() {
	const text = `T0|acq(L)|1
T0|rel(L)|2
T1|acq(L)|3
`
	r := std.NewReader(strings.NewReader(text), "lock.std", std.Options{})
	for e := new(event.Event); ; {
		err := r.Next(e)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		if e.IsAction() { // and no operation for built-in properties
			fmt.Println(e.Task, e.Op, e.Obj, "after", e.After)
		}
	}
	// Output:
	// T0 lock L after []
	// T0 unlock L after []
	// T1 lock L after [{T0 2}]
}
