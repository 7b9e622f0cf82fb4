package reorder

import (
	"github.com/antichain-go/antichain/tracer/op"
)

// tell tells a history an event.
func tell(h *History, r *Run, i int) {
	for _, o := range r.Ops(i) {
		h.Op(&o)
	}
}

// pointBefore is the place right before an event.
func pointBefore(r *Run, i int) Point {
	e := &r.Events[i]
	_, _, data := r.Before(i)
	p := Point{Task: op.Task(e.Task), Done: e.K, Data: r.Clock(data)}
	if !e.IsAccess() {
		p.Done--
	}
	return p
}
