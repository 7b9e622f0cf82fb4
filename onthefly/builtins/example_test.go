package builtins_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/std"
)

// Two threads lock in opposite orders.
func Example() {
	const text = `T0|fork(T1)|1
T0|acq(A)|2
T0|acq(B)|3
T0|rel(B)|4
T0|rel(A)|5
T1|acq(B)|6
T1|acq(A)|7
T1|rel(A)|8
T1|rel(B)|9
`
	r := std.NewReader(strings.NewReader(text), "lock.std", std.Options{})
	h, err := r.Header()
	if err != nil {
		log.Fatal(err)
	}
	checker := builtins.New(h, builtins.Config{Properties: builtin.Properties})
	for e := new(event.Event); ; {
		err := r.Next(e)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		checker.Add(e)
	}
	for _, result := range checker.Results("") {
		fmt.Println(result.Name(), result.Verdict)
		if result.Finding != nil {
			fmt.Println(result.Finding.Text)
		}
	}
	// Output:
	// deadlock violated
	// T1 waits at 7 for A, which T0 holds; T0 waits at 3 for B, which T1 holds
	// race holds
}
