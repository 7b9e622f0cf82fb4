package deadlock

import "github.com/antichain-go/antichain/tracer/op"

// once takes a Do that returns, or that has run the function.
//
// Who runs the function is in a section of the Once. Whoever calls Do meanwhile waits for the lock,
// or would have if it had come earlier: in the run it came when all was done. So Do waits, like a
// receive from a channel that is closed at the end of the function, for who ran that, if it was
// running. Had it not begun, the caller would have run the function itself; so what the other did
// before it began is not what the caller waits for.
func (d *Detector) once(a *actor, o *op.Op) {
	m := d.medium(o.Object)
	l := d.locks.At(o.Object)
	if l == nil {
		return
	}
	if o.RanFunction() {
		if i := a.inSection(l, op.Lock); i >= 0 {
			m.made, m.closed = true, end{a, o.K, a.held[i].K}
			m.used(sends, a.task, o.K)
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
	d.waited(a, before(o, op.Lock), wait{on: wish{m, receives}, by: ran}, false)
}
