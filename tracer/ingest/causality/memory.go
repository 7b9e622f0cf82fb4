package causality

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/ring"
)

// memory has the accesses to each address, of a run whose records have single accesses and not pairs of them that conflict.
//
// Of each task the last read and the last write are kept: who comes after these comes after the earlier ones as well. Where many tasks
// have made accesses, those are dropped that the latest one comes after: who races with one of them races with that, too, unless all of
// them read.
type memory map[uint64]*cell

const (
	fewAccesses = 16  // that are kept whatever comes after them
	maxAccesses = 128 // that are kept: the latest ones
)

// cell is what is known of an address.
type cell struct{ reads, writes []access }

// access is the last one of its kind by a task.
type access struct {
	task  op.Task
	count int32 // records of the task before it
	at    op.Place
}

// findConflicts tells which earlier accesses conflict with one of g and are not ordered with it.
func (p *Order) findConflicts(g *goroutine, rec *ring.Record) {
	if g.self == op.NoTask {
		if g.system {
			return
		}
		p.appear(g)
	}
	w := p.watch
	if w.memory == nil {
		w.memory = memory{}
	}
	c := w.memory[rec.Addr]
	if c == nil {
		c = new(cell)
		w.memory[rec.Addr] = c
	}
	now := access{g.self, g.records, w.stacks.place(rec.PC)}
	if rec.Kind == ring.KindRead {
		p.tellConflicts(g, rec, now, c.writes, op.Write)
		p.keepAccess(g, &c.reads, now)
		return
	}
	p.tellConflicts(g, rec, now, c.reads, op.Read)
	p.tellConflicts(g, rec, now, c.writes, op.Write)
	p.keepAccess(g, &c.writes, now)
	if len(c.reads) > fewAccesses {
		c.reads = slices.DeleteFunc(c.reads, func(a access) bool { return g.comesAfter(a) })
	}
}

// comesAfter reports whether what g does now comes after an access of another task.
func (g *goroutine) comesAfter(a access) bool {
	return a.task != g.self && g.know.ops.clocks[inModel].At(int32(a.task)) > a.count
}

// tellConflicts tells which of some earlier accesses are not ordered with one of g.
func (p *Order) tellConflicts(g *goroutine, rec *ring.Record, now access, before []access, did op.Kind) {
	w := p.watch
	for _, a := range before {
		if a.task == g.self || g.comesAfter(a) {
			continue
		}
		o := w.begin(g, op.Conflict)
		o.K = 0
		o.Want, o.At = accessKind(rec.Kind == ring.KindWrite, false), now.at
		o.Address, o.N = rec.Addr, int64(rec.Aux)
		o.Other, o.OtherAt, o.OtherWant = a.task, a.at, did
		w.tell()
	}
}

// keepAccess puts an access of g in the place of its last one.
func (p *Order) keepAccess(g *goroutine, all *[]access, now access) {
	if i := slices.IndexFunc(*all, func(a access) bool { return a.task == now.task }); i >= 0 {
		(*all)[i] = now
		return
	}
	if len(*all) >= fewAccesses {
		*all = slices.DeleteFunc(*all, func(a access) bool { return g.comesAfter(a) })
	}
	if len(*all) >= maxAccesses {
		*all = slices.Delete(*all, 0, 1)
	}
	*all = append(*all, now)
}
