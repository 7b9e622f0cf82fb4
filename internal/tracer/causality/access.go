package causality

import (
	"cmp"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
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
			p.count(receiver)
		}
	}
	if g != nil {
		p.count(g)
	}
}

func (p *Order) count(g *goroutine) {
	if p.opt.Accesses {
		p.pass(g)
	}
	g.records++
}

// other is an earlier access of another task than the one that comes upon it.
type other struct {
	ctx   uint64
	task  op.Task
	count uint64 // records of the task before it
	did   op.Kind
	at    op.Place

	single bool         // known from a record of its own
	data   *clock.Clock // then what the task knew, in the order of data
}

// dataAt returns what the task of an earlier access knew then, or before its next record.
func (p *Order) dataAt(a *other) *clock.Clock {
	if a.single {
		return a.data
	}
	return p.momentsOf(a.ctx).at(a.count).data
}

// tellAccess tells of an access that it conflicts with the one before it.
func (p *Order) tellAccess(g *goroutine, rec *ring.Record) {
	before, ok := rec.Conflict()
	if !ok {
		p.findConflicts(g, rec)
		return
	}
	if rec.Arg&ring.AccessOverwrites != 0 {
		p.overwrites(g, rec)
		return
	}
	from := other{
		ctx: before.Ctx, task: p.taskOf(before.Ctx), count: min(before.Count, maxSkipped),
		did: accessKind(before.Writes, before.Atomic), at: p.watch.stacks.place(&before.PC),
	}
	if g.self == op.NoTask && !g.system {
		p.appear(g)
	}
	if g.self == op.NoTask || from.task == op.NoTask || from.task == g.self {
		return
	}
	if last := p.writer(from.ctx); last != nil {
		from.count = min(from.count, uint64(last.records)) // a scribbled record may have any number
	}
	if rec.Arg&ring.AccessClaims != 0 {
		p.claims(g, &from)
		return // the conflict has been told of the read
	}
	races := p.tellConflict(g, rec, &from)
	if before.Writes && sees(rec) {
		p.reads(g, rec, &from, races)
	}
}

// sees reports whether what a goroutine does depends on what is in the memory. It counts also if that is changed atomically: an operation on an
// object of package sync, or a CompareAndSwap, does something else where the object was written over. Mere stores are not told apart.
func sees(rec *ring.Record) bool {
	return rec.Kind == ring.KindRead || rec.Arg&(ring.AccessRewrites|ring.AccessAtomic) != 0
}

// tellConflict tells of an access of g and a conflicting earlier one if nothing orders them, or critical sections alone do. It reports
// whether nothing does. Either may have come first then, in truth: what a read among them has seen, or sees of two writes later, is open.
func (p *Order) tellConflict(g *goroutine, rec *ring.Record, from *other) (races bool) {
	w := p.watch
	if w.finalized(g, from.task, from.count) {
		return false
	}
	races = !g.follows(from, inModel)
	if races || !g.follows(from, inData) {
		o := w.accessed(g, op.Conflict, rec, from, p.dataAt(from))
		o.Sectioned = !races
		w.tell()
	}
	if races && p.stats.Open == "" {
		p.stats.Open = cmp.Or(p.position(rec.PC), "an unknown place")
	}
	return races
}

// follows reports whether what g does now comes after an access of another task in one of the orders.
func (g *goroutine) follows(from *other, order int) bool {
	return uint64(g.know.ops.clocks[order].At(int32(from.task))) > from.count
}

// overwrites tells that g writes with rec over what somebody has accessed before, of which nothing more is known.
func (p *Order) overwrites(g *goroutine, rec *ring.Record) {
	if g.self == op.NoTask && !g.system {
		p.appear(g)
	}
	if g.self != op.NoTask {
		p.watch.access(g, op.Overwrite, rec)
		p.watch.tell()
	}
}

// access makes w.op of an access of g.
func (w *watch) access(g *goroutine, kind op.Kind, rec *ring.Record) *op.Op {
	o := w.begin(g, kind)
	o.K, o.Moment = 0, g.records
	o.Want = accessKind(rec.Kind == ring.KindWrite, rec.Arg&ring.AccessAtomic != 0)
	o.At = w.stacks.long(rec)
	o.Address, o.N = rec.Addr, int64(rec.Aux)
	return o
}

// accessed makes w.op of an access of g and an earlier one, of a task that knew then what is given.
func (w *watch) accessed(g *goroutine, kind op.Kind, rec *ring.Record, from *other, data *clock.Clock) *op.Op {
	o := w.access(g, kind, rec)
	o.Other, o.OtherAt, o.OtherWant, o.OtherAlone = from.task, from.at, from.did, from.single
	o.OtherMoment, o.OtherData = int32(from.count), data
	return o
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
