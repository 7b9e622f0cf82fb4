package reordering

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/std"
)

const log = `T0|fork(T1)|a:1
T0|acq(m)|a:2
T0|rel(m)|a:3
T1|acq(m)|b:1
T1|rel(m)|b:2
`

// through is how a run is read.
type through struct{ event.Reader }

// While a run is read the other net is built.
func TestReader(t *testing.T) {
	run := std.NewReader(strings.NewReader(log), "log", std.Options{})
	r := NewReader(run, through{run})
	read, err := santest.Collect(r)
	if err != nil {
		t.Fatal(err)
	}
	net := read.MustBuild()
	orders := r.Finish()
	if orders.Missing != nil || orders.Data != nil || orders.Open == "" {
		t.Fatalf("%+v", orders)
	}
	free := orders.Free
	first := san.Action{Task: 1, K: 1} // acq of T1
	if net.Tasks() != free.Tasks() || net.Len(0) != free.Len(0) || net.Len(1) != free.Len(1) ||
		len(net.Causes(first)) == 0 || len(free.Causes(first)) > 0 {
		t.Errorf("after %v, without the order of sections after %v", net.Causes(first), free.Causes(first))
	}
}

// nowhere is no place in a file.
type nowhere struct{}

func (nowhere) Pos() string { return "trace:2" }

// What is wrong with a run leaves no net.
func TestMissing(t *testing.T) {
	for _, tt := range []struct {
		operations *event.Operations
		event      event.Event
		want       string
	}{
		{nil, event.Event{Task: "main", Enter: "f"}, "no operations, which say where critical sections begin and end: record the run with --predict locks and -o"},
		{&event.Operations{}, event.Event{Task: "other", Enter: "f"}, `introduces the task "other"`},
		{&event.Operations{}, event.Event{Task: "main", Write: []event.Binding{{Name: "x", Value: event.IntValue(1)}}}, "trace:2"},
	} {
		b := OfProgram(&event.Header{Version: 2, Tasks: []string{"main"}, Operations: tt.operations}, false)
		b.Add(&tt.event, nowhere{})
		b.Add(&event.Event{Task: "main", Enter: "f"}, nowhere{})
		if o := b.Finish(); o.Free != nil || o.Missing == nil || !strings.Contains(o.Missing.Error(), tt.want) {
			t.Errorf("%+v: %v, want %s", tt.event, o.Missing, tt.want)
		}
	}
}
