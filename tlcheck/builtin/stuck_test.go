package builtin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// What waits for ever at the end of a run, and what does not.
func TestStuckAtEnd(t *testing.T) {
	const c, d, mu, wg, cond = 1, 2, 3, 4, 5
	begin := []op.Op{{Kind: op.Main}, {Kind: op.MakeChan, Object: c}, {Kind: op.MakeChan, Object: d, Arg: 1}, {Kind: op.Go, Other: 1}, {Kind: op.Go, Other: 2}}
	block := func(task op.Task, want op.Kind, object op.Object, cases ...op.Case) op.Op {
		return op.Op{Kind: op.Block, Task: task, Want: want, Object: object, Cases: cases}
	}
	lock := func(task op.Task, kind op.Kind) op.Op { return op.Op{Kind: kind, Task: task, Object: mu} }
	end := func(task op.Task) op.Op { return op.Op{Kind: op.End, Task: task} }
	left, looked := op.Op{Kind: op.Left}, op.Op{Kind: op.Checked, Task: op.NoTask}
	cut := op.Op{Kind: op.Block, Task: 1, Want: op.Select, Cases: []op.Case{{Object: c}}, Arg: 3}
	for _, test := range []struct {
		name, want string // tasks that wait for ever, groups divided by commas
		ops        []op.Op
	}{
		{"nobody sends", "1", []op.Op{block(1, op.Recv, c), end(2), left}},
		{"nobody receives", "1", []op.Op{block(1, op.Send, c), end(2), left}},
		{"main could", "", []op.Op{block(1, op.Recv, c), end(2)}},
		{"another task could", "", []op.Op{block(1, op.Recv, c), left}},
		{"both at the same channel", "1 2", []op.Op{block(1, op.Recv, c), block(2, op.Recv, c), left}},
		{"two groups, one has made what the other waits for", "2,1", []op.Op{
			{Kind: op.MakeChan, Task: 1, Object: d}, block(1, op.Recv, c), block(2, op.Send, d), left,
		}},
		{"two groups", "2,1", []op.Op{block(1, op.Recv, c), block(2, op.Send, d), {Kind: op.Send, Object: d}, left}},
		{"not woken yet", "", []op.Op{block(1, op.Recv, c), end(2), {Kind: op.Close, Object: c}, left}},
		{"a value is there", "", []op.Op{block(1, op.Recv, d), end(2), {Kind: op.Send, Object: d}, left}},
		{"the buffer is full", "1", []op.Op{{Kind: op.Send, Object: d}, block(1, op.Send, d), end(2), left}},
		{"there is room", "", []op.Op{block(1, op.Send, d), end(2), left}},
		{"woken by one who can be", "", []op.Op{block(1, op.Recv, c), block(2, op.Recv, d), {Kind: op.Send, Object: d}, left}},
		{"went on", "", []op.Op{block(1, op.Send, c), {Kind: op.Handoff, Task: 1, Other: 2, Object: c}, end(1), end(2), left}},
		{"nil channel, whoever runs", "1", []op.Op{block(1, op.Send, 0)}},
		{"select without cases", "1", []op.Op{block(1, op.Select, 0)}},
		{"select", "1", []op.Op{block(1, op.Select, 0, op.Case{Object: c}, op.Case{Object: d, Send: true}), {Kind: op.Send, Object: d}, end(2), left}},
		{"select with a way out", "", []op.Op{block(1, op.Select, 0, op.Case{Object: c}, op.Case{Object: d, Send: true}), end(2), left}},
		{"select of which not all is told", "1", []op.Op{cut, end(2), left}},
		{"the rest may be used", "", []op.Op{cut, left}},
		{"the rest may have been closed", "", []op.Op{cut, {Kind: op.Close, Task: 2, Object: 8}, end(2), left}},
		{"the rest was not closed", "1", []op.Op{{Kind: op.Close, Task: 2, Object: 8}, cut, end(2), left}},
		{"the rest may be a timer's", "", []op.Op{{Kind: op.Arm, Object: 8}, cut, end(2), left}},
		{"a timer sends", "", []op.Op{{Kind: op.Arm, Object: c}, block(1, op.Recv, c), end(2), left}},
		{"a timer is stopped", "1", []op.Op{{Kind: op.Arm, Object: c}, block(1, op.Recv, c), {Kind: op.Stop, Object: c}, end(2), left}},
		{"a timer has sent", "1", []op.Op{{Kind: op.Arm, Object: c}, {Kind: op.Recv, Task: 1, Object: c}, block(1, op.Recv, c), end(2), left}},
		{"a ticker has sent", "", []op.Op{{Kind: op.Arm, Object: c, Arg: 1}, {Kind: op.Recv, Task: 1, Object: c}, block(1, op.Recv, c), end(2), left}},
		{"a timer starts a task", "", []op.Op{{Kind: op.Go, Other: 3, Arg: 1, Object: 9}, block(1, op.Recv, c), end(2), left}},
		{"that timer is stopped", "1", []op.Op{{Kind: op.Go, Other: 3, Arg: 1, Object: 9}, block(1, op.Recv, c), {Kind: op.Stop, Object: 9}, end(2), left}},
		{"that task has begun and ended", "1", []op.Op{{Kind: op.Go, Other: 3, Arg: 1, Object: 9}, {Kind: op.Fire, Task: op.NoTask, Other: 3, Object: 9}, end(3), block(1, op.Recv, c), end(2), left}},
		{"signals", "", []op.Op{{Kind: op.Outside, Object: d}, block(1, op.Recv, d), end(2), left}},
		{"no more signals", "1", []op.Op{{Kind: op.Outside, Object: d}, {Kind: op.Outside, Object: d, Arg: 1}, block(1, op.Recv, d), end(2), left}},
		{"double lock, whoever runs", "1", []op.Op{lock(1, op.Lock), block(1, op.Lock, mu)}},
		{"upgrade, whoever runs", "1", []op.Op{lock(1, op.RLock), block(1, op.Lock, mu)}},
		{"the holder runs", "", []op.Op{lock(2, op.Lock), block(1, op.Lock, mu)}},
		{"the holder has ended", "1", []op.Op{lock(2, op.Lock), end(2), block(1, op.Lock, mu)}},
		{"the holder ends the program", "", []op.Op{lock(0, op.Lock), block(1, op.Lock, mu), end(2), left}},
		{"main returns with the lock", "1", []op.Op{lock(0, op.Lock), block(1, op.Lock, mu), end(2), {Kind: op.Left, Arg: 1}}},
		{"main waits for who ends the program", "", []op.Op{block(0, op.Recv, c), end(2), {Kind: op.Left, Task: 1}}},
		{"main waits in a select without cases", "", []op.Op{block(0, op.Select, 0), end(2), {Kind: op.Left, Task: 1}}},
		{"main waits in a select without cases while others work", "", []op.Op{block(0, op.Select, 0), end(1)}},
		{"main waits in a select without cases, and nobody works", "main", []op.Op{block(0, op.Select, 0), end(1), end(2)}},
		{"main could go on, but for the exit", "", []op.Op{block(0, op.Recv, c), block(2, op.Recv, d), {Kind: op.Left, Task: 1}}},
		{"who started it waits", "", []op.Op{{Kind: op.Go, Task: 1, Other: 3}, end(0), block(1, op.Recv, c), end(2), {Kind: op.Left, Task: 3}}},
		{"who started the one that started it waits", "", []op.Op{
			{Kind: op.Go, Task: 1, Other: 3}, {Kind: op.Go, Task: 3, Other: 4}, end(3), end(0), block(1,
				op.Recv, c), end(2), {Kind: op.Left, Task: 4},
		}},
		{"who did not waits", "2", []op.Op{{Kind: op.Go, Task: 1, Other: 3}, end(0), block(2, op.Recv, c), end(1), {Kind: op.Left, Task: 3}}},
		{"main leads to it, and exits", "", []op.Op{block(1, op.Recv, c), end(2), looked, left}},
		{"main leads to it, and returns", "1", []op.Op{block(1, op.Recv, c), end(2), looked, {Kind: op.Left, Arg: 1}}},
		{"main does not, and exits", "1", []op.Op{block(1, op.Recv, c), end(2), {Kind: op.CutOff,
			Task: op.NoTask, Other: 1}, looked, left}},
		{"a variable does, and main exits", "1", []op.Op{
			block(1, op.Recv, c), end(2), {Kind: op.CutOff, Task: op.NoTask, Other: 1,
				Arg: int64(op.FromGlobals)}, looked, left,
		}},
		{"main leads to a lock of one that has ended, and exits", "1", []op.Op{lock(2, op.Lock), end(2),
			block(1, op.Lock, mu), looked, left}},
		{"main waits for itself", "main", []op.Op{lock(0, op.Lock), block(0, op.Lock, mu), end(2), {Kind: op.Left, Task: 1}}},
		{"unlocked by another before", "", []op.Op{lock(2, op.Lock), lock(0, op.Unlock), lock(2, op.Lock), end(2), block(1, op.Lock, mu)}},
		{"the holder is stuck", "2 1", []op.Op{lock(2, op.Lock), block(2, op.Recv, c), block(1, op.Lock, mu), left}},
		{"a writer between", "1 2", []op.Op{lock(1, op.RLock), block(2, op.Lock, mu), block(1, op.RLock, mu)}},
		{"no writer between", "", []op.Op{lock(1, op.RLock), block(1, op.RLock, mu), end(2), left}},
		{"a reader is left", "2", []op.Op{lock(1, op.RLock), lock(1, op.RLock), lock(1, op.RUnlock), end(1), block(2, op.Lock, mu), left}},
		{"all readers have gone", "", []op.Op{lock(1, op.RLock), lock(1, op.RUnlock), end(1), block(2, op.Lock, mu), left}},
		{"a copy of what was locked", "1 2", []op.Op{block(1, op.Lock, mu), block(2, op.RLock, mu), left}},
		{"a copy that somebody may unlock", "", []op.Op{block(1, op.Lock, mu), left}},
		{"a copy that was unlocked", "", []op.Op{block(1, op.Lock, mu), lock(2, op.Unlock), end(2), left}},
		{"a copy that a reader has left", "", []op.Op{block(1, op.Lock, mu), lock(2, op.RUnlock), end(2), left}},
		{"not done", "1", []op.Op{{Kind: op.Add, Object: wg, Arg: 1}, block(1, op.Wait, wg), end(2), left}},
		{"done", "", []op.Op{{Kind: op.Add, Object: wg, Arg: 1}, block(1, op.Wait, wg), {Kind: op.Done, Task: 2, Object: wg, Arg: -1}, end(2), left}},
		{"not signalled", "1", []op.Op{{Kind: op.Signal, Object: cond}, block(1, op.CondWait, cond), end(2), left}},
		{"signalled", "", []op.Op{block(1, op.CondWait, cond), {Kind: op.Signal, Object: cond}, end(2), left}},
		{"another one signalled", "2", []op.Op{
			block(1, op.CondWait, cond), block(2, op.CondWait, cond), {Kind: op.Signal, Object: cond}, {Kind: op.CondWait, Task: 1, Object: cond}, end(1), left,
		}},
		{"all told", "", []op.Op{block(1, op.CondWait, cond), block(2, op.CondWait, cond), {Kind: op.Broadcast, Object: cond}, left}},
	} {
		if got := stuckTasks(append(begin[:len(begin):len(begin)], test.ops...)); got != test.want {
			t.Errorf("%s: %q wait for ever, want %q", test.name, got, test.want)
		}
	}
}

// stuckTasks returns the tasks of each observed finding, each operation at a place of its own.
func stuckTasks(ops []op.Op) string {
	var groups []string
	for _, f := range told(ops) {
		var tasks []string
		for _, p := range f.Parties {
			tasks = append(tasks, strings.TrimPrefix(testNames{}.Task(p.Task).Name, "main."))
		}
		groups = append(groups, strings.Join(tasks, " "))
	}
	return strings.Join(groups, ",")
}

func told(ops []op.Op) []Finding {
	c := checkerOf(Stuck)
	for i := range ops {
		o := ops[i]
		o.At, o.K = op.Place(i+1), int32(i+1)
		c.Op(&o)
	}
	return c.Findings(testNames{})
}

// Of those that wait in one line, and that one line has started, a report shows one, by whichever
// calls they came there.
func TestStuckShowsOneOfALine(t *testing.T) {
	const c = 1
	checker := checkerOf(Stuck)
	ops := []op.Op{{Kind: op.Main}, {Kind: op.MakeChan, Object: c}}
	for task := op.Task(1); task <= 4; task++ {
		ops = append(ops, op.Op{Kind: op.Go, Other: task}, op.Op{Kind: op.Block, Task: task, Want: op.Recv, Object: c, At: 100 + op.Place(task)})
	}
	ops = append(ops, op.Op{Kind: op.Left})
	for i := range ops {
		checker.Op(&ops[i])
	}
	found := checker.Findings(sameLine{})
	if len(found) != 1 || fmt.Sprint(partyTasks(found[0].Parties)) != "[1 4]" ||
		!strings.HasPrefix(found[0].Text, "main.1 and 2 more wait for ever") {
		t.Errorf("%+v", found)
	}
}

// sameLine are testNames where all places from 100 on are in one line, and tasks were started at 20
// or 21.
type sameLine struct{ testNames }

func (n sameLine) Task(t op.Task) op.Origin {
	o := n.testNames.Task(t)
	o.At = 20 + op.Place(t)/4
	return o
}

func (n sameLine) Place(p op.Place) op.Location { return n.testNames.Place(min(p, 100)) }

// Goroutines may be meant to wait, by what they run or where they wait.
func TestMayWait(t *testing.T) {
	const c = 1
	waits := []op.Op{{Kind: op.Main}, {Kind: op.Go, Other: 1}, {Kind: op.Block, Task: 1, Want: op.Recv, Object: c}, {Kind: op.Left}}
	for function, want := range map[string]int{"f": 0, "x.serve": 0, "serve": 0, "other": 1} {
		checker := checkerOf(Stuck)
		checker.MayWait("nobody", function)
		for i := range waits {
			o := waits[i]
			o.At, o.K = op.Place(i+1), int32(i+1)
			checker.Op(&o)
		}
		if found := checker.Findings(servingNames{}); len(found) != want {
			t.Errorf("%s: %d findings, want %d", function, len(found), want)
		}
	}
}

// servingNames are testNames of tasks that serve.
type servingNames struct{ testNames }

func (n servingNames) Task(t op.Task) op.Origin {
	origin := n.testNames.Task(t)
	origin.Function = "x.serve"
	return origin
}

// Goroutines that packages start when they are initialised serve as long as something leads to what
// they wait for. They may wait for nothing on purpose.
func TestStuckLeavesOutDaemons(t *testing.T) {
	receive := op.Op{Kind: op.Block, Task: 1, Want: op.Recv, Object: 1}
	idle := op.Op{Kind: op.Block, Task: 1, Want: op.Select}
	check := func(source op.Source) []op.Op {
		return []op.Op{
			{Kind: op.CutOff, Task: op.NoTask, Other: 1, Arg: int64(source)}, {Kind: op.Checked, Task: op.NoTask},
		}
	}
	for _, test := range []struct {
		name, want string
		wait       op.Op
		checked    []op.Op
	}{
		{"not checked", "", receive, nil},
		{"a package variable leads there", "", receive, check(op.FromGlobals)},
		{"something leads there", "", receive, []op.Op{{Kind: op.Checked, Task: op.NoTask}}},
		{"nothing leads there", "1", receive, check(op.FromNothing)},
		{"it waits for nothing", "", idle, check(op.FromNothing)},
	} {
		ops := append([]op.Op{{Kind: op.Go, Other: 1}, {Kind: op.Main}, test.wait}, test.checked...)
		if got := stuckTasks(append(ops, op.Op{Kind: op.Left})); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A report says who could have woken a task, and what became of that one.
func TestStuckSaysWhy(t *testing.T) {
	const c = 1
	found := told([]op.Op{
		{Kind: op.Main},
		{Kind: op.Go, Other: 1},
		{Kind: op.Go, Other: 2},
		{Kind: op.Handoff, Task: 2, Other: 1, OtherAt: 50, Object: c},
		{Kind: op.Handoff, Task: 2, Other: 1, OtherAt: 50, Object: c},
		{Kind: op.End, Task: 2},
		{Kind: op.Select, Cases: []op.Case{{Object: c, Send: true}}},
		{Kind: op.Block, Task: 1, Want: op.Recv, Object: c},
		{Kind: op.Left},
	})
	if len(found) != 1 {
		t.Fatal(found)
	}
	const want = `main.1 waits for ever at x.go:8 to receive from object 1
main.2 has sent on object 1 at x.go:5, and has ended
main could send on object 1 at x.go:7 but took another case of its select statement, and has ended the program`
	if got := found[0].Text + "\n" + strings.Join(found[0].Notes, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
