package deadlock

import "github.com/antichain-go/antichain/tracer/op"

// once notes that a Do returns, or that its function has been run.
//
// The task that runs the function is in a section of the Once. A task that calls Do meanwhile waits
// for the lock, or would have if it had come earlier: in the run it came when all was done. So Do
// waits for the running function, like a receive from a channel that is closed at its end. If the
// function had not begun, the caller would have run it itself. So it does not wait for what the
// other task did before.
func (d *Detector) once(a *actor, o *op.Op) {
	m := d.medium(o.Object)
	l := d.locks.At(o.Object)
	if l == nil {
		return
	}
	if o.RanFunction() {
		if i := a.inSection(l, op.Lock); i >= 0 {
			m.made, m.closed = true, waker{a, o.K, a.held[i].K}
			m.noteUse(sends, a.task, o.K)
		}
		return
	}
	ran := m.closed
	if ran.actor == nil || ran.actor == a || o.Before.At(int32(ran.actor.task)) >= ran.k {
		return
	}
	if l.Has(a.task) {
		return // it has waited for the lock
	}
	d.noteWait(a, acquisitionBefore(o, op.Lock), wait{on: target{m, receives}, by: ran}, false)
}
