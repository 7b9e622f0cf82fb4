package builtin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// A task that has ended in a section of a lock may have started another one there to unlock it. As
// long as that one can go on, those that wait for the lock only possibly do so for ever.
func TestStuckHeirs(t *testing.T) {
	const mu, other, c, timer = 1, 2, 3, 9
	lock := func(task op.Task, object op.Object) op.Op { return op.Op{Kind: op.Lock, Task: task, Object: object} }
	unlock := func(task op.Task, object op.Object) op.Op { return op.Op{Kind: op.Unlock, Task: task, Object: object} }
	starts := func(task, started op.Task) op.Op { return op.Op{Kind: op.Go, Task: task, Other: started} }
	end := func(task op.Task) op.Op { return op.Op{Kind: op.End, Task: task} }
	block := func(task op.Task, want op.Kind, object op.Object) op.Op {
		return op.Op{Kind: op.Block, Task: task, Want: want, Object: object}
	}
	byTimer := op.Op{Kind: op.Go, Task: 2, Other: 3, Arg: 1, Object: timer}
	reads := op.Op{Kind: op.RLock, Task: 2, Object: mu}
	waits := block(1, op.Lock, mu)
	for _, test := range []struct {
		name, want string
		ops        []op.Op
	}{
		{"an heir goes on", "possible: 1", []op.Op{lock(2, mu), starts(2, 3), end(2), waits}},
		{"of a reader", "possible: 1", []op.Op{reads, starts(2, 3), end(2), waits}},
		{"a timer starts it", "possible: 1", []op.Op{lock(2, mu), byTimer, end(2), waits}},
		{"it waits for what another one may send", "possible: 1",
			[]op.Op{lock(2, mu), starts(2, 3), starts(2, 4), end(2), block(3, op.Recv, c), waits}},
		{"another one waits behind", "possible: 1 4",
			[]op.Op{starts(0, 4), lock(2, mu), starts(2, 3), end(2), lock(1, other), waits, block(4, op.Lock, other)}},
		{"an heir has ended", "observed: 1", []op.Op{lock(2, mu), starts(2, 3), end(2), end(3), waits}},
		{"its timer is stopped", "observed: 1",
			[]op.Op{lock(2, mu), byTimer, end(2), {Kind: op.Stop, Object: timer}, waits}},
		{"an heir waits for the lock", "observed: 1 3",
			[]op.Op{lock(2, mu), starts(2, 3), end(2), block(3, op.Lock, mu), waits}},
		{"one that was started before", "observed: 1", []op.Op{starts(2, 3), lock(2, mu), end(2), waits}},
		{"one of another section", "observed: 1",
			[]op.Op{lock(2, mu), starts(2, 3), unlock(2, mu), lock(2, mu), end(2), waits}},
		{"of another task", "observed: 1", []op.Op{lock(2, mu), starts(0, 3), end(2), waits}},
		{"the holder waits for itself", "observed: 2",
			[]op.Op{lock(2, mu), starts(2, 3), block(2, op.Lock, mu)}},
		{"nothing leads to the lock", "observed: 1", []op.Op{lock(2, mu), starts(2, 3), end(2), waits,
			{Kind: op.CutOff, Task: op.NoTask, Other: 1, Arg: int64(op.FromNothing)},
			{Kind: op.Checked, Task: op.NoTask}}},
	} {
		ops := append([]op.Op{{Kind: op.Main}, starts(0, 1), starts(0, 2)}, test.ops...)
		if got := heirsTold(ops); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// heirsTold returns how each finding is known, and its tasks.
func heirsTold(ops []op.Op) string {
	var all []string
	for _, f := range told(ops) {
		text := f.How.String() + ":"
		for _, p := range f.Parties {
			text += fmt.Sprint(" ", p.Task)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// A lock that others have unlocked for its task is not lost with one that has ended.
func TestEndedWithLentLock(t *testing.T) {
	const mu = 1
	lock := func(task op.Task, kind op.Kind) op.Op { return op.Op{Kind: kind, Task: task, Object: mu} }
	for _, test := range []struct {
		name   string
		unlock op.Task
		want   int
	}{
		{"by its task", 1, 1},
		{"by another one", 3, 0},
	} {
		ops := []op.Op{
			{Kind: op.Main}, {Kind: op.Go, Other: 1}, {Kind: op.Go, Other: 2}, {Kind: op.Go, Other: 3},
			lock(1, op.Lock), lock(test.unlock, op.Unlock), {Kind: op.End, Task: 1},
			lock(2, op.Lock), {Kind: op.End, Task: 2},
		}
		for _, property := range []Property{Deadlock, Stuck} {
			c := checkerOf(property)
			for i := range ops {
				o := ops[i]
				o.At, o.K = op.Place(i+1), int32(i+1)
				c.Op(&o)
			}
			if found := c.Findings(testNames{}); len(found) != test.want {
				t.Errorf("unlocked %s: %s finds %+v, want %d", test.name, property, found, test.want)
			}
		}
	}
}

// Nor is it certain that tasks which came before would wait for ever behind such a section.
func TestPredictedHeirs(t *testing.T) {
	const mu = 1
	section := []op.Op{
		{Kind: op.Main}, {Kind: op.Go, Other: 1}, {Kind: op.Go, Other: 2},
		{Kind: op.Lock, Task: 1, Object: mu}, {Kind: op.Unlock, Task: 1, Object: mu}, {Kind: op.End, Task: 1},
		{Kind: op.Lock, Task: 2, Object: mu}, {Kind: op.Go, Task: 2, Other: 3}, {Kind: op.End, Task: 2},
	}
	for _, test := range []struct {
		name, want string
		ops        []op.Op
	}{
		{"the heir goes on", "possible", nil},
		{"the heir has ended", "predicted, locks reordered", []op.Op{{Kind: op.End, Task: 3}}},
	} {
		ops := append(section[:len(section):len(section)], test.ops...)
		for _, property := range []Property{Deadlock, Stuck} {
			c := checkerOf(property)
			for i := range ops {
				o := ops[i]
				o.At, o.K = op.Place(i+1), int32(i+1)
				c.Op(&o)
			}
			if found := c.Findings(testNames{}); len(found) != 1 || found[0].How.String() != test.want {
				t.Errorf("%s: %s finds %+v, want one that is %s", test.name, property, found, test.want)
			}
		}
	}
}
