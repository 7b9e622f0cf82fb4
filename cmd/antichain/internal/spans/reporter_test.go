package spans_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// table has the last verdict on each property of each trace.
type table map[string]string

func (t table) Result(r *runs.Run, result *tlcheck.Result) {
	t[r.ID()+" "+result.Property.Name] = fmt.Sprint(result.Verdict, " while the trace goes on")
}

func (t table) Over(r *runs.Run, net *san.Net, late []*spec.Property, cut tlcheck.Truncation) {
	for _, p := range late {
		t[r.ID()+" "+p.Name] = fmt.Sprint("late ", net.Events(), " ", cut)
	}
}

func (t table) Failed(r *runs.Run, err error)          { t[r.ID()+" failed"] = err.Error() }
func (t table) Rejected(rec *record.Record, err error) { t["rejected "+rec.At] = err.Error() }

// config returns one for properties with the names p0, p1, …
func config(t testing.TB, specs ...string) runs.Config {
	c := runs.Config{Limits: runs.Limits{Late: 10 * time.Second, Idle: time.Minute}}
	for i, text := range specs {
		p, err := spec.ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Name = fmt.Sprint("p", i)
		c.Properties = append(c.Properties, p)
	}
	return c
}

var specs = []string{"not (t1:(start.f) and t2:(start.g and x == 1))", "t1:(in.f) -> not next t1:(y == 2)"}

var start = time.Unix(1000, 0)

// census has the traces that go on.
type census map[string]bool

func (c census) note(t *rapid.T) func(string, bool) {
	return func(trace string, live bool) {
		if c[trace] == live {
			t.Fatalf("trace %s goes on: said %v twice", trace, live)
		}
		if c[trace] = live; !live {
			delete(c, trace)
		}
	}
}
