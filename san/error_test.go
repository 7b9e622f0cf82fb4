package san_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// TestErrors has a trace for every way to be wrong. The header has tasks a, b, c, d; line numbers
// count from the first event.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		events string
		kind   san.ErrorKind
		line   int    // where the error is
		last   int    // the line on reading which it is reported; 0: at the end
		reason string // part of it
	}{
		{"no task", `{"t":""}`, san.BadEvent, 1, 1, "without a task"},
		{"enter and exit", `{"t":"a","enter":"f","exit":"f"}`, san.BadEvent, 1, 1, "two events"},
		{"set and global", `{"t":"a","set":{"x":1,"y":1},"global":{"y":2}}`, san.BadEvent, 1, 1, `"y"`},
		{"k of 0", `{"t":"a","after":[["b",0]]}`, san.BadEvent, 1, 1, "counted from 1"},
		{"undeclared", `{"t":"a","write":{"s":1}}
			{"t":"a","write":{"s":1,"x":2}}`, san.UndeclaredShare, 2, 2, `"x"`},
		{"exit of nothing", `{"t":"a","exit":"f"}`, san.ExitMismatch, 1, 1, "no function"},
		{"exit of another", `{"t":"a","enter":"f"}
			{"t":"a","enter":"g"}
			{"t":"a","exit":"f"}`, san.ExitMismatch, 3, 3, `top of the stack is "g"`},
		{"exit twice", `{"t":"a","enter":"f"}
			{"t":"a","exit":"f"}
			{"t":"a","exit":"f"}`, san.ExitMismatch, 3, 3, "no function"},
		{"exit mismatch of a waiting event", `{"t":"p","exit":"f"}
			{"t":"a","spawn":"p"}`, san.ExitMismatch, 1, 1, "no function"},
		{"created twice", `{"t":"a","spawn":"p"}
			{"t":"b","spawn":"p"}`, san.TaskTwice, 2, 2, `event 1 of task "a"`},
		{"initial created", `{"t":"a","spawn":"b"}`, san.TaskTwice, 1, 1, "initial"},
		{"creates itself", `{"t":"a","spawn":"a"}`, san.TaskTwice, 1, 1, "initial"},
		{"behind the end", `{"t":"a","op":"end"}
			{"t":"a"}`, san.EventAfterEnd, 2, 2, "ended with its event 1"},
		{"behind the end while waiting", `{"t":"p","op":"end"}
			{"t":"p"}
			{"t":"a","spawn":"p"}`, san.EventAfterEnd, 2, 2, "ended"},
		{"after itself", `{"t":"a"}
			{"t":"a","after":[["a",2]]}`, san.BadReference, 2, 2, "itself"},
		{"after a later event of its task", `{"t":"a","after":[["a",2]]}
			{"t":"a"}`, san.Cycle, 1, 1, "event 1 of task \"a\" →"},
		{"after its side", `{"t":"a","with":[["b",1]],"after":[["b",1]]}
			{"t":"b","with":[["a",1]]}`, san.BadReference, 1, 1, "side of its own joint action"},
		{"after a far side", `{"t":"a","spawn":"p"}
			{"t":"a","with":[["b",1]],"after":[["p",1]]}
			{"t":"b","with":[["p",1]]}
			{"t":"p","with":[["b",1]]}`, san.BadReference, 3, 3, "side of its own joint action"},
		{"after a side scheduled before", `{"t":"b"}
			{"t":"a","with":[["b",1]],"after":[["b",1]]}`, san.BadReference, 2, 2, "side of its own joint action"},
		{"with two of one task", `{"t":"a","with":[["b",1],["b",2]]}`, san.BadJoint, 1, 1,
			`events 1 and 2 of task "b"`},
		{"with two of its own task", `{"t":"a","with":[["a",2]]}`, san.BadJoint, 1, 1, `events 1 and 2 of task "a"`},
		{"with two by closure", `{"t":"a","spawn":"p"}
			{"t":"a","with":[["b",1]]}
			{"t":"p","with":[["b",1]]}
			{"t":"p","with":[["a",2]]}`, san.BadJoint, 4, 4, `events 1 and 2 of task "p"`},
		{"dangling event", `{"t":"a","after":[["b",2]]}
			{"t":"b"}`, san.Dangling, 1, 0, `last event of that task was 1`},
		{"dangling task", `{"t":"a"}
			{"t":"a","after":[["q",1]]}`, san.Dangling, 2, 0, "no such task"},
		{"dangling side", `{"t":"a","with":[["b",1]]}`, san.Dangling, 1, 0, "has no events"},
		{"the oldest of two", `{"t":"a","after":[["q",1]]}
			{"t":"b","after":[["r",1]]}`, san.Dangling, 1, 0, `"q"`},
		{"a chain to the missing one", `{"t":"a","after":[["b",2]]}
			{"t":"b"}
			{"t":"b","after":[["q",3]]}
			{"t":"p"}`, san.Dangling, 3, 0, `event 3 of task "q"`},
		{"after an ended task", `{"t":"b","op":"end"}
			{"t":"a","after":[["b",2]]}`, san.Dangling, 2, 2, "ended with its event 1"},
		{"after a task that ends too early", `{"t":"a","after":[["b",3]]}
			{"t":"b"}
			{"t":"b","op":"end"}`, san.Dangling, 1, 3, "ended with its event 2"},
		{"with a task that ends too early", `{"t":"a","with":[["b",2]]}
			{"t":"b","op":"end"}`, san.Dangling, 1, 2, "ended with its event 1"},
		{"nobody created it", `{"t":"a"}
			{"t":"p"}
			{"t":"p"}`, san.Uncreated, 2, 0, `task "p"`},
		{"nobody created the creator", `{"t":"p"}
			{"t":"q","spawn":"p"}`, san.Uncreated, 2, 0, `task "q"`},
		{"cycle of two", `{"t":"a","after":[["b",1]]}
			{"t":"b","after":[["a",1]]}`, san.Cycle, 2, 2, `event 1 of task "b" →`},
		{"cycle through program order", `{"t":"a","after":[["b",2]]}
			{"t":"a"}
			{"t":"b","after":[["a",2]]}`, san.Cycle, 3, 3, "cycle"},
		{"cycle through creation", `{"t":"a","after":[["p",1]],"spawn":"p"}`, san.Cycle, 1, 1, "cycle"},
		{"cycle of creators", `{"t":"p","spawn":"q"}
			{"t":"q","spawn":"p"}`, san.Cycle, 2, 2, "cycle"},
		{"its own creator", `{"t":"p","spawn":"p"}`, san.Cycle, 1, 1, "cycle"},
		{"crossing joint actions", `{"t":"a","with":[["b",2]]}
			{"t":"a","with":[["b",1]]}
			{"t":"b","with":[["a",2]]}`, san.Cycle, 2, 2, "cycle"},
		{"a side after another's successor", `{"t":"b","with":[["a",1]]}
			{"t":"b"}
			{"t":"a","with":[["b",1]],"after":[["b",2]]}`, san.Cycle, 3, 3, "cycle"},
		{"a late side behind what follows the other", `{"t":"b"}
			{"t":"b"}
			{"t":"a","after":[["b",2]]}
			{"t":"a","with":[["b",1]]}`, san.Cycle, 4, 4, "comes before another side"},
		{"late sides that cross", `{"t":"a"}
			{"t":"a"}
			{"t":"b"}
			{"t":"b"}
			{"t":"c","with":[["a",1],["b",2]]}
			{"t":"d","with":[["a",2],["b",1]]}`, san.Cycle, 6, 0, "cycle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := &event.Header{Version: 1, Tasks: []string{"a", "b", "c", "d"},
				Shared: []event.Binding{{Name: "s", Value: event.IntValue(0)}}}
			_, at, err := build(t, h, c.events)
			var e *san.Error
			if !errors.As(err, &e) {
				t.Fatalf("no error but %v", err)
			}
			if e.Kind != c.kind || e.Pos != fmt.Sprint("line ", c.line) || at != c.last ||
				!strings.Contains(e.Reason, c.reason) {
				t.Errorf("kind %d, reported at %d: %v", e.Kind, at, e)
			}
		})
	}
}

// build reads events in text form and returns the line on which an error was
// reported, 0 for the end.
func build(t *testing.T, h *event.Header, lines string) (*san.Builder, int, error) {
	t.Helper()
	b, err := san.NewBuilder(h)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range events(t, lines) {
		if err := b.Add(e, fmt.Sprint("line ", i+1)); err != nil {
			if again := b.Add(e, "again"); again != err {
				t.Errorf("after %v the builder goes on with %v", err, again)
			}
			if _, again := b.Finish(); again != err {
				t.Errorf("after %v the builder finishes with %v", err, again)
			}
			return b, i + 1, err
		}
	}
	_, err = b.Finish()
	return b, 0, err
}

// line is an event as JSON; the reader of package event would refuse some of the wrong ones.
type line struct {
	T, Enter, Exit, Spawn, Op string
	Set, Global, Write        map[string]event.Value
	After, With               [][2]any
}

func events(t *testing.T, lines string) []*event.Event {
	t.Helper()
	var es []*event.Event
	for _, text := range strings.Split(lines, "\n") {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		es = append(es, &event.Event{
			Task: l.T, Enter: l.Enter, Exit: l.Exit, Spawn: l.Spawn, Op: l.Op,
			Set: bindings(l.Set), Global: bindings(l.Global), Write: bindings(l.Write),
			After: refs(l.After), With: refs(l.With),
		})
	}
	return es
}

func bindings(m map[string]event.Value) []event.Binding {
	var bs []event.Binding
	for name, v := range m {
		bs = append(bs, event.Binding{Name: name, Value: v})
	}
	return bs
}

func refs(pairs [][2]any) []event.Ref {
	var rs []event.Ref
	for _, p := range pairs {
		rs = append(rs, event.Ref{Task: p[0].(string), K: int(p[1].(float64))})
	}
	return rs
}

func TestHeaderErrors(t *testing.T) {
	for _, tasks := range [][]string{nil, {"a", "a"}, {""}} {
		var e *san.Error
		if _, err := san.NewBuilder(&event.Header{Tasks: tasks}); !errors.As(err, &e) || e.Kind != san.BadHeader {
			t.Errorf("tasks %q: %v", tasks, err)
		}
	}
}
