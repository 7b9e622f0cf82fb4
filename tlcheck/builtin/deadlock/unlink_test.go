package deadlock

import (
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Few are kept of tasks that have each ended the wait of the next one before they ended.
func TestUnlink(t *testing.T) {
	const c, tasks = 1, 100
	d := New()
	d.Op(&op.Op{Kind: op.MakeChan, K: 1, Object: c, Arg: 2, Other: op.NoTask})
	var last *actor
	for task := op.Task(1); task <= tasks; task++ {
		var known *clock.Clock
		if task > 1 {
			known = known.With(int32(task-1), 2)
			d.Op(&op.Op{Kind: op.Recv, Task: task, K: 1, Object: c, At: 1, Other: op.NoTask, Free: known})
		}
		d.Op(&op.Op{Kind: op.Send, Task: task, K: 2, Object: c, At: 2, Other: op.NoTask, Free: known, Before: known})
		last = d.actor(task)
		d.Op(&op.Op{Kind: op.End, Task: task, K: 3, Other: op.NoTask, Free: known})
	}
	kept := map[*actor]bool{}
	for next := []*actor{last}; len(next) > 0; next = next[1:] {
		if next[0] == nil || kept[next[0]] {
			continue
		}
		kept[next[0]] = true
		for _, m := range next[0].moments {
			next = append(next, m.wait.by.actor)
		}
	}
	if n := len(kept); n < 2 || n > 2*(maxChain+1) {
		t.Errorf("%d tasks are kept", n)
	}
}

// BenchmarkEnded is a task that waits for the one before it, and ends.
func BenchmarkEnded(b *testing.B) {
	b.ReportAllocs()
	const c = 1
	d := New()
	d.Op(&op.Op{Kind: op.MakeChan, K: 1, Object: c, Arg: 2, Other: op.NoTask})
	for task := op.Task(1); b.Loop(); task++ {
		known := new(clock.Clock).With(int32(task-1), 2)
		d.Op(&op.Op{Kind: op.Recv, Task: task, K: 1, Object: c, At: 1, Other: op.NoTask, Free: known})
		d.Op(&op.Op{Kind: op.Send, Task: task, K: 2, Object: c, At: 2, Other: op.NoTask, Free: known, Before: known})
		d.Op(&op.Op{Kind: op.End, Task: task, K: 3, Other: op.NoTask, Free: known})
	}
}
