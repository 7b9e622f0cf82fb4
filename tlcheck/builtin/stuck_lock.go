package builtin

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
)

func (d *stuckDetector) lock(o *op.Op) {
	t, task := d.thing(o.Object), d.task(o.Task)
	if o.Kind == op.Unlock || o.Kind == op.RUnlock {
		task.unlocked = o.K
	}
	switch o.Kind {
	case op.Lock:
		t.writer = holder{markOf(o, op.Lock), o.Free}
		delete(t.writers, o.Task)
		t.used(o, op.Lock)
	case op.RLock:
		t.readers = append(t.readers, holder{markOf(o, op.RLock), o.Free})
		t.used(o, op.RLock)
	case op.Unlock:
		if t.writer.kind == op.Lock {
			t.lent = t.lent || t.writer.task != o.Task
			d.release(o.Object, t.writer.task, op.Lock)
		} else {
			t.used(o, op.Unlock)
		}
		t.writer = holder{}
		return
	case op.RUnlock:
		d.runlock(o, t)
		return
	}
	task.held = append(task.held, HeldLock{Object: o.Object, Kind: o.Kind, At: o.At})
}

// runlock ends the section of the task, or of another one if it has none.
func (d *stuckDetector) runlock(o *op.Op, t *thing) {
	if len(t.readers) == 0 {
		t.used(o, op.RUnlock)
		return
	}
	i := len(t.readers) - 1
	for j := i; j >= 0; j-- {
		if t.readers[j].task == o.Task {
			i = j
			break
		}
	}
	t.lent = t.lent || t.readers[i].task != o.Task
	d.release(o.Object, t.readers[i].task, op.RLock)
	t.readers = slices.Delete(t.readers, i, i+1)
}

// release takes the lock from those that the task holds.
func (d *stuckDetector) release(object op.Object, task op.Task, kind op.Kind) {
	if int(task) >= len(d.tasks) || d.tasks[task] == nil {
		return
	}
	held := d.tasks[task].held
	for i := len(held) - 1; i >= 0; i-- {
		if held[i].Object == object && held[i].Kind == kind {
			d.tasks[task].held = slices.Delete(held, i, i+1)
			return
		}
	}
}
