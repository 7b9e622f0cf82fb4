package builtin

import (
	"math"
	"time"

	"github.com/antichain-go/antichain/tracer/op"
)

// waits knows since when tasks wait, in runs that have times.
type waits struct {
	dated bool
	now   time.Duration
	begun []begunWait // of each task
}

// begunWait is a wait that lasts. It is small: there is one for each task that ever waited.
type begunWait struct {
	at op.Place // 0: the task does not wait
	ms uint32   // of the run, when it began
}

// Op receives the next operation of the run.
func (w *waits) Op(o *op.Op) {
	if o.Kind == op.Time {
		w.dated, w.now = true, o.Elapsed()
	}
	if !w.dated || o.Task == op.NoTask {
		return
	}
	if o.Kind == op.Block {
		for int(o.Task) >= len(w.begun) {
			w.begun = append(w.begun, begunWait{})
		}
		w.begun[o.Task] = begunWait{o.At, uint32(min(w.now.Milliseconds(), math.MaxUint32))}
		return
	}
	w.end(o.Task)
	if o.Kind == op.Handoff {
		w.end(o.Other)
	}
}

func (w *waits) end(t op.Task) {
	if t >= 0 && int(t) < len(w.begun) {
		w.begun[t] = begunWait{}
	}
}

// dateAll dates all waits.
func (w *waits) dateAll(all []Wait) []Wait {
	for i := range all {
		w.date(&all[i].Party)
	}
	return all
}

// date says of a party that waits when that began, and for how long it has lasted.
func (w *waits) date(p *Party) {
	if p.At == 0 || p.Task < 0 || int(p.Task) >= len(w.begun) || w.begun[p.Task].at != p.At {
		return
	}
	began := time.Duration(w.begun[p.Task].ms) * time.Millisecond
	p.Waits = &Lasting{Began: began, For: w.now - began}
}
