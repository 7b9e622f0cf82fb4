package causality

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/ring"
)

// Memory accesses. The program finds by itself which ones conflict, and knows nothing of order; here
// it is known which ones are ordered. So a record has the present access of one goroutine and says
// when another one made an earlier access: after how many of its records.

// countRecord counts a record of g, which may be nil, as the program does; see ring.MomentShift.
// Operations have the numbers of their records (step), so that a number that somebody knows says
// which accesses come before.
func (p *Order) countRecord(g *goroutine, rec *ring.Record) {
	switch rec.Kind {
	case ring.KindRead, ring.KindWrite, ring.KindFree, ring.KindCtxStart, ring.KindThreadStart:
		return
	case ring.KindHandoff:
		if receiver := p.goroutines.get(rec.Aux); receiver != nil {
			receiver.records++
		}
	}
	if g != nil {
		g.records++
	}
}

// tellAccess tells an access that nothing orders with the conflicting one before it.
func (p *Order) tellAccess(g *goroutine, rec *ring.Record) {
	before, ok := rec.Conflict()
	if !ok {
		p.findConflicts(g, rec)
		return
	}
	other := p.taskOf(before.Ctx)
	if g.self == op.NoTask && !g.system {
		p.appear(g)
	}
	if g.self == op.NoTask || other == op.NoTask || other == g.self {
		return
	}
	w := p.watch
	if uint64(g.know.ops.clocks[inModel].At(int32(other))) > before.Count || w.finalized(g, other, before.Count) {
		return
	}
	o := w.begin(g, op.Conflict)
	o.K = 0
	o.Want = accessKind(rec.Kind == ring.KindWrite, rec.Arg&ring.AccessAtomic != 0)
	o.At = w.stacks.long(rec)
	o.Address, o.N = rec.Addr, int64(rec.Aux)
	o.Other, o.OtherAt = other, w.stacks.place(before.PC)
	o.OtherWant = accessKind(before.Writes, before.Atomic)
	w.tell()
}

// finalization is what goroutines had come to when one began to run finalizers: it comes after all that they did to
// memory by then, also behind their last records.
type finalization struct {
	by      op.Task
	k       int32 // number of the operation that began it
	records map[op.Task]int32
}

// maxFinalizations is how many finalizations are remembered, the latest ones: of an older one a conflict may be told
// that is none, if it shows only now.
const maxFinalizations = 8

// finalizes remembers that g begins to run finalizers.
func (p *Order) finalizes(g *goroutine) {
	if g.self == op.NoTask {
		return
	}
	f := finalization{g.self, g.know.ops.k, map[op.Task]int32{}}
	p.goroutines.each(func(h *goroutine) {
		if h.self != op.NoTask && h != g {
			f.records[h.self] = h.records
		}
	})
	w := p.watch
	if len(w.finalizations) == maxFinalizations {
		w.finalizations = slices.Delete(w.finalizations, 0, 1)
	}
	w.finalizations = append(w.finalizations, f)
}

// finalized reports whether g knows of a finalization that comes after what another task did after so many records.
func (w *watch) finalized(g *goroutine, other op.Task, count uint64) bool {
	return slices.ContainsFunc(w.finalizations, func(f finalization) bool {
		last, there := f.records[other]
		return there && count <= uint64(last) && (g.self == f.by || g.know.ops.clocks[inModel].At(int32(f.by)) >= f.k)
	})
}

func accessKind(writes, atomic bool) op.Kind {
	switch {
	case atomic && writes:
		return op.AtomicStore
	case atomic:
		return op.AtomicLoad
	case writes:
		return op.Write
	}
	return op.Read
}

// taskOf returns the task of a context, NoTask if it is none.
func (p *Order) taskOf(ctx uint64) op.Task {
	if g := p.goroutines.get(ctx); g != nil {
		if g.self == op.NoTask && !g.system {
			p.appear(g)
		}
		return g.self
	}
	if gone := p.watch.gone; ctx < uint64(len(gone)) {
		return gone[ctx] - 1
	}
	return op.NoTask
}

// remember keeps the task of a context that has ended. A scribbled record may hold any number;
// memory stays in proportion to goroutines.
func (w *watch) remember(ctx uint64, task op.Task) {
	n := uint64(len(w.gone))
	if ctx >= n {
		if ctx >= 64*uint64(len(w.tasks))+1024 {
			return
		}
		w.gone = slices.Grow(w.gone, int(ctx+1-n))[:ctx+1]
	}
	w.gone[ctx] = task + 1
}
