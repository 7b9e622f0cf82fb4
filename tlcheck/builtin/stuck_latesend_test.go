package builtin

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// A task that receives a request may take the default and end before that is sent.
func TestLateSend(t *testing.T) {
	const requests, reply, stop, other, mu = 1, 2, 3, 4, 5
	begin := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.Go, Other: 2}},
		{Op: op.Op{Kind: op.MakeChan, Object: requests, Arg: 4}},
	}
	both := []op.Case{{Object: requests}, {Object: stop}}
	looks := script{{Op: op.Op{Kind: op.Block, Task: 1, Want: op.Select, Cases: both}}} // 5
	polls := script{{Op: op.Op{Kind: op.Select, Task: 1, Cases: both, Arg: op.LeftDefault, At: 5}}}
	// 6
	sends := script{{Op: op.Op{Kind: op.Send, Task: 2, Object: requests}}}
	// 7
	receives := script{{Op: op.Op{Kind: op.Recv, Task: 1, Object: requests, InCase: true}, knows: []int{6}}}
	// 8
	answers := script{{Op: op.Op{Kind: op.Close, Task: 1, Object: reply}}}
	// 9
	waits := script{{Op: op.Op{Kind: op.RecvClosed, Task: 2, Object: reply}, knows: []int{8}}}
	waitsToo := script{{Op: op.Op{Kind: op.Select, Task: 2, Cases: []op.Case{{Object: reply}, {Object: stop}},
		Arg: op.NoDefault}},
		{Op: op.Op{Kind: op.RecvClosed, Task: 2, Object: reply, InCase: true}, knows: []int{8}}}
	closes := script{{Op: op.Op{Kind: op.Close, Object: stop}}}
	closesKnowing := func(i int) script { return script{{Op: op.Op{Kind: op.Close, Object: stop}, knows: []int{i}}} }
	comesBack := func(closing int) script {
		return script{
			{Op: op.Op{Kind: op.Select, Task: 1, Cases: both, Arg: op.NoDefault}},
			{Op: op.Op{Kind: op.RecvClosed, Task: 1, Object: stop, InCase: true}, knows: []int{closing}},
		}
	}
	takesDefault := func(at op.Place) script {
		return script{{Op: op.Op{Kind: op.Select, Task: 1, Cases: []op.Case{{Object: requests}},
			Arg: op.TookDefault, At: at}}}
	}
	end := func(task op.Task) script { return script{{Op: op.Op{Kind: op.End, Task: task}}} }
	left := script{{Op: op.Op{Kind: op.Left}}}
	served := slices.Concat(begin, looks, sends, receives, answers, waits) // 9 operations
	lock := func(task op.Task, kind op.Kind, knows ...int) script {
		return script{{Op: op.Op{Kind: kind, Task: task, Object: mu}, knows: knows}}
	}
	door := func(knows int) script {
		return slices.Concat(lock(1, op.Lock, knows), lock(1, op.Unlock))
	}
	isDone := script{{Op: op.Op{Kind: op.Done, Task: 2, Object: other, Arg: -1}}}
	joins := func(i int) script {
		return script{{Op: op.Op{Kind: op.Wait, Task: 1, Object: other}, knows: []int{i}}}
	}
	stopped := slices.Concat(closes, comesBack(10), takesDefault(0), end(1))
	found := "possible: recv@9 select@13"
	for name, test := range map[string]struct {
		run  []script
		want string
	}{
		"drains and ends": {[]script{served, stopped, end(2), left}, found},
		"it waits until all have sent": {[]script{begin, looks, sends, isDone, receives,
			answers.after(1), waits.after(1), closes, comesBack(11), joins(7), takesDefault(0),
			end(1), end(2), left}, ""},
		"the request is received first": {[]script{begin, looks, sends, receives, isDone,
			answers.after(1), waits.after(1), closes, comesBack(11), joins(8), takesDefault(0),
			end(1), end(2), left}, ""},
		"it waits before it looks again": {[]script{begin, looks, sends, isDone, receives,
			answers.after(1), waits.after(1), joins(7), closes, comesBack(12), takesDefault(0),
			end(1), end(2), left}, "possible: recv@10 select@15"},
		"it closes the door": {[]script{begin, lock(2, op.RLock), looks, sends,
			lock(2, op.RUnlock), receives.after(1), answers.after(2), waits.after(2), closes,
			comesBack(12), door(8), takesDefault(0), end(1), end(2), left}, ""},
		"it has sent outside of the door": {[]script{begin, looks, sends, lock(2, op.RLock),
			lock(2, op.RUnlock), receives, answers.after(2), waits.after(2), closes,
			comesBack(12), door(8), takesDefault(0), end(1), end(2), left},
			"possible: recv@11 select@17"},
		"freed": {[]script{served, stopped, {{Op: op.Op{Kind: op.Free, Task: op.NoTask,
			Object: requests}}}, end(2), left}, found},
		"goes on":      {[]script{served, stopped[:4], end(2), left}, ""},
		"ends at once": {[]script{served, closes, comesBack(10), end(1), end(2), left}, ""},
		"never stops":  {[]script{served, takesDefault(0), end(1), end(2), left}, ""},
		"comes for the last one": {[]script{served, stopped[:4], {{Op: op.Op{Kind: op.Recv, Task: 1,
			Object: requests, Arg: 1}}}, end(1), end(2), left}, ""},
		"it is stopped behind the send": {[]script{served, closesKnowing(6), comesBack(10), takesDefault(0),
			end(1), end(2), left}, ""},
		"it is stopped when all is done": {[]script{served, closesKnowing(9), comesBack(10), takesDefault(0),
			end(1), end(2), left}, ""},
		"it looks behind the send": {[]script{begin, {{Op: op.Op{Kind: op.Send, Task: 2, Object: requests}}},
			{{Op: op.Op{Kind: op.Block, Task: 1, Want: op.Select, Cases: both}, knows: []int{5}}},
			{{Op: op.Op{Kind: op.Recv, Task: 1, Object: requests, InCase: true}, knows: []int{5}}},
			answers, waits, stopped, end(2), left}, ""},
		"another one receives": {[]script{served, stopped, {{Op: op.Op{Kind: op.Recv, Object: requests,
			Arg: 1}}}, end(2), left}, ""},
		"another one looks": {[]script{served, stopped, {{Op: op.Op{Kind: op.Select,
			Cases: []op.Case{{Object: requests}},
			Arg:   op.TookDefault}}}, end(2), left}, ""},
		"another one has received before it was freed": {[]script{served, {{Op: op.Op{Kind: op.Recv,
			Object: requests, Arg: 1}}},
			stopped.after(1), {{Op: op.Op{Kind: op.Free, Task: op.NoTask, Object: requests}}}, end(2), left}, ""},
		"another one waits": {[]script{served, stopped, {{Op: op.Op{Kind: op.Block, Task: 2, Want: op.Recv,
			Object: requests}}}, left}, "observed: recv@15"},
		"another one answers": {[]script{served[:8], {{Op: op.Op{Kind: op.Send, Object: reply}}}, waits, closes,
			comesBack(11), takesDefault(0),
			end(1), end(2), left}, ""},
		"it waits for more": {[]script{served[:8], waitsToo, closes, comesBack(11), takesDefault(0), end(1),
			end(2), left}, ""},
		"it does not wait": {[]script{served[:8], closes, comesBack(9), takesDefault(0), end(1), end(2), left}, ""},
		"it waits for something else": {[]script{served[:8], {{Op: op.Op{Kind: op.Close, Object: other}},
			{Op: op.Op{Kind: op.RecvClosed, Task: 2, Object: other}, knows: []int{9}}}, closes, comesBack(11),
			takesDefault(0),
			end(1), end(2), left}, ""},
		"a poll": {[]script{begin, polls, sends, receives, answers, waits, takesDefault(5), end(1),
			end(2), left}, "possible: recv@9 select@5"},
		"another poll": {[]script{begin, polls, sends, receives, answers, waits, takesDefault(0), end(1),
			end(2), left}, ""},
		"without a buffer": {[]script{begin, looks, {{Op: op.Op{Kind: op.Handoff, Task: 2, Other: 1,
			Object: requests}}},
			closes, comesBack(7), takesDefault(0), end(1), end(2), left}, "possible: send@6 select@10"},
		"without a buffer, in a select statement": {[]script{begin, looks, {{Op: op.Op{Kind: op.Select, Task: 2,
			Arg:   op.NoDefault,
			Cases: []op.Case{{Object: requests, Send: true}, {Object: stop}}}},
			{Op: op.Op{Kind: op.Handoff, Task: 2, Other: 1, Object: requests}}},
			closes, comesBack(8), takesDefault(0), end(1), end(2), left}, ""},
	} {
		if got := brief(slices.Concat(test.run...).findings(Stuck)); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// after returns the script as it is behind n more operations.
func (s script) after(n int) script {
	s = slices.Clone(s)
	for i := range s {
		s[i].knows = slices.Clone(s[i].knows)
		for j := range s[i].knows {
			s[i].knows[j] += n
		}
	}
	return s
}
