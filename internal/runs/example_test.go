package runs_test

import (
	"fmt"
	"log"
	"time"

	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// reporter prints what is found.
type reporter struct{}

func (reporter) Result(run *runs.Run, r *tlcheck.Result) {
	fmt.Println(run.ID(), r.Name(), r.Verdict)
}
func (reporter) Over(*runs.Run, *san.Net, []*spec.Property, tlcheck.Truncation) {}
func (reporter) Failed(run *runs.Run, err error)                                { fmt.Println(run.ID(), err) }
func (reporter) Rejected(r *record.Record, err error)                           { fmt.Println(r.At, err) }

// The records of two runs come in one stream.
func Example() {
	file, err := spec.Parse("quiet.tl", "property quiet: t:(not in.f)")
	if err != nil {
		log.Fatal(err)
	}
	all := runs.New(runs.Config{
		Properties: file.Properties,
		Split: func(*event.Header) (open, late []*spec.Property, refused []*tlcheck.Result) {
			return file.Properties, nil, nil
		},
	}, reporter{})
	const header = `{"antichain":1,"tasks":["a"]}` + "\n"
	for i, r := range []record.Record{
		{Run: "first", Source: "p", Seq: 1, Value: []byte(header + `{"t":"a","enter":"g"}` + "\n")},
		{Run: "second", Source: "p", Seq: 1, Value: []byte(header + `{"t":"a","enter":"f"}` + "\n")},
		{Run: "first", Source: "p", Seq: 2, End: record.EndSource | record.EndRun},
	} {
		r.At = fmt.Sprintf("record %d", i)
		all.Take(&r, time.Now())
	}
	// Output:
	// second quiet violated
	// first quiet holds
}
