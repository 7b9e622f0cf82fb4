package deadlock

import (
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Main has a lock and receives from who has had it before. What a third task does decides whether
// that is certain.
func TestBystanders(t *testing.T) {
	var none *clock.Clock
	started := none.With(0, 2)
	all := started.With(0, 5).With(1, 4)
	run := func(more ...op.Op) []op.Op {
		ops := append([]op.Op{
			{Kind: op.MakeChan, Task: op.NoTask, Other: op.NoTask, Object: 101},
			{Kind: op.Go, Task: 0, K: 1, Other: 1, Data: none.With(0, 1)},
			{Kind: op.Go, Task: 0, K: 2, Other: 2, Data: started},
			{Kind: op.Lock, Task: 1, K: 1, Other: op.NoTask, Object: 1, At: 1, Data: none.With(0, 1)},
			{Kind: op.Unlock, Task: 1, K: 2, Other: op.NoTask, Object: 1, At: 2, Data: none.With(0, 1)},
			{Kind: op.Lock, Task: 0, K: 3, Other: op.NoTask, Object: 1, At: 3, Data: started},
			{Kind: op.Handoff, Task: 1, K: 3, Object: 101, At: 4, Other: 0, OtherK: 4, OtherAt: 5, Data: started.With(0, 4).With(1, 3),
				BeforeData: none.With(0, 1), OtherBeforeData: started},
			{Kind: op.Unlock, Task: 0, K: 5, Other: op.NoTask, Object: 1, At: 6, Data: all},
		}, more...)
		for i := range ops {
			o := &ops[i]
			o.Free, o.Full, o.Begin, o.Before, o.OtherBefore, o.OtherBegin = o.Data, o.Data, o.Data, o.BeforeData, o.OtherBeforeData, o.OtherBeforeData
		}
		return ops
	}
	lock := func(k int32, object op.Object) op.Op {
		return op.Op{Kind: op.Lock, Task: 2, K: k, Other: op.NoTask, Object: object, At: 7, Data: started}
	}
	unlock := func(k int32, object op.Object) op.Op {
		return op.Op{Kind: op.Unlock, Task: 2, K: k, Other: op.NoTask, Object: object, At: 8, Data: started}
	}
	ends := func(k int32, data *clock.Clock) op.Op {
		return op.Op{Kind: op.End, Task: 2, K: k, Other: op.NoTask, Data: data}
	}
	armed := op.Op{Kind: op.Go, Task: 0, K: 2, Other: 3, Arg: 1, Object: 201, Data: started}
	over := func(k int32) op.Op { return op.Op{Kind: op.End, Task: 3, K: k, Other: op.NoTask, Data: started} }
	for name, c := range map[string]struct {
		ops  []op.Op
		want bool
	}{
		"does not end":                         {run(), false},
		"ends":                                 {run(ends(1, started)), true},
		"has read":                             {run(ends(1, all)), false},
		"is not started":                       {run(ends(1, started), op.Op{Kind: op.Go, Task: 0, K: 6, Other: 3, Data: all}), true},
		"acquires the lock":                    {run(lock(1, 1), unlock(2, 1), ends(3, started)), true},
		"acquires the lock in another section": {run(lock(1, 2), lock(2, 1), unlock(3, 1), unlock(4, 2), ends(5, started)), false},
		"tries to":                             {run(func() op.Op { o := lock(1, 1); o.Arg = 1; return o }(), unlock(2, 1), ends(3, started)), false},
		"acquires it before another one reads what it does then": {run(lock(1, 1), unlock(2, 1), ends(3, started),
			op.Op{Kind: op.Go, Task: 0, K: 2, Other: 3, Data: started}, op.Op{Kind: op.End, Task: 3, K: 1, Other: op.NoTask, Data: started.With(2, 2)}), false},
		"acquires it before it starts another one": {run(lock(1, 1), unlock(2, 1),
			op.Op{Kind: op.Go, Task: 2, K: 3, Other: 3, Data: started}, ends(4, started)), true},
		"is started by a timer":                                        {run(ends(1, started), armed, over(2)), true},
		"is to be started by a timer":                                  {run(ends(1, started), armed), false},
		"is to be started by a timer that is armed again, and ends so": {run(ends(1, started), armed, over(1)), false},
		"waits for the group": {run(
			op.Op{Kind: op.Add, Task: 2, K: 1, Other: op.NoTask, Object: 9, Arg: 1, Data: started},
			op.Op{Kind: op.Done, Task: 1, K: 4, Other: op.NoTask, Object: 9, Arg: -1, Data: all},
			op.Op{Kind: op.Wait, Task: 2, K: 2, Other: op.NoTask, Object: 9, Data: all.With(2, 1), BeforeData: started}, ends(3, all)), true},
		"waits for a group to which a party adds": {run(
			op.Op{Kind: op.Add, Task: 1, K: 4, Other: op.NoTask, Object: 9, Arg: 1, Data: all},
			op.Op{Kind: op.Done, Task: 1, K: 5, Other: op.NoTask, Object: 9, Arg: -1, Data: all.With(1, 5)},
			op.Op{Kind: op.Wait, Task: 2, K: 1, Other: op.NoTask, Object: 9, Data: all.With(1, 5), BeforeData: started}, ends(2, all)), false},
	} {
		if got := cyclesOf(c.ops, true); len(got) != 1 || got[0].Exact != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
