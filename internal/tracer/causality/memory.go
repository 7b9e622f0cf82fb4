package causality

import (
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// memory has the accesses to each address, of a run whose records have single accesses and not pairs of them that conflict.
//
// Of each task the last read and the last write is kept in the same critical sections: who comes after these comes after the earlier ones as
// well, and who excludes these excludes those. Where many tasks have made accesses, those are dropped that the latest one comes after: who
// races with one of them races with that, too, unless all of them read. Those that it comes after only in this order of sections are
// dropped later.
type memory map[uint64]*cell

const (
	fewAccesses  = 16  // that are kept whatever comes after them
	maxSectioned = 32  // that are kept if only sections order them
	maxAccesses  = 128 // that are kept: the latest ones
	maxOfTask    = 4   // of which so many are of one task
)

// cell is what is known of an address.
type cell struct {
	reads, writes []keptAccess
	last          other // write; of no task if nobody has written
	dropped       bool  // some access, of which the next write tells (op.Overwrite)
}

// keptAccess is an access with the sections in which it was made.
type keptAccess struct {
	other
	held heldLocks
}

// findConflicts tells which earlier accesses conflict with one of g and are not ordered with it, and what a read has seen.
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
		c = &cell{last: other{task: op.NoTask}}
		w.memory[rec.Addr] = c
	}
	now := keptAccess{other{ctx: rec.Ctx, task: g.self, count: uint64(g.records), at: w.stacks.place(&rec.PC), single: true, data: g.know.ops.clocks[inData]}, g.held}
	if rec.Kind == ring.KindRead {
		now.did = op.Read
		p.tellConflicts(g, rec, c.writes)
		p.readsLast(g, rec, &c.last)
		c.keep(g, &c.reads, now)
		return
	}
	now.did = op.Write
	p.tellConflicts(g, rec, c.reads)
	p.tellConflicts(g, rec, c.writes)
	if c.dropped {
		c.dropped = false
		p.overwrites(g, rec)
	}
	c.keep(g, &c.writes, now)
	c.last = now.other
	if len(c.reads) > fewAccesses {
		c.dropEarlier(g, &c.reads)
	}
}

// readsLast notes that g reads what has been written last.
func (p *Order) readsLast(g *goroutine, rec *ring.Record, last *other) {
	if last.task != op.NoTask && last.task != g.self {
		p.reads(g, rec, last, !g.comesAfter(last))
	}
}

// comesAfter reports whether what g does now comes after an access of another task.
func (g *goroutine) comesAfter(a *other) bool { return a.task != g.self && g.follows(a, inModel) }

// dropEarlier drops those of many accesses after which g comes now: in whatever order critical sections come, if that is enough.
func (c *cell) dropEarlier(g *goroutine, all *[]keptAccess) {
	n := len(*all)
	*all = slices.DeleteFunc(*all, func(a keptAccess) bool { return g.comesAfter(&a.other) && g.follows(&a.other, inData) })
	if len(*all) >= maxSectioned {
		*all = slices.DeleteFunc(*all, func(a keptAccess) bool { return g.comesAfter(&a.other) })
	}
	c.dropped = c.dropped || len(*all) < n
}

// tellConflicts tells which of some earlier accesses are not ordered with one of g, or by critical sections alone.
func (p *Order) tellConflicts(g *goroutine, rec *ring.Record, before []keptAccess) {
	for i := range before {
		a := &before[i]
		if a.task != g.self {
			p.tellConflict(g, rec, &a.other)
		}
	}
}

// keep puts an access of g in the place of its last one in the same sections.
func (c *cell) keep(g *goroutine, all *[]keptAccess, now keptAccess) {
	own, first := 0, 0
	for i := range *all {
		switch a := &(*all)[i]; {
		case a.task != now.task:
		case a.held == now.held:
			*a = now
			return
		default:
			if own++; own == 1 {
				first = i
			}
		}
	}
	if own == maxOfTask {
		*all = slices.Delete(*all, first, first+1)
	}
	if len(*all) >= fewAccesses {
		c.dropEarlier(g, all)
	}
	if len(*all) >= maxAccesses {
		*all = slices.Delete(*all, 0, 1)
		c.dropped = true
	}
	*all = append(*all, now)
}
