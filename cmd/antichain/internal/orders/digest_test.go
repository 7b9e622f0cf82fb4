package orders

import (
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// sum returns the digest of a run of two goroutines that main starts.
func sum(operations ...op.Op) uint64 {
	d := new(Digest)
	starts := []op.Op{{Kind: op.Go, Task: 0, Other: 1}, {Kind: op.Go, Task: 0, Other: 2}}
	for _, o := range append(starts, operations...) {
		d.Op(&o)
	}
	return d.Sum()
}

// TestDigest checks that runs have one sum exactly if they have one partial order.
func TestDigest(t *testing.T) {
	do := func(task op.Task, kind op.Kind, object op.Object) op.Op {
		return op.Op{Task: task, Kind: kind, Object: object}
	}
	const mu, other = 7, 8
	read1, read2 := do(1, op.RLock, mu), do(2, op.RLock, mu)
	lock1, unlock1 := do(1, op.Lock, mu), do(1, op.Unlock, mu)
	lock2, unlock2 := do(2, op.Lock, mu), do(2, op.Unlock, mu)
	for _, tt := range []struct {
		name string
		a, b []op.Op
		same bool
	}{
		{"one lock", []op.Op{lock1, unlock1, lock2, unlock2}, []op.Op{lock2, unlock2, lock1, unlock1}, false},
		{"two locks", []op.Op{lock1, do(2, op.Lock, other)}, []op.Op{do(2, op.Lock, other), lock1}, true},
		{"readers", []op.Op{read1, read2}, []op.Op{read2, read1}, true},
		{
			"a writer between readers", []op.Op{do(1, op.RLock, mu), do(1, op.RUnlock, mu), lock2},
			[]op.Op{lock2, do(1, op.RLock, mu), do(1, op.RUnlock, mu)}, false,
		},
		{
			"another address", []op.Op{lock1, unlock1, lock2},
			[]op.Op{do(1, op.Lock, 9), do(1, op.Unlock, 9), do(2, op.Lock, 9)}, true,
		},
		{"a further operation", []op.Op{lock1, unlock1}, []op.Op{lock1}, false},
		{
			"who meets whom", []op.Op{{Task: 0, Kind: op.Handoff, Object: other, Other: 1}},
			[]op.Op{{Task: 0, Kind: op.Handoff, Object: other, Other: 2}}, false,
		},
		{"what has no order", []op.Op{lock1, {Task: op.NoTask, Kind: op.Time}}, []op.Op{lock1}, true},
	} {
		if got := sum(tt.a...) == sum(tt.b...); got != tt.same {
			t.Errorf("%s: same %v, want %v", tt.name, got, tt.same)
		}
	}
}
