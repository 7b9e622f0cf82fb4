package builtin

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// Who waits for goroutines of a deadlock is listed there, also if it is known that nothing leads to
// what it waits for. Who waits for something else is not.
func TestStuckBehindDeadlock(t *testing.T) {
	const a, b, c, wg, rw = 1, 2, 3, 4, 5
	lock := func(task op.Task, kind op.Kind, object op.Object) op.Op {
		return op.Op{Kind: kind, Task: task, Object: object}
	}
	block := func(task op.Task, want op.Kind, object op.Object) op.Op {
		return op.Op{Kind: op.Block, Task: task, Want: want, Object: object}
	}
	begin := []op.Op{
		{Kind: op.Main}, {Kind: op.MakeChan, Object: c},
		{Kind: op.Go, Other: 3}, {Kind: op.Go, Other: 4}, {Kind: op.Go, Other: 5},
		{Kind: op.Add, Task: 3, Object: wg, Arg: 1}, {Kind: op.Go, Task: 3, Other: 1}, {Kind: op.Go, Task: 3, Other: 2},
	}
	cycle := []op.Op{
		lock(1, op.Lock, a), lock(2, op.Lock, b), block(1, op.Lock, b), block(2, op.Lock, a),
	}
	reads := lock(1, op.RLock, rw)
	sent := op.Op{Kind: op.Handoff, Task: 1, Other: 4, Object: c}
	for _, test := range []struct {
		name, want string
		before     []op.Op // the deadlock
		waits      []op.Op // behind it
	}{
		{"at a WaitGroup", "deadlock 1 2 3", nil, []op.Op{block(3, op.Wait, wg)}},
		{"for a lock", "deadlock 1 2 3", nil, []op.Op{block(3, op.Lock, a)}},
		{"for a lock that a waiting one holds", "deadlock 1 2 3 4", nil,
			[]op.Op{lock(3, op.Lock, rw), block(3, op.Lock, a), block(4, op.RLock, rw)}},
		{"behind a writer", "deadlock 1 2 3 4", []op.Op{reads}, []op.Op{block(3, op.Lock, rw), block(4, op.RLock, rw)}},
		{"for the next message", "deadlock 1 2 4", []op.Op{sent}, []op.Op{block(4, op.Recv, c)}},
		{"for a message of another one", "deadlock 1 2, stuck 4", nil, []op.Op{block(4, op.Recv, c)}},
		{"at the WaitGroup of another one", "deadlock 1 2, stuck 4",
			[]op.Op{{Kind: op.Add, Task: 4, Object: 6, Arg: 1}}, []op.Op{block(4, op.Wait, 6)}},
	} {
		ops := append(append(append(begin[:len(begin):len(begin)], test.before...), cycle...), test.waits...)
		waiting := map[op.Task]bool{}
		for _, o := range ops {
			if o.Kind == op.Block {
				waiting[o.Task] = true
			}
		}
		for task := range waiting {
			ops = append(ops, op.Op{Kind: op.CutOff, Task: op.NoTask, Other: task, Arg: int64(op.FromNothing)})
		}
		ops = append(ops, op.Op{Kind: op.Checked, Task: op.NoTask}, op.Op{Kind: op.Left, Arg: 1})
		if got := endOf(ops); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// endOf returns the findings about the end of a run, each with its tasks.
func endOf(ops []op.Op) string {
	c := checkerOf(Deadlock, Stuck)
	for i := range ops {
		o := ops[i]
		o.At, o.K = op.Place(i+1), int32(i+1)
		c.Op(&o)
	}
	var all []string
	for _, f := range c.Findings(testNames{}) {
		if f.IsOfEnd() {
			tasks := slices.Sorted(slices.Values(partyTasks(f.Parties)))
			all = append(all, fmt.Sprint(f.Property, " ", strings.Trim(fmt.Sprint(tasks), "[]")))
		}
	}
	return strings.Join(all, ", ")
}
