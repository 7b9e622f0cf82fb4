package execution

import (
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tracer/op"
)

// numbered are names of goroutines and lines by their numbers.
type numbered struct{}

func (numbered) Task(t op.Task) op.Origin         { return op.Origin{Name: fmt.Sprint("main.", t)} }
func (numbered) Object(op.Object) string          { return "" }
func (numbered) Place(p op.Place) (l op.Location) { l.At = fmt.Sprintf("p.go:%d", p); return l }

// A step that did not come is named with the reason, and with what its goroutine did last.
func TestMissedStep(t *testing.T) {
	r := &replay{schedule: &schedule.Schedule{Steps: []schedule.Step{
		{Goroutine: "main.1", Kind: op.Lock, Line: schedule.Line{At: "p.go:3"}},
		{Goroutine: "main.2", Kind: op.Block, Line: schedule.Line{At: "p.go:4"}},
	}}}
	last := make(lastOperations)
	for _, o := range []op.Op{
		{Kind: op.Send, Task: 1, At: 5}, {Kind: op.Recv, Task: 2, At: 6}, {Kind: op.Block, Task: 2, At: 7},
		{Kind: op.Lock, Task: op.NoTask, At: 8}, {Kind: op.Lock, Task: 1},
	} {
		last.Op(&o)
	}
	for _, tt := range []struct {
		kept       ring.Progress
		text, last string
	}{
		{ring.Progress{}, "step 1 of 2 was not reached: main.1: lock at p.go:3",
			"antichain: the last operation of main.1: send at p.go:5\n"},
		{ring.Progress{Done: 1, Missed: ring.MissedLock},
			"step 2 of 2 was not reached: main.2: waits at p.go:4, since main.2 waited for a lock",
			"antichain: the last operation of main.2: waits at p.go:7\n"},
	} {
		if got := r.missedText(tt.kept); got != tt.text {
			t.Errorf("%q, want %q", got, tt.text)
		}
		var b strings.Builder
		if r.writeDifference(&b, &launch.Result{Kept: tt.kept}, last, numbered{}); b.String() != tt.last {
			t.Errorf("%q, want %q", &b, tt.last)
		}
	}
	if r.isMissed(ring.Progress{Done: 2}) || (*replay)(nil).isMissed(ring.Progress{}) {
		t.Error("a schedule that was kept, or none, is missed")
	}
	if last.of("main.3", numbered{}) != "" {
		t.Error("a goroutine that has done nothing has a last operation")
	}
}
