package deadlock

import (
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// Of a task that has ended its moments stay, with no more memory than they need. The rest goes to a
// task that comes.
func TestEndedTaskSettles(t *testing.T) {
	d := New()
	tell := func(kind op.Kind, task op.Task, k int32, lock op.Object) {
		d.Op(&op.Op{Kind: kind, Task: task, Other: op.NoTask, K: k, Object: lock, At: op.Place(k)})
	}
	const locks = 3
	for i := range int32(locks) {
		tell(op.Lock, 1, 2*i+1, op.Object(i+1))
		tell(op.Unlock, 1, 2*i+2, op.Object(i+1))
	}
	ended := d.actor(1)
	room := cap(ended.moments)
	if room <= locks {
		t.Fatalf("there is room for %d moments", room)
	}
	tell(op.End, 1, 2*locks+1, 0)
	if len(ended.moments) != locks || cap(ended.moments) != locks {
		t.Errorf("%d moments are left, with room for %d", len(ended.moments), cap(ended.moments))
	}
	for i, m := range ended.moments {
		if m.K != int32(2*i+1) || m.Task != ended.task {
			t.Errorf("moment %d is that of operation %d", i, m.K)
		}
	}
	tell(op.Lock, 2, 1, 1)
	if got := d.actor(2).moments; len(got) != 1 || cap(got) != room {
		t.Errorf("another task has %d moments, with room for %d", len(got), cap(got))
	}
}
