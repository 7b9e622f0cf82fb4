package builtin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// ofTests are the names of the binary of a test: 1 runs TestA and has started 11 to 19, 2 runs
// TestB, and so on. Main is 0, and 9 a goroutine of TestMain. The tasks are these in the order in
// which they begin. Places are lines.
type ofTests struct {
	lines
	tasks []op.Task
}

// renumber gives the tasks of operations the numbers that they get as they begin.
func (n *ofTests) renumber(ops []op.Op) {
	n.tasks = []op.Task{0}
	for i := range ops {
		o := &ops[i]
		if o.Kind == op.Go {
			n.tasks = append(n.tasks, o.Other)
		}
		if o.Task != op.NoTask {
			o.Task = op.Task(slices.Index(n.tasks, o.Task))
		}
		o.Other = op.Task(slices.Index(n.tasks, o.Other))
	}
}

func (n ofTests) Task(number op.Task) op.Origin {
	t := n.tasks[number]
	o := op.Origin{Name: fmt.Sprint("task ", t), By: op.NoTask, Test: op.OutsideTests}
	if t == 0 {
		return o
	}
	runner := t
	if o.Function = "testing.tRunner"; t > 9 {
		runner = t / 10
		o.Function, o.At = "a.f", op.Place(t)
	}
	if runner < 9 { // what TestMain has started
		o.Test = "Test" + string(rune('A'+runner-1)) + "/part"
	}
	return o
}

// A goroutine that waits when its test has ended is a leak of that test, if only another test ends
// the wait, or has a goroutine left that could.
func TestLeakIsOfItsTest(t *testing.T) {
	const c, d op.Object = 1, 2
	goes := func(by, task op.Task) op.Op { return op.Op{Kind: op.Go, Task: by, Other: task} }
	end := func(task op.Task) op.Op { return op.Op{Kind: op.End, Task: task} }
	waits := func(task op.Task, kind op.Kind, o op.Object, at op.Place) op.Op {
		return op.Op{Kind: op.Block, Task: task, Want: kind, Object: o, At: at}
	}
	does := func(task op.Task, kind op.Kind, o op.Object) op.Op {
		return op.Op{Kind: kind, Task: task, Object: o}
	}
	gives := func(from, to op.Task, o op.Object) op.Op {
		return op.Op{Kind: op.Handoff, Task: from, Other: to, Object: o}
	}
	global := func(task op.Task) op.Op {
		return op.Op{Kind: op.CutOff, Task: op.NoTask, Other: task, Arg: int64(op.FromGlobals)}
	}
	checked, left := op.Op{Kind: op.Checked, Task: op.NoTask}, op.Op{Kind: op.Left}
	begin := []op.Op{{Kind: op.Main}, does(0, op.MakeChan, c), does(0, op.MakeChan, d), goes(0, 1), goes(1, 11)}
	leaks := append(slices.Clone(begin), waits(11, op.Recv, c, 5), end(1), goes(0, 2))
	const (
		byB    = "possible: task 11 outlives TestA: it waits at a.go:5 to receive from chan 1, and only TestB ends that"
		stays  = "possible: task 11 waits for ever at a.go:5 to receive from chan 1"
		stuck  = "observed: task 11 waits for ever at a.go:5 to receive from chan 1"
		byNone = ""
	)
	for _, test := range []struct {
		name, want string
		begin, ops []op.Op
	}{
		{"another test closes", byB, leaks, []op.Op{
			does(2, op.Close, c), does(11, op.RecvClosed, c), end(11), end(2), left,
		}},
		{"another test sends", byB, leaks, []op.Op{gives(2, 11, c), end(11), end(2), left}},
		{"a goroutine of another test sends", byB, leaks, []op.Op{
			goes(2, 21), gives(21, 11, c), end(21), end(11), end(2), left,
		}},
		{"its own test sends", byNone, begin, []op.Op{
			waits(11, op.Recv, c, 5), gives(1, 11, c), end(11), end(1), left,
		}},
		{"another test does before it has ended", byNone, begin, []op.Op{
			waits(11, op.Recv, c, 5), goes(0, 2), gives(2, 11, c), end(11), end(1), end(2), left,
		}},
		{"TestMain does", byNone, leaks, []op.Op{goes(0, 9), gives(9, 11, c), end(9), end(11), end(2), left}},
		{"main does", byNone, leaks, []op.Op{gives(0, 11, c), end(11), end(2), left}},
		{"a goroutine of its own could go on", byNone, begin, []op.Op{
			goes(1, 12), waits(11, op.Recv, c, 5), end(1), goes(0, 2), gives(2, 11, c), end(11), end(12),
			end(2), left,
		}},
		{"a third test could do so", byNone, leaks, []op.Op{
			goes(0, 3), gives(3, 0, c), gives(2, 11, c), end(11), end(3), end(2), left,
		}},
		{"it comes back, and TestMain ends it", byNone, leaks, []op.Op{
			gives(2, 11, c), waits(11, op.Recv, c, 5), end(2), does(0, op.Close, c),
			does(11, op.RecvClosed, c), end(11), left,
		}},
		{"it comes back and stays", stays, leaks, []op.Op{gives(2, 11, c), waits(11, op.Recv, c, 5), end(2), left}},
		{"it stays, and serves its own test", stuck, begin, []op.Op{
			waits(11, op.Recv, c, 5), gives(1, 11, c), waits(11, op.Recv, c, 5), end(1), left,
		}},
		{"a goroutine that serves others answers", byNone, leaks, []op.Op{
			goes(2, 21), waits(21, op.Recv, d, 6), goes(0, 3), gives(3, 21, d), gives(21, 11, c), end(11), end(21),
			end(2), end(3), left,
		}},
		{"another test has a goroutine left that has sent", stays, leaks, []op.Op{
			goes(2, 21), gives(21, 2, c), end(2), global(11), checked, left,
		}},
		{"its own has one left", byNone, begin, []op.Op{
			goes(1, 12), gives(12, 1, c), waits(11, op.Recv, c, 5), end(1), global(11), checked, left,
		}},
		{"TestMain has", byNone, leaks, []op.Op{
			goes(0, 9), gives(9, 2, c), end(2), global(11), checked, left,
		}},
		{"another test has one left that leads to it", stays, leaks, []op.Op{goes(2, 21), end(2), checked, left}},
		{"main leads to it as it exits", stays, leaks, []op.Op{end(2), checked, left}},
		{"TestMain has one, too", byNone, leaks, []op.Op{goes(2, 21), end(2), goes(0, 9), checked, left}},
		{"not all tests have ended", byNone, leaks, []op.Op{goes(2, 21), checked}},
	} {
		var got []string
		var names ofTests
		run := append(slices.Clone(test.begin), test.ops...)
		names.renumber(run)
		for _, f := range watched(t, run...).Findings(names) {
			if f.Property == builtin.Stuck {
				got = append(got, f.How.String()+": "+f.Text)
			}
			for _, note := range f.Notes {
				if strings.Contains(note, "  ") {
					t.Errorf("%s: a note lacks a name: %q", test.name, note)
				}
			}
		}
		if got := strings.Join(got, "; "); got != test.want {
			t.Errorf("%s: %q, not %q", test.name, got, test.want)
		}
	}
}
