package builtin

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tracer/op"
)

// A Cond that is freed is signalled no more: what its tasks know by then decides.
func TestLostSignalOfFreedCond(t *testing.T) {
	const cond, mu, c = 1, 2, 3
	begin := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.MakeChan, Object: c}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.Lock, Task: 1, Object: mu}},
		{Op: op.Op{Kind: op.Unlock, Task: 1, Object: mu}}, // 5
		{Op: op.Op{Kind: op.Block, Task: 1, Want: op.CondWait, Object: cond}},
		{Op: op.Op{Kind: op.Signal, Object: cond}},
		{Op: op.Op{Kind: op.CondWait, Task: 1, Object: cond}},
		{Op: op.Op{Kind: op.End, Task: 1}}, // 9
	}
	free := script{{Op: op.Op{Kind: op.Free, Task: op.NoTask, Object: cond}}}
	learns := script{{Op: op.Op{Kind: op.AtomicLoad, Object: 9}, knows: []int{8}}}
	left := script{{Op: op.Op{Kind: op.Left}}}
	for _, test := range []struct {
		name, want string
		then       script
	}{
		{"which goes on", "predicted: condwait@6", free},
		{"which learns of the wait later", "predicted: condwait@6", slices.Concat(free, learns)},
		{"which has learnt of the wait", "", slices.Concat(learns, free)},
		{"which goes on at the end", "predicted: condwait@6", slices.Concat(free, learns, left)},
		{"and is not freed", "", nil},
	} {
		if got := brief(slices.Concat(begin, test.then).findings(Stuck)); got != test.want {
			t.Errorf("a task has signalled %s: %q, want %q", test.name, got, test.want)
		}
	}
	unsignalled := slices.Concat(begin[:6], script{{Op: op.Op{Kind: op.CondWait, Task: 1, Object: cond}}}, free)
	if got := brief(unsignalled.findings(Stuck)); got != "" {
		t.Errorf("a Cond that no task has signalled: %q", got)
	}
}

// One of many Conds from the same places is enough.
func TestLostSignalOfManyFreedConds(t *testing.T) {
	const mu = 200
	s := script{{Op: op.Op{Kind: op.Main}}}
	places := map[int]op.Place{}
	for cond := op.Object(1); cond <= 9; cond++ {
		task := op.Task(cond)
		s = append(s, script{
			{Op: op.Op{Kind: op.Go, Other: task}},
			{Op: op.Op{Kind: op.Unlock, Task: task, Object: mu}},
			{Op: op.Op{Kind: op.Block, Task: task, Want: op.CondWait, Object: cond}},
			{Op: op.Op{Kind: op.Signal, Object: cond}},
			{Op: op.Op{Kind: op.CondWait, Task: task, Object: cond}},
			{Op: op.Op{Kind: op.Free, Task: op.NoTask, Object: cond}},
		}...)
		places[len(s)-3] = 1000
		if cond < 9 {
			places[len(s)-3] = 4
		}
	}
	const want = "predicted: condwait@1000; predicted: condwait@4"
	if got := brief(s.at(places).findings(Stuck)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The channel of a meeting, and the channel of its other case, are freed before the run is over.
func TestOtherCaseOfFreedChannels(t *testing.T) {
	const c, stop = 1, 2
	begin := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.MakeChan, Object: c}},
		{Op: op.Op{Kind: op.MakeChan, Object: stop}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.Go, Other: 2}}, // 5
		{Op: op.Op{Kind: op.Block, Want: op.Select, Cases: []op.Case{{Object: c}, {Object: stop}}}},
		{Op: op.Op{Kind: op.Handoff, Task: 1, Other: 0, Object: c}}, // 7
	}
	freed := func(o op.Object) script { return script{{Op: op.Op{Kind: op.Free, Task: op.NoTask, Object: o}}} }
	closes := script{{Op: op.Op{Kind: op.Close, Task: 2, Object: stop}}}
	sends := script{{Op: op.Op{Kind: op.Send, Task: 2, Object: stop}}}
	knows := script{{Op: op.Op{Kind: op.Close, Task: 2, Object: stop}, knows: []int{7}}}
	again := script{{Op: op.Op{Kind: op.Recv, Object: c}}}
	others := script{{Op: op.Op{Kind: op.Recv, Task: 3, Object: c}}}
	end := script{{Op: op.Op{Kind: op.End, Task: 1}}, {Op: op.Op{Kind: op.Left}}}
	const found = "possible: send@7"
	for _, test := range []struct {
		name, want string
		then       script
	}{
		{"the other case when it was ready", found, slices.Concat(closes, freed(stop))},
		{"both, the other case first", found, slices.Concat(closes, freed(stop), freed(c))},
		{"both, the other case last", found, slices.Concat(closes, freed(c), freed(stop))},
		{"the channel before the other case is ready", found, slices.Concat(freed(c), closes)},
		{"the channel before the other case has a sender", found, slices.Concat(freed(c), sends)},
		{"both, the channel before the other case is ready", found, slices.Concat(freed(c), closes, freed(stop))},
		{"both, and the other case never is ready", "", slices.Concat(freed(c), freed(stop))},
		{"both, the other case is ready afterwards only", "", slices.Concat(freed(c), knows, freed(stop))},
		{"the other case, and the task comes back", "", slices.Concat(closes, freed(stop), again)},
		{"the other case, and another task comes", "", slices.Concat(closes, freed(stop), others)},
		{"both, and another task has come", "", slices.Concat(others, freed(c), closes, freed(stop))},
	} {
		s := slices.Concat(begin, test.then, end)
		if got := brief(s.findings(Stuck)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// That objects are freed when they have been used for the last time hides nothing.
func TestFreeHidesNothing(t *testing.T) {
	signals, cases := 0, 0
	rapidtest.CheckUntil(t, func() bool { return signals >= 10 && cases >= 10 }, func(t *rapid.T) {
		r := randomWaits(t)
		kept := r.findings(Stuck)
		r.freeEarly()
		freed := r.findings(Stuck)
		for _, f := range kept {
			if !slices.ContainsFunc(freed, func(x Finding) bool { return brief([]Finding{x}) == brief([]Finding{f}) }) {
				t.Fatalf("%s is hidden: %s", brief([]Finding{f}), brief(freed))
			}
			if f.Parties[0].Kind == op.CondWait {
				signals++
			} else {
				cases++
			}
		}
	})
}

// randomWaits returns a run in which tasks wait for Conds, and meet in select statements. All end.
func randomWaits(t *rapid.T) *netRun {
	const tasks, mu = 4, 9
	r := newNetRun()
	one := func(t *rapid.T, of string, from, to int) int { return rapid.IntRange(from, to).Draw(t, of) }
	closed := map[op.Object]bool{}
	r.random(t, tasks, moves{
		"signal": func(t *rapid.T, task op.Task) bool {
			cond, waits := op.Object(one(t, "cond", 1, 2)), op.Task(one(t, "waits", 0, tasks-1))
			if waits == task {
				return false
			}
			r.do(op.Op{Kind: op.Unlock, Task: waits, Object: mu}, 0)
			r.do(op.Op{Kind: op.Block, Want: op.CondWait, Task: waits, Object: cond}, 0)
			knows := r.do(op.Op{Kind: op.Signal, Task: task, Object: cond}, 0)
			r.do(op.Op{Kind: op.CondWait, Task: waits, Object: cond}, knows)
			return true
		},
		"select": func(t *rapid.T, task op.Task) bool {
			c, other := op.Object(one(t, "on", 3, 4)), op.Object(one(t, "other", 5, 6))
			to := op.Task(one(t, "to", 0, tasks-1))
			if to == task {
				return false
			}
			r.do(op.Op{Kind: op.Block, Want: op.Select, Task: to, Cases: []op.Case{{Object: c}, {Object: other}}}, 0)
			r.do(op.Op{Kind: op.Handoff, Task: task, Other: to, Object: c}, 0)
			return true
		},
		"close": func(t *rapid.T, task op.Task) bool {
			c := op.Object(one(t, "what", 5, 6))
			if closed[c] {
				return false
			}
			closed[c] = true
			r.do(op.Op{Kind: op.Close, Task: task, Object: c}, 0)
			return true
		},
	})
	for task := range op.Task(tasks) {
		r.do(op.Op{Kind: op.End, Task: task}, 0)
	}
	return r
}

// freeEarly frees each object once it has been used for the last time.
func (r *netRun) freeEarly() {
	freed := map[op.Object]bool{}
	var backward []op.Op
	for i, o := range slices.Backward(r.ops) {
		uses := []op.Object{o.Object}
		cases := o.Cases
		if o.Kind == op.Handoff {
			cases = r.ops[i-1].Cases // until now the receiver has waited for all
		}
		for _, c := range cases {
			uses = append(uses, c.Object)
		}
		for _, object := range uses {
			if object != 0 && !freed[object] {
				freed[object] = true
				backward = append(backward, op.Op{Kind: op.Free, Task: op.NoTask, Other: op.NoTask, Object: object})
			}
		}
		backward = append(backward, o)
	}
	slices.Reverse(backward)
	r.ops = backward
}
