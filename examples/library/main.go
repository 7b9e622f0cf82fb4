// Command library checks a property of a trace that it has in memory.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

const trace = `{"antichain":1,"tasks":["web","db"]}
{"t":"web","enter":"write"}
{"t":"web","exit":"write"}
{"t":"db","enter":"write"}
`

func main() {
	property, err := spec.ParseFormula("not (a:(in.write) and b:(in.write)) if a != b")
	must(err)
	events, err := event.Open(strings.NewReader(trace), "trace")
	must(err)
	header, err := events.Header()
	must(err)
	builder, err := san.NewBuilder(header)
	must(err)
	for e := new(event.Event); ; {
		if err := events.Next(e); err == io.EOF {
			break
		} else {
			must(err)
		}
		must(builder.AddFrom(e, events))
	}
	net, err := builder.Finish()
	must(err)
	result, err := tlcheck.Check(context.Background(), net, property, tlcheck.Options{})
	must(err)
	fmt.Println(result.Verdict)
	if w := result.Witness; w != nil {
		for _, a := range w.Schedule {
			fmt.Println(net.Name(a.Task), net.What(a))
		}
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
