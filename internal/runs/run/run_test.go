package run

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/event"
)

// TestTook compares whose tasks are with what is noted if nothing is remembered of the events
// before.
func TestTook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &event.Header{Run: "r", Tasks: []string{"t0"}}
		quick, _ := New[int](h, true)
		plain, _ := New[int](h, true)
		both := [...]*Run[int]{quick, plain}
		sources := 0
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			source := rapid.IntRange(0, max(0, sources-1)).Draw(t, "source")
			switch what := rapid.IntRange(0, 9).Draw(t, "what"); {
			case what == 0 || sources == 0:
				for _, r := range both {
					r.Enter(sources, &event.Header{Tasks: []string{fmt.Sprint("t", sources)}})
				}
				sources++
			case quick.live[source] == nil:
			case what == 1:
				if want, got := plain.Leave(source), quick.Leave(source); !reflect.DeepEqual(want, got) {
					t.Fatalf("source %d leaves %v, not %v", source, got, want)
				}
			default:
				e := &event.Event{Task: fmt.Sprint("t", rapid.IntRange(0, 12).Draw(t, "task"))}
				if what == 2 {
					e.Op = event.OpEnd
				}
				quick.Took(source, e)
				clear(plain.recent[:])
				plain.Took(source, e)
			}
			if !reflect.DeepEqual(quick.live, plain.live) {
				t.Fatalf("%v, not %v", quick.live, plain.live)
			}
		}
	})
}
