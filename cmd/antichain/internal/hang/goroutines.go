package hang

import (
	"time"

	"github.com/antichain-go/antichain/internal/freelist"
	"github.com/antichain-go/antichain/internal/sparse"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// goroutines remembers where goroutines are and since when.
type goroutines struct {
	now      time.Duration       // for which the run was watched
	tasks    sparse.Table[*task] // nil where it has not begun, or has ended
	spare    freelist.List[task]
	moved    time.Duration // when one last did something
	turnover time.Duration // when one last began or ended
}

type task struct {
	since time.Duration // it waits; of a wait
	at    op.Place      // of its last operation
	wait  op.Place      // of its last wait
	waits bool
	// it has done nothing since that wait but to receive and to set timers: if it waits there
	// again, it has only woken to wait again, as a ticker does
	idle   bool
	idling time.Duration // since when that has been so
}

func (g *goroutines) task(number op.Task) *task {
	at := g.tasks.Ensure(int(number))
	if *at == nil {
		*at = g.spare.Get()
	}
	return *at
}

// seen returns what is known of a goroutine, that of one that has not begun if nothing is.
func (g *goroutines) seen(number op.Task) task {
	if at := g.tasks.At(int(number)); at != nil && *at != nil {
		return **at
	}
	return task{}
}

// Op receives the next operation of the run.
func (g *goroutines) Op(o *op.Op) {
	if o.Task == op.NoTask {
		return
	}
	t := g.task(o.Task)
	waited := t.waits
	t.waits, t.at = false, o.At
	switch o.Kind {
	case op.Block:
		if !t.idle || t.wait != o.At {
			g.moved, t.idling = g.now, g.now
		}
		t.waits, t.since, t.wait, t.idle = true, g.now, o.At, true
		return
	case op.Recv, op.Select:
		if waited || t.idle && o.Kind == op.Recv {
			return
		}
	case op.MakeChan, op.Arm, op.Stop, op.AtomicLoad:
		if t.idle {
			return
		}
	case op.Go:
		if !o.ByTimer() && o.Other != op.NoTask {
			g.task(o.Other)
		}
		g.turnover = g.now
	case op.Handoff:
		if o.Other != op.NoTask {
			g.task(o.Other).waits = false
		}
	case op.End:
		*t, *g.tasks.Ensure(int(o.Task)) = task{}, nil
		g.spare.Put(t)
		g.turnover = g.now
	}
	t.idle = false
	g.moved = g.now
}

// Forget drops what is known of goroutines that are gone.
func (g *goroutines) Forget(s *clock.Sweep) {
	g.tasks.Drop(func(first int) bool { return s.IsGone(int32(first)) })
}

// lasts returns for how long a goroutine has waited, 0 if it does not.
func (g *goroutines) lasts(number op.Task) time.Duration {
	t := g.seen(number)
	if !t.waits {
		return 0
	}
	return g.now - t.since
}

// idles returns for how long a goroutine has waited, or has only woken to wait again, 0 if it does
// not.
func (g *goroutines) idles(number op.Task) time.Duration {
	t := g.seen(number)
	if !t.idle {
		return 0
	}
	return g.now - t.idling
}

// hasWaited reports whether a goroutine has waited for so long, or has only woken to wait again,
// since a time after that one.
func (g *goroutines) hasWaited(least, after time.Duration) bool {
	is := func(since time.Duration) bool { return since > after && g.now-since >= least }
	for _, at := range g.tasks.All() {
		if t := *at; t != nil && (t.waits && is(t.since) || t.idle && is(t.idling)) {
			return true
		}
	}
	return false
}

// others returns the goroutines that do not wait for other goroutines.
func (g *goroutines) others() []report.LastSeen {
	var all []report.LastSeen
	for i, at := range g.tasks.All() {
		if t := *at; t != nil && !t.waits {
			all = append(all, report.LastSeen{Task: op.Task(i), At: t.at})
		}
	}
	return all
}
