package builtin

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// A task that holds a lock while it sends waits for ever if the receiver takes another case, behind
// which it has always taken that lock.
func TestLockBehindOtherCase(t *testing.T) {
	const c, tick, mu, other = 1, 2, 3, 4
	lock := func(kind op.Kind, task op.Task, object op.Object) op.Op {
		return op.Op{Kind: kind, Task: task, Object: object}
	}
	looks := op.Op{Kind: op.Block, Task: 1, Want: op.Select, Cases: []op.Case{{Object: c}, {Object: tick}}, At: 40}
	ticks := op.Op{Kind: op.Recv, Task: 1, Object: tick, At: 40}
	begin := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.MakeChan, Object: c}},
		{Op: op.Op{Kind: op.MakeChan, Object: tick, Arg: 1}},
		{Op: op.Op{Kind: op.Arm, Object: tick, Arg: 1}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
	}
	behind := func(ops ...op.Op) script {
		s := script{{Op: looks}, {Op: ticks}}
		for _, o := range ops {
			s = append(s, script{{Op: o}}...)
		}
		return append(s, script{{Op: looks}}...)
	}
	sends := func(before, after op.Op) script {
		return script{{Op: before}, {Op: op.Op{Kind: op.Handoff, Other: 1, Object: c, At: 50}}, {Op: after}}
	}
	section := behind(lock(op.Lock, 1, mu), lock(op.Unlock, 1, mu))
	reads := behind(lock(op.RLock, 1, mu), lock(op.RUnlock, 1, mu))
	holds := sends(lock(op.Lock, 0, mu), lock(op.Unlock, 0, mu))
	tried := behind(op.Op{Kind: op.Lock, Task: 1, Object: mu, Arg: 1}, lock(op.Unlock, 1, mu))
	const found = "predicted: send@50 lock@8"
	for _, test := range []struct {
		name, want string
		ops        script
	}{
		{"each time", found, slices.Concat(section, holds)},
		{"for reading", "predicted: send@50 rlock@8", slices.Concat(reads, holds)},
		{"for reading, as the sender does", "", slices.Concat(reads,
			sends(lock(op.RLock, 0, mu), lock(op.RUnlock, 0, mu)))},
		{"another lock", "", slices.Concat(behind(lock(op.Lock, 1, other), lock(op.Unlock, 1, other)), holds)},
		{"if it is free", "", slices.Concat(tried, holds)},
		{"at first", "", slices.Concat(section, behind(), holds)},
		{"later", "", slices.Concat(behind(), section, holds)},
		{"when it has come back", "", slices.Concat(behind(), script{
			{Op: lock(op.Lock, 1, mu)}, {Op: lock(op.Unlock, 1, mu)}, {Op: looks},
		}, holds)},
		{"when the sender does not hold it", "", slices.Concat(section,
			sends(lock(op.Lock, 0, other), lock(op.Unlock, 0, other)))},
		{"which others unlock, too", "predicted, locks reordered: lock@8", slices.Concat(section, script{
			{Op: lock(op.Lock, 0, mu)}, {Op: lock(op.Unlock, 1, mu)}, {Op: looks},
		}, holds)},
	} {
		end := script{{Op: op.Op{Kind: op.End, Task: 1}}, {Op: op.Op{Kind: op.Left}}}
		if got := brief(slices.Concat(begin, test.ops, end).findings(Stuck)); got != test.want {
			t.Errorf("the receiver takes the lock %s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A task that locks before it lets another one unlock what a third one has locked may be too late.
func TestHandover(t *testing.T) {
	const mu = 1
	do := func(kind op.Kind, task op.Task, knows ...int) script {
		return script{{Op: op.Op{Kind: kind, Task: task, Object: mu}, knows: knows}}
	}
	starts := script{{Op: op.Op{Kind: op.Go, Task: 1, Other: 3}}}
	begin := script{{Op: op.Op{Kind: op.Main}}, {Op: op.Op{Kind: op.Go, Other: 1}}, {Op: op.Op{Kind: op.Go, Other: 2}}}
	locks := slices.Concat(do(op.Lock, 1), do(op.Unlock, 1)) // 4 and 5
	const found = "predicted, locks reordered: lock@4"
	for _, test := range []struct {
		name, want string
		ops        script
	}{
		{"behind the lock", found, slices.Concat(locks, starts, do(op.Lock, 2), do(op.Unlock, 3, 7))},
		{"before the lock", "", slices.Concat(starts, locks, do(op.Lock, 2), do(op.Unlock, 3, 7))},
		{"before the lock, and sends to it", "", slices.Concat(starts, locks, do(op.Lock, 2), do(op.Unlock, 3, 7, 6))},
		{"by another one", found, slices.Concat(locks, script{
			{Op: op.Op{Kind: op.Go, Task: 1, Other: 4}}, {Op: op.Op{Kind: op.Go, Task: 4, Other: 3}},
		}, do(op.Lock, 2), do(op.Unlock, 3, 8))},
		{"by the third one", "", slices.Concat(locks, starts, do(op.Lock, 2), do(op.Unlock, 2))},
		{"and the third one knows of the lock", "", slices.Concat(
			locks, starts, do(op.Lock, 2, 5), do(op.Unlock, 3, 7))},
		{"and all read", "", slices.Concat(
			do(op.RLock, 1), do(op.RUnlock, 1), starts, do(op.RLock, 2), do(op.RUnlock, 3, 7))},
	} {
		end := script{
			{Op: op.Op{Kind: op.End, Task: 1}}, {Op: op.Op{Kind: op.End, Task: 2}}, {Op: op.Op{Kind: op.End, Task: 3}},
			{Op: op.Op{Kind: op.Left}},
		}
		if got := brief(slices.Concat(begin, test.ops, end).findings(Stuck)); got != test.want {
			t.Errorf("it starts the other one %s: %q, want %q", test.name, got, test.want)
		}
	}
}
