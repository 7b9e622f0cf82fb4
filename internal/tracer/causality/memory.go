package causality

import (
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// memory has the accesses to each address, for a run whose records have single accesses and not
// conflicting pairs.
//
// It keeps the last read and the last write of each task in the same critical sections: a later
// access after these is after the earlier ones as well, and one that excludes these excludes those.
// Where many tasks have made accesses, it drops those that precede the latest one: whatever races
// with one of them races with the latest, unless all are reads. It drops those that precede it only
// in this order of sections later.
type memory map[uint64]*cell

const (
	fewAccesses  = 16  // kept in any case
	maxSectioned = 32  // kept if only sections order them
	maxAccesses  = 128 // kept at most: the latest ones
	maxOfTask    = 4   // at most that many of one task
)

// cell is the state of an address.
type cell struct {
	reads, writes []keptAccess
	last          earlierAccess // last write; of no task if there was none
	dropped       bool          // an access was dropped; the next write reports it (op.Overwrite)
}

// keptAccess is an access, with the sections that it was in.
type keptAccess struct {
	earlierAccess
	held heldLocks
}

// findConflicts reports the earlier accesses that conflict with one of g and are not ordered with
// it, and the write that a read has seen.
func (p *Order) findConflicts(g *goroutine, rec *ring.Record) {
	if p.present(g); g.self == op.NoTask {
		return
	}
	w := p.watch
	if w.memory == nil {
		w.memory = memory{}
	}
	c := w.memory[rec.Addr]
	if c == nil {
		c = &cell{last: earlierAccess{task: op.NoTask}}
		w.memory[rec.Addr] = c
	}
	now := keptAccess{earlierAccess{ctx: rec.Ctx, task: g.self, count: uint64(g.records), at: w.stacks.place(&rec.PC),
		single: true, data: g.know.ops.clocks[inData]}, g.held}
	if rec.Kind == ring.KindRead {
		now.did = op.Read
		p.reportConflicts(g, rec, c.writes)
		p.readsLast(g, rec, &c.last)
		c.keep(g, &c.reads, now)
		return
	}
	now.did = op.Write
	p.reportConflicts(g, rec, c.reads)
	p.reportConflicts(g, rec, c.writes)
	if c.dropped {
		c.dropped = false
		p.reportOverwrite(g, rec)
	}
	c.keep(g, &c.writes, now)
	c.last = now.earlierAccess
	if len(c.reads) > fewAccesses {
		c.dropEarlier(g, &c.reads)
	}
}

// readsLast notes that g reads the value of the last write.
func (p *Order) readsLast(g *goroutine, rec *ring.Record, last *earlierAccess) {
	if last.task != op.NoTask && last.task != g.self {
		p.noteRead(g, rec, last, !g.comesAfter(last))
	}
}

// comesAfter reports whether g's present operation comes after an access of another task.
func (g *goroutine) comesAfter(a *earlierAccess) bool {
	return a.task != g.self && g.follows(a, inModel)
}

// dropEarlier drops the accesses that the present operation of g comes after in every order of
// critical sections. If too many are left, it also drops those that g comes after in the order of
// the run.
func (c *cell) dropEarlier(g *goroutine, all *[]keptAccess) {
	n := len(*all)
	*all = slices.DeleteFunc(*all,
		func(a keptAccess) bool { return g.comesAfter(&a.earlierAccess) && g.follows(&a.earlierAccess, inData) })
	if len(*all) >= maxSectioned {
		*all = slices.DeleteFunc(*all, func(a keptAccess) bool { return g.comesAfter(&a.earlierAccess) })
	}
	c.dropped = c.dropped || len(*all) < n
}

// reportConflicts reports the earlier accesses that are not ordered with one of g, or only by
// critical sections.
func (p *Order) reportConflicts(g *goroutine, rec *ring.Record, before []keptAccess) {
	for i := range before {
		a := &before[i]
		if a.task != g.self {
			p.reportConflict(g, rec, &a.earlierAccess)
		}
	}
}

// keep stores an access of g in place of g's last one in the same sections.
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
