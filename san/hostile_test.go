package san_test

import (
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// TestHostile reads traces made to cost more than their length: every event waits, and each may
// close a cycle with all before it. The time allowed is far from linear cost and farther from
// quadratic.
func TestHostile(t *testing.T) {
	if testing.Short() { // the race detector makes it slow, and there is one goroutine
		t.Skip("it takes long")
	}
	const n = 100000
	ref := func(task string, k int) []event.Ref { return []event.Ref{{Task: task, K: k}} }
	for name, next := range map[string]func(i int) *event.Event{
		"chain named by another chain": func(i int) *event.Event {
			if i%2 == 0 {
				return &event.Event{Task: "b", After: ref("a", i/2+2)}
			}
			if i == 1 {
				return &event.Event{Task: "a", After: ref("never", 1)}
			}
			return &event.Event{Task: "a"}
		},
		"one large joint action": func(i int) *event.Event {
			return &event.Event{Task: taskName(i), With: ref(taskName(i+1), 1)}
		},
		"joint actions named backwards": func(i int) *event.Event {
			return &event.Event{Task: taskName(i), With: ref("b", n+1-i)}
		},
		"joint actions named late": func(i int) *event.Event {
			if i < n/2 {
				return &event.Event{Task: "b"}
			}
			return &event.Event{Task: "a", With: ref("b", i-n/2+1)}
		},
		"creation awaited": func(i int) *event.Event {
			return &event.Event{Task: taskName(n - i), Spawn: taskName(n - i + 1)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := san.NewBuilder(&event.Header{Tasks: []string{"a", "b"}})
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				if err := b.Add(next(i), "somewhere"); err != nil {
					t.Fatal(err)
				}
			}
			_, err = b.Finish() // quadratic work would take minutes
			b.Partial()
			t.Logf("%d events: %v", n, err)
		})
	}
}

func taskName(i int) string {
	name := "t"
	for ; i > 0; i /= 26 {
		name += string(rune('a' + i%26))
	}
	return name
}
