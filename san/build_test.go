package san_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// TestRingBufferShuffled reads the example of docs/trace-format.md in every order of its tasks'
// lines.
func TestRingBufferShuffled(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(santest.RingBuffer), "\n")
	var byTask [3][]string
	for _, l := range lines[1:] {
		for i, name := range []string{"main", "put", "get"} {
			if strings.HasPrefix(l, `{"t":"`+name+`"`) {
				byTask[i] = append(byTask[i], l)
			}
		}
	}
	orders := 0
	var try func(read []string, next [3]int)
	try = func(sofar []string, next [3]int) {
		if len(sofar) == len(lines) {
			orders++
			n := mustRead(t, strings.Join(sofar, "\n"))
			put, _ := n.Lookup("put")
			get, _ := n.Lookup("get")
			if get != 1 || put != 2 || n.Len(put) != 4 ||
				!n.Precedes(san.Action{Task: put, K: 3}, san.Action{Task: get, K: 2}) {
				t.Fatalf("get is %d, put is %d in\n%s", get, put, strings.Join(sofar, "\n"))
			}
			return
		}
		for i := range next {
			if next[i] < len(byTask[i]) {
				after := next
				after[i]++
				try(append(sofar[:len(sofar):len(sofar)], byTask[i][next[i]]), after)
			}
		}
	}
	try(lines[:1], [3]int{})
	if orders != 1260 { // 9! / (2! 4! 3!)
		t.Errorf("%d orders", orders)
	}
}

func TestMutual(t *testing.T) {
	for _, c := range []struct {
		name, events string
		last         int // the line that is refused, 0 for none
	}{
		{"mutual", `{"t":"a","with":[["b",1]]}
			{"t":"b","with":[["a",1]]}`, 0},
		{"a ring", `{"t":"a","with":[["b",1]]}
			{"t":"c","with":[["a",1]]}
			{"t":"b","with":[["c",1]]}`, 0},
		{"the named one comes second", `{"t":"a","with":[["b",1]]}
			{"t":"b"}`, 2},
		{"the named one comes first", `{"t":"b"}
			{"t":"a","with":[["b",1]]}`, 2},
		{"the named one waits", `{"t":"b","after":[["c",1]]}
			{"t":"a","with":[["b",1]]}`, 2},
		{"it names only itself", `{"t":"a","with":[["b",1]]}
			{"t":"b","with":[["b",1]]}`, 2},
		{"complete without it", `{"t":"a","with":[["b",1]]}
			{"t":"b","with":[["a",1]]}
			{"t":"c","with":[["b",1]]}`, 3},
	} {
		for _, mutual := range []bool{true, false} {
			b, err := san.NewBuilder(&event.Header{Tasks: []string{"a", "b", "c"}})
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			if mutual {
				b.RequireMutual()
				want = c.last
			}
			last := 0
			for i, e := range events(t, c.events) {
				if err = b.Add(e, fmt.Sprint("line ", i+1)); err != nil {
					last = i + 1
					break
				}
			}
			var e *san.Error
			if last != want || last > 0 &&
				(!errors.As(err, &e) || e.Kind != san.BadJoint || e.Pos != fmt.Sprint("line ", last)) {
				t.Errorf("%s, mutual %v: refused at %d, want %d: %v", c.name, mutual, last, want, err)
			}
		}
	}
}

func TestLimit(t *testing.T) {
	for _, c := range []struct {
		missing string // how the first event waits
		reason  string
	}{
		{`{"t":"b","after":[["a",2]]}`, `event 2 of task "a"`},
		{`{"t":"b","with":[["a",2]]}`, `event 2 of task "a"`},
		{`{"t":"p"}`, `task "p"`},
	} {
		b, err := san.NewBuilder(&event.Header{Tasks: []string{"a", "b"}})
		if err != nil {
			t.Fatal(err)
		}
		b.SetLimit(5)
		first := events(t, c.missing)[0]
		if err := b.Add(first, "line 1"); err != nil {
			t.Fatal(err)
		}
		if err := b.Add(&event.Event{Task: "a"}, "line 2"); err != nil { // does not wait
			t.Fatal(err)
		}
		for i := 3; i <= 6; i++ {
			if err := b.Add(&event.Event{Task: first.Task}, fmt.Sprint("line ", i)); err != nil {
				t.Fatal(err)
			}
		}
		err = b.Add(&event.Event{Task: first.Task}, "line 7")
		var e *san.Error
		if !errors.As(err, &e) || e.Kind != san.Overrun || e.Pos != "line 7" || !strings.Contains(e.Reason, "line 1") ||
			!strings.Contains(e.Reason, c.reason) ||
			!strings.HasSuffix(e.Reason, "; sort the trace, so that events come soon after those that they wait for") {
			t.Errorf("%s: %v", c.missing, err)
		}
	}
}

// TestPartial asks for what was read before an error.
func TestPartial(t *testing.T) {
	h := &event.Header{Tasks: []string{"a", "b"}, Shared: []event.Binding{{Name: "s", Value: event.IntValue(0)}}}
	b, at, err := build(t, h, `{"t":"a","spawn":"p"}
		{"t":"b","after":[["q",1]],"write":{"s":7},"op":"end"}
		{"t":"p","enter":"f","write":{"s":1}}
		{"t":"q"}
		{"t":"a","exit":"f"}`)
	if err == nil || at != 5 {
		t.Fatalf("error at %d: %v", at, err)
	}
	n := b.Partial()
	if n != b.Partial() || n.Complete() || n.Tasks() != 3 || n.Events() != 2 || n.Actions() != 2 {
		t.Fatalf("%d tasks, %d events", n.Tasks(), n.Events())
	}
	if _, ok := n.Lookup("q"); ok {
		t.Error("task q is part of the net, though nobody created it")
	}
	bTask, _ := n.Lookup("b")
	if n.Len(bTask) != 0 || n.Ended(bTask) {
		t.Errorf("b has %d events, ended %v", n.Len(bTask), n.Ended(bTask))
	}
	v := n.Walk(bTask).State().Resolve([]string{"s"})
	if len(v.Values) != 2 { // 0 and, concurrently, 1; but not 7, which waits
		t.Errorf("s is %v in b:0", v.Values)
	}
}

// TestPartialLate asks for a part in which an event must become a side of a joint action.
func TestPartialLate(t *testing.T) {
	b, _, err := build(t, &event.Header{Tasks: []string{"a", "b", "c"}}, `{"t":"b"}
		{"t":"b"}
		{"t":"c"}
		{"t":"a","after":[["c",1]],"with":[["b",1]]}
		{"t":"a","exit":"f"}`)
	if err == nil {
		t.Fatal("no error")
	}
	n := b.Partial()
	if n.Actions() != 3 || n.Events() != 4 || !n.Precedes(san.Action{Task: 2, K: 1}, san.Action{Task: 1, K: 2}) {
		t.Errorf("%d actions of %d events; c:1 precedes b:2: %v", n.Actions(), n.Events(),
			n.Precedes(san.Action{Task: 2, K: 1}, san.Action{Task: 1, K: 2}))
	}
}
