package ingest_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest"
)

// The format is found out.
func ExampleOpen() {
	const text = `T0|fork(T1)|main.go:7
T0|w(x)|main.go:8
T1|r(x)|main.go:3
`
	runs, err := ingest.Open(context.Background(), strings.NewReader(text), "race.std", ingest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var e event.Event
	for {
		err := runs[0].Next(&e)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		if e.IsAction() { // and no operation for built-in properties
			fmt.Println(runs[0].Pos(), e.Task, e.Op, e.Obj)
		}
	}
	// Output:
	// race.std:1 T0 go T1
	// race.std:2 T0 write x
	// race.std:3 T1 read x
}
