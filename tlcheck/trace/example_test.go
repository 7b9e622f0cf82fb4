package trace_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tlcheck/trace"
)

// Two services write one after the other in this run, but nothing orders them.
func ExampleCheck() {
	const recorded = `{"antichain":1,"tasks":["web","db"]}
{"t":"web","enter":"write"}
{"t":"web","exit":"write"}
{"t":"db","enter":"write"}
`
	specification, err := spec.Parse("write.tl", "property exclusive: not (a:(in.write) and b:(in.write)) if a != b")
	if err != nil {
		log.Fatal(err)
	}
	results, err := trace.Check(context.Background(), strings.NewReader(recorded), specification,
		trace.Options{Name: "run.jsonl"})
	if err != nil {
		log.Fatal(err)
	}
	for _, result := range results {
		if err := report.WriteText(os.Stdout, result, report.Style{}); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// exclusive: violated
	//     not (a:(in.write) and b:(in.write)) if a != b
	//
	// a is web
	//     in write (just entered)
	//     in.write: true
	//
	// b is db
	//     in write (just entered)
	//     in.write: true
	//
	// It did not happen in this run: this order of the same events leads to it.
	//
	//     web             db
	//     ───             ──
	//     enter write
	//                     enter write
}

// Errors say where in the trace they are.
func ExampleCheck_error() {
	const recorded = `{"antichain":1,"tasks":["web"]}
{"t":"web","enter":"write"}
{"t":"db","exit":"write"}
`
	specification, err := spec.Parse("write.tl", "property quiet: t:(not in.write)")
	if err != nil {
		log.Fatal(err)
	}
	_, err = trace.Check(context.Background(), strings.NewReader(recorded), specification,
		trace.Options{Name: "run.jsonl"})
	fmt.Println(err)
	// Output:
	// run.jsonl:3: task "db", event 1: exit of "write", but no function is on the stack
}
