package causality

import (
	"cmp"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Memory accesses. The program itself finds which accesses conflict, but knows no order. This
// package knows which are ordered. So a record has the present access of one goroutine and dates an
// earlier access of another: after how many of its records.

// countRecord counts a record of g, which may be nil, as the program does; see ring.MomentShift.
// Operations have the numbers of their records (step): a known number says which accesses come
// before.
func (p *Order) countRecord(g *goroutine, rec *ring.Record) {
	switch rec.Kind {
	case ring.KindRead, ring.KindWrite, ring.KindFree, ring.KindCutOff, ring.KindChecked, ring.KindTime,
		ring.KindCtxStart, ring.KindThreadStart:
		return
	case ring.KindHandoff:
		if receiver := p.goroutines.get(rec.Aux); receiver != nil {
			p.count(receiver)
		}
	}
	if g != nil {
		p.count(g)
	}
}

func (p *Order) count(g *goroutine) {
	switch {
	case p.opt.Accesses:
		p.recordMoment(g)
	case g.stages.used:
		g.noteStage()
	}
	g.records++
}

// earlierAccess is an access of another task than the one that now accesses the same memory.
type earlierAccess struct {
	ctx   uint64
	task  op.Task
	count uint64 // records of the task before the access
	did   op.Kind
	at    op.Place

	single bool         // it has a record of its own
	data   *clock.Clock // in that case the task's knowledge then, in the order of data
}

// dataAt returns what the task of an earlier access knew at the access, or before its next record.
func (p *Order) dataAt(a *earlierAccess) *clock.Clock {
	if a.single {
		return a.data
	}
	return p.momentsOf(a.ctx).atRecord(a.count).data
}

// reportAccess reports an access and the earlier one that it conflicts with.
func (p *Order) reportAccess(g *goroutine, rec *ring.Record) {
	before, ok := rec.Conflict()
	if !ok {
		p.findConflicts(g, rec)
		return
	}
	if rec.Arg&ring.AccessOverwrites != 0 {
		p.reportOverwrite(g, rec)
		return
	}
	from := earlierAccess{
		ctx: before.Ctx, task: p.taskOf(before.Ctx), count: min(before.Count, maxSkipped),
		did: accessKind(before.Writes, before.Atomic), at: p.watch.stacks.place(&before.PC),
	}
	p.present(g)
	if g.self == op.NoTask || from.task == op.NoTask || from.task == g.self {
		return
	}
	if last := p.goroutineOf(from.ctx); last != nil {
		from.count = min(from.count, uint64(last.records)) // a corrupt record may have any number
	}
	if rec.Arg&ring.AccessClaims != 0 {
		p.noteClaim(g, &from)
		p.watch.beginPair(g, op.Rewrite, rec, &from, p.dataAt(&from))
		p.watch.report()
		return // the conflict has been reported for the read
	}
	races := p.reportConflict(g, rec, &from)
	if before.Writes && dependsOnMemory(rec) {
		p.noteRead(g, rec, &from, races)
	}
}

// dependsOnMemory reports whether the behaviour of a goroutine depends on the memory. That includes
// atomic writes: an operation on an object of package sync, or a CompareAndSwap, behaves
// differently if the object was overwritten. A mere store counts as well, since the record does not
// distinguish it.
func dependsOnMemory(rec *ring.Record) bool {
	return rec.Kind == ring.KindRead || rec.Arg&(ring.AccessRewrites|ring.AccessAtomic) != 0
}

// reportConflict reports an access of g and a conflicting earlier one if nothing or only critical
// sections order them, and returns whether nothing does. Then either may really have come first. So
// it is open which value a read among them has seen, or a read after two writes sees.
func (p *Order) reportConflict(g *goroutine, rec *ring.Record, from *earlierAccess) (races bool) {
	w := p.watch
	if w.isAfterFinalization(g, from.task, from.count) {
		return false
	}
	races = !g.follows(from, inModel)
	if races || !g.follows(from, inData) {
		o := w.beginPair(g, op.Conflict, rec, from, p.dataAt(from))
		o.Sectioned = !races
		w.report()
	}
	if races && p.stats.Open == "" {
		p.stats.Open = cmp.Or(p.position(rec.PC), "an unknown place")
	}
	return races
}

// follows reports whether the present operation of g comes after an access of another task in one
// of the orders.
func (g *goroutine) follows(from *earlierAccess, order int) bool {
	return uint64(g.know.ops.clocks[order].At(int32(from.task))) > from.count
}

// reportOverwrite reports that g overwrites with rec a location whose earlier access is no longer
// known.
func (p *Order) reportOverwrite(g *goroutine, rec *ring.Record) {
	p.present(g)
	if g.self != op.NoTask {
		p.watch.beginAccess(g, op.Overwrite, rec)
		p.watch.report()
	}
}

// beginAccess makes w.op an access of g.
func (w *watch) beginAccess(g *goroutine, kind op.Kind, rec *ring.Record) *op.Op {
	o := w.beginOp(g, kind)
	o.K, o.Moment = 0, g.records
	o.Want = accessKind(rec.Kind == ring.KindWrite, rec.Arg&ring.AccessAtomic != 0)
	o.At = w.stacks.longPlace(rec)
	o.Address, o.Arg = rec.Addr, int64(rec.Aux)
	return o
}

// beginPair makes w.op a pair: an access of g and an earlier one of a task that knew data at that
// time.
func (w *watch) beginPair(g *goroutine, kind op.Kind, rec *ring.Record, from *earlierAccess, data *clock.Clock) *op.Op {
	o := w.beginAccess(g, kind, rec)
	o.Other, o.OtherAt = from.task, from.at
	o.OtherMoment, o.OtherData = int32(from.count), data
	o.OtherWant, o.OtherAlone = from.did, from.single
	return o
}

// finalization is the progress of all goroutines when one of them began to run finalizers. The
// finalizers come after all earlier accesses to memory, also after those behind the goroutines'
// last records.
type finalization struct {
	by      op.Task
	k       int32 // number of the operation that began it
	records map[op.Task]int32
}

// maxFinalizations is the number of latest finalizations that are remembered. A conflict that only
// an older one excludes may be reported falsely.
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

// isAfterFinalization reports whether g knows of a finalization that comes after the first count
// records of another task.
func (w *watch) isAfterFinalization(g *goroutine, other op.Task, count uint64) bool {
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
		p.present(g)
		return g.self
	}
	if gone := p.watch.endedTasks; ctx < uint64(len(gone)) {
		return gone[ctx] - 1
	}
	return op.NoTask
}

// keepTask remembers the task of a context that has ended. It ignores a context with too large a
// number, as in a corrupt record: memory stays in proportion to goroutines.
func (w *watch) keepTask(ctx uint64, task op.Task) {
	n := uint64(len(w.endedTasks))
	if ctx >= n {
		if ctx >= 64*uint64(w.tasks.count)+1024 {
			return
		}
		w.endedTasks = slices.Grow(w.endedTasks, int(ctx+1-n))[:ctx+1]
	}
	w.endedTasks[ctx] = task + 1
}
