package report_test

import (
	"context"
	"log"
	"os"
	"strings"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// A trace of two services, of which one at a time may write, is checked, and the result printed for
// people and for programs.
func Example() {
	trace, err := event.Open(strings.NewReader(`{"antichain":1,"tasks":["web","db"]}
{"t":"web","enter":"write"}
{"t":"web","exit":"write"}
{"t":"db","enter":"write"}
`), "trace")
	must(err)
	header, err := trace.Header()
	must(err)
	builder, err := san.NewBuilder(header)
	must(err)
	for e := new(event.Event); trace.Next(e) == nil; {
		must(builder.AddFrom(e, trace))
	}
	net, err := builder.Finish()
	must(err)
	file, err := spec.Parse("write.tl", "property one_writes: not (a:(in.write) and b:(in.write)) if a != b")
	must(err)

	result, err := tlcheck.Check(context.Background(), net, file.Properties[0], tlcheck.Options{})
	must(err)
	must(report.WriteText(os.Stdout, result, report.Style{}))
	must(report.WriteJSON(os.Stdout, "services", result, report.Source{}))
	// Output:
	// one_writes: violated
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
	//
	// {"trace":"services","property":"one_writes","formula":"not (a:(in.write) and b:(in.write)) if a != b","verdict":"violated","witness":{"tiva":{"a":"web","b":"db"},"slice":{"db":1,"web":1},"schedule":[["web",1],["db",1]]},"happened":false,"reason":{"formula":"not (a:(in.write) and b:(in.write)) if a != b","value":"false","tiva":{"a":"web","b":"db"},"parts":[{"formula":"not (a:(in.write) and b:(in.write))","value":"false","tiva":{"a":"web","b":"db"},"parts":[{"formula":"a:(in.write) and b:(in.write)","value":"true","tiva":{"a":"web","b":"db"},"parts":[{"formula":"a:(in.write)","value":"true","tiva":{"a":"web"},"local":{"task":"web","state":1,"formula":"in.write","value":"true"}},{"formula":"b:(in.write)","value":"true","tiva":{"b":"db"},"local":{"task":"db","state":1,"formula":"in.write","value":"true"}}]}]}]}}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
