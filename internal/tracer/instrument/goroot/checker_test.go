package goroot

import (
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// A vector-clock race checker in the simplest form, made only of what the record
// kinds promise: if the records carry too little order it reports races that are not
// there, if they carry too much it misses some.

type clock map[uint64]uint64

func (c clock) join(d clock) {
	for k, v := range d {
		c[k] = max(c[k], v)
	}
}

func (c clock) copy() clock {
	d := clock{}
	d.join(c)
	return d
}

type access struct {
	ctx, time uint64
	write     bool
}

type place struct{ addr, slot uint64 }

type checker struct {
	drop    func(*ring.Record) bool // records to forget
	clocks  map[uint64]clock
	objects map[uint64]map[uint64]clock // by address and slot
	last    map[uint64][]access
	every   clock // everything that happened
	races   []string
	kinds   map[ring.Kind]int
}

func newChecker() *checker {
	return &checker{
		drop:    func(*ring.Record) bool { return false },
		clocks:  map[uint64]clock{},
		objects: map[uint64]map[uint64]clock{},
		last:    map[uint64][]access{},
		every:   clock{},
		kinds:   map[ring.Kind]int{},
	}
}

func (c *checker) of(ctx uint64) clock {
	if c.clocks[ctx] == nil {
		c.clocks[ctx] = clock{ctx: 1}
	}
	return c.clocks[ctx]
}

func (c *checker) tick(ctx uint64) {
	c.every.join(c.of(ctx))
	c.of(ctx)[ctx]++
}

func (c *checker) acquire(ctx uint64, p place) { c.of(ctx).join(c.objects[p.addr][p.slot]) }

func (c *checker) release(ctx uint64, p place, forget bool) {
	slots := c.objects[p.addr]
	if slots == nil {
		slots = map[uint64]clock{}
		c.objects[p.addr] = slots
	}
	if forget || slots[p.slot] == nil {
		slots[p.slot] = clock{}
	}
	slots[p.slot].join(c.of(ctx))
	c.tick(ctx)
}

const closing = 1 << 62

func (c *checker) add(r *ring.Record) {
	c.kinds[r.Kind]++
	if c.drop(r) {
		return
	}
	object := place{r.Addr, 0}
	switch r.Kind {
	case ring.KindGo:
		c.of(r.Addr).join(c.of(r.Ctx))
		c.tick(r.Ctx)
	case ring.KindCtxStart:
		// Time goes on for the context, its knowledge does not.
		c.clocks[r.Addr] = clock{r.Addr: c.of(r.Addr)[r.Addr]}
		if r.Ctx != 0 {
			c.of(r.Addr).join(c.of(r.Ctx))
		}
	case ring.KindMakeChan:
		delete(c.objects, r.Addr)
	case ring.KindFree:
		for off := range r.Aux {
			delete(c.objects, r.Addr+off)
		}
	case ring.KindSend, ring.KindRecv:
		slot := place{r.Addr, r.Aux + 1}
		c.acquire(r.Ctx, slot)
		c.release(r.Ctx, slot, true)
	case ring.KindHandoff:
		both := c.of(r.Ctx).copy()
		both.join(c.of(r.Aux))
		c.of(r.Ctx).join(both)
		c.of(r.Aux).join(both)
		c.tick(r.Ctx)
		c.tick(r.Aux)
	case ring.KindClose:
		c.release(r.Ctx, place{r.Addr, closing}, true)
	case ring.KindRecvClosed:
		c.acquire(r.Ctx, place{r.Addr, closing})
	case ring.KindAcquire, ring.KindAtomicLoad:
		c.acquire(r.Ctx, object)
	case ring.KindRelease:
		c.release(r.Ctx, object, true)
	case ring.KindReleaseMerge:
		c.release(r.Ctx, object, false)
	case ring.KindReleaseAcquire, ring.KindAtomicStore, ring.KindAtomicRMW:
		c.acquire(r.Ctx, object)
		c.release(r.Ctx, object, true)
	case ring.KindFinGo:
		// All that the others have done by now, also behind their last record that releases
		// something.
		for ctx := range c.clocks {
			c.tick(ctx)
		}
		c.of(r.Ctx).join(c.every)
	case ring.KindStmt:
		c.access(r.Addr, access{r.Ctx, c.of(r.Ctx)[r.Ctx], r.Aux == 1})
	}
}

func (c *checker) access(addr uint64, a access) {
	for _, b := range c.last[addr] {
		if b.ctx != a.ctx && (a.write || b.write) && b.time > c.of(a.ctx)[b.ctx] {
			c.races = append(c.races, fmt.Sprintf("%x: context %d and %d", addr, b.ctx, a.ctx))
		}
	}
	c.last[addr] = append(slices.DeleteFunc(c.last[addr], func(b access) bool {
		return b.ctx == a.ctx && b.write == a.write
	}), a)
}

// racy is the number of variables with a race.
func (c *checker) racy() int {
	vars := map[string]bool{}
	for _, r := range c.races {
		vars[r[:slices.Index([]byte(r), ':')]] = true
	}
	return len(vars)
}
