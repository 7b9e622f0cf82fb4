package builtin

import (
	"math"
	"time"

	"github.com/antichain-go/antichain/internal/sparse"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// waits knows since when tasks wait, in runs that have times.
type waits struct {
	dated bool
	now   time.Duration
	begun sparse.Table[begunWait] // of each task
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
		*w.begun.Ensure(int(o.Task)) = begunWait{o.At, uint32(min(w.now.Milliseconds(), math.MaxUint32))}
		return
	}
	w.end(o.Task)
	if o.Kind == op.Handoff {
		w.end(o.Other)
	}
}

func (w *waits) end(t op.Task) {
	if b := w.begun.At(int(t)); b != nil {
		*b = begunWait{}
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
	b := w.begun.At(int(p.Task))
	if p.At == 0 || b == nil || b.at != p.At {
		return
	}
	began := time.Duration(b.ms) * time.Millisecond
	p.Waits = &Lasting{Began: began, For: w.now - began}
}

// forget drops the waits of tasks that are gone.
func (w *waits) forget(s *clock.Sweep) {
	w.begun.Drop(func(first int) bool { return s.IsGone(int32(first)) })
}
