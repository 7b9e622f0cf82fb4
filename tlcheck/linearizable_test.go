package tlcheck_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/linearizability"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// operationsRun is a run of writes and reads of registers, in the order in which it happened.
type operationsRun struct {
	events []*event.Event
	ops    []*linearizability.Operation
	of     []linearizability.Event // by event
	tasks  []string
}

// drawOperationsRun draws tasks that call operations, with causes from earlier to later events.
// Most results are those of some order.
func drawOperationsRun(t *rapid.T) *operationsRun {
	r := new(operationsRun)
	const tasks = 3
	open, count := make([]int, tasks), make([]int, tasks)
	state := map[int64]int64{}
	for i := range tasks {
		r.tasks, open[i] = append(r.tasks, string(rune('a'+i))), -1
	}
	for range rapid.IntRange(1, 8).Draw(t, "events") {
		i := rapid.IntRange(0, tasks-1).Draw(t, "task")
		e := &event.Event{Task: r.tasks[i]}
		for j, name := range r.tasks {
			if j != i && count[j] > 0 && rapid.IntRange(0, 3).Draw(t, "cause") == 0 {
				e.After = append(e.After, event.Ref{Task: name, K: rapid.IntRange(1, count[j]).Draw(t, "k")})
			}
		}
		count[i]++
		at := linearizability.Event{Operation: open[i], Return: true}
		if open[i] < 0 {
			r.call(t, e)
			open[i] = len(r.ops) - 1
			at = linearizability.Event{Operation: open[i]}
		} else {
			r.end(t, e, r.ops[open[i]], state)
			open[i] = -1
		}
		r.events, r.of = append(r.events, e), append(r.of, at)
	}
	return r
}

func (r *operationsRun) call(t *rapid.T, e *event.Event) {
	object := rapid.Int64Range(1, 2).Draw(t, "object")
	o := &linearizability.Operation{
		Object: fmt.Sprint(object), Method: "read", Result: linearizability.Unknown, Unfinished: true,
	}
	e.Enter = "R.Read"
	e.Set = []event.Binding{{Name: tlcheck.ObjectVariable, Value: event.IntValue(object)}}
	if rapid.Bool().Draw(t, "writes") {
		v := rapid.Int64Range(1, 2).Draw(t, "value")
		e.Enter, o.Method, o.Arguments = "R.Write", "write", []linearizability.Value{v}
		e.Set = append(e.Set, event.Binding{Name: "v", Value: event.IntValue(v)})
	}
	r.ops = append(r.ops, o)
}

func (r *operationsRun) end(t *rapid.T, e *event.Event, o *linearizability.Operation, state map[int64]int64) {
	o.Unfinished = false
	object := int64(o.Object[0] - '0')
	if o.Method == "write" {
		e.Exit, state[object] = "R.Write", o.Arguments[0].(int64)
		return
	}
	v := state[object]
	if rapid.IntRange(0, 3).Draw(t, "another") == 0 {
		v = rapid.Int64Range(0, 2).Draw(t, "result")
	}
	e.Exit, o.Result = "R.Read", v
	e.Set = []event.Binding{{Name: "result", Value: event.IntValue(v)}}
}

func (r *operationsRun) net(t *rapid.T) *san.Net {
	b, err := san.NewBuilder(&event.Header{Version: 1, Tasks: r.tasks})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range r.events {
		if err := b.Add(e, ""); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// explains reports whether the operations can be explained if the events happen in an order. Events
// that it lacks have not happened.
func (r *operationsRun) explains(order []int) bool {
	var ops []*linearizability.Operation
	index := map[int]*linearizability.Operation{}
	for at, e := range order {
		if of := r.of[e]; of.Return {
			o := index[of.Operation]
			o.Return, o.Unfinished, o.Result = int64(at), false, r.ops[of.Operation].Result
		} else {
			o := *r.ops[of.Operation]
			o.Call, o.Unfinished, o.Result = int64(at), true, linearizability.Unknown
			index[of.Operation] = &o
			ops = append(ops, &o)
		}
	}
	result, err := linearizability.Check(context.Background(), linearizability.Register(int64(0)), ops)
	return err == nil && result.Verdict == linearizability.Linearizable
}

// allExplained tries all orders of the events that the causes allow.
func (r *operationsRun) allExplained(order []int) bool {
	extended := false
	for i := range r.events {
		if slices.Contains(order, i) || !r.enabled(order, i) {
			continue
		}
		extended = true
		if !r.allExplained(append(slices.Clip(order), i)) {
			return false
		}
	}
	return extended || r.explains(order)
}

// enabled reports whether event i can come after the events of an order.
func (r *operationsRun) enabled(order []int, i int) bool {
	done := map[string]int{}
	for _, e := range order {
		done[r.events[e].Task]++
	}
	before := 0
	for _, e := range r.events[:i] {
		if e.Task == r.events[i].Task {
			before++
		}
	}
	return done[r.events[i].Task] == before &&
		!slices.ContainsFunc(r.events[i].After, func(c event.Ref) bool { return done[c.Task] < c.K })
}

// eventOf returns the number of an event of the net.
func (r *operationsRun) eventOf(net *san.Net, a san.Action) int {
	k := int32(0)
	for i, e := range r.events {
		if e.Task == net.Name(a.Task) {
			if k++; k == a.K {
				return i
			}
		}
	}
	return -1
}

// A property about operations holds if and only if all orders that the net allows can be explained,
// and a witness is such an order that cannot.
func TestLinearizableInAllOrders(t *testing.T) {
	file, err := spec.Parse("r.tl", `property r: linearizable register from 0
		operation R.Read() -> result
		operation R.Write(v)`)
	if err != nil {
		t.Fatal(err)
	}
	holds, observed, predicted := 0, 0, 0
	enough := func() bool { return holds > 0 && observed > 0 && predicted > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		r := drawOperationsRun(t)
		net := r.net(t)
		result, err := tlcheck.Check(context.Background(), net, file.Properties[0], tlcheck.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := tlcheck.Violated
		if r.allExplained(nil) {
			want = tlcheck.Holds
		}
		if result.Verdict != want {
			t.Fatalf("%v, all orders say %v", result.Verdict, want)
		}
		switch {
		case want == tlcheck.Holds:
			holds++
			return
		case result.Witness.Happened:
			observed++
		default:
			predicted++
		}
		var order []int
		for _, a := range result.Witness.Schedule {
			i := r.eventOf(net, a)
			if !r.enabled(order, i) {
				t.Fatalf("event %d is not possible after %v", i, order)
			}
			order = append(order, i)
		}
		if r.explains(order) {
			t.Fatalf("the witness %v can be explained", order)
		}
		recorded := make([]int, len(r.events))
		for i := range recorded {
			recorded[i] = i
		}
		if result.Witness.Happened == r.explains(recorded) {
			t.Fatalf("happened: %v", result.Witness.Happened)
		}
	})
}

// Values that a model cannot distinguish from others make the verdict unknown, and so do results
// without a value. A result that was not recorded may be any.
func TestValuesOfOperations(t *testing.T) {
	const (
		nilIn    = "nil is put into a "
		register = "register operation Put(v) operation Get() -> "
		counts   = "counter operation Put(v) as add operation Get() -> r"
	)
	for _, tt := range []struct{ name, property, put, got, covered string }{
		{nilIn + "map", "map operation Put(v, v) operation Get(v) -> r", "null", "1", "a map takes for none"},
		{nilIn + "stack", "stack operation Put(v) as push", "null", "1", "a stack takes for none"},
		{nilIn + "queue", "queue operation Put(v) as enqueue", "null", "1", "a queue takes for none"},
		{nilIn + "register", register + "r", "null", "null", ""},
		{"a fraction is added", counts, "0.5", "0.5", "cannot add 0.5"},
		{"minus 1 without sign is added", counts, "4294967295", "0", "it may wrap around"},
		{"a field of an integer", register + "r.foo", "1", "2", `Get at p.go:2: r.foo: field "foo"`},
		{"a division by zero", register + "r / 0", "1", "2", "divides by zero"},
		{"a condition that is a number", register + "r if r", "1", "2", "r is undefined"},
		{"a result that was not recorded", register + "r", "1", `{"?":"too large"}`, ""},
		{"an argument that was not recorded", register + "r", `{"?":"func"}`, "2", "v was not recorded (func)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			trace := `{"antichain":2,"tasks":["a"]}
{"t":"a","enter":"Put","set":{"v":` + tt.put + `},"at":"p.go:1"}
{"t":"a","exit":"Put","at":"p.go:1"}
{"t":"a","enter":"Get","set":{"v":` + tt.put + `},"at":"p.go:2"}
{"t":"a","exit":"Get","set":{"r":` + tt.got + `},"at":"p.go:2"}
{"t":"a"}
`
			file, err := spec.Parse("p.tl", "property p: linearizable "+tt.property)
			if err != nil {
				t.Fatal(err)
			}
			r, err := tlcheck.Check(t.Context(), santest.Read(t, trace), file.Properties[0], tlcheck.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := tlcheck.Unknown
			if tt.covered == "" {
				want = tlcheck.Holds
			}
			if r.Verdict != want || !strings.Contains(r.Covered, tt.covered) {
				t.Errorf("%v: %s", r.Verdict, r.Covered)
			}
		})
	}
}
