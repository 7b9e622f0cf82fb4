//go:build linux && (amd64 || arm64)

package process_test

import (
	"github.com/antichain-go/antichain/tracer/ring"
)

// vectorClocks computes which records come before which, in the plainest way: from what the kinds of
// records promise, with a vector for each goroutine and each object, and with nothing of this package or of
// package san. A finalizer knows nothing here.
type vectorClocks struct {
	now     map[uint64]vector // of each context
	time    map[uint64]uint32 // records so far
	objects map[uint64]*vectorObject
}

// vector has the number of known records of each context.
type vector []uint32

func (v vector) at(ctx uint64) uint32 {
	if ctx < uint64(len(v)) {
		return v[ctx]
	}
	return 0
}

// joined is a new vector.
func (v vector) joined(w vector) vector {
	if len(v) < len(w) {
		v, w = w, v
	}
	v = append(vector(nil), v...)
	for i, n := range w {
		v[i] = max(v[i], n)
	}
	return v
}

type vectorObject struct {
	released, stored, loaded, closed vector
	slots                            map[uint64]vector
}

func newVectorClocks() *vectorClocks {
	return &vectorClocks{map[uint64]vector{}, map[uint64]uint32{}, map[uint64]*vectorObject{}}
}

func (c *vectorClocks) object(addr uint64) *vectorObject {
	if c.objects[addr] == nil {
		c.objects[addr] = &vectorObject{slots: map[uint64]vector{}}
	}
	return c.objects[addr]
}

// tick begins a record of ctx.
func (c *vectorClocks) tick(ctx uint64) {
	own := make(vector, ctx+1)
	c.time[ctx]++
	own[ctx] = c.time[ctx]
	c.now[ctx] = c.now[ctx].joined(own)
}

func (c *vectorClocks) learn(ctx uint64, v vector) { c.now[ctx] = c.now[ctx].joined(v) }

func (c *vectorClocks) add(r *ring.Record) {
	ctx := r.Ctx
	if r.Kind == ring.KindFree {
		for off := range r.Aux {
			delete(c.objects, r.Addr+off)
		}
		return
	}
	if ctx == 0 { // the runtime's, which knows nothing
		if r.Kind == ring.KindCtxStart {
			c.now[r.Addr] = nil
		}
		return
	}
	c.tick(ctx)
	switch r.Kind {
	case ring.KindGo:
		c.learn(r.Addr, c.now[ctx])
	case ring.KindCtxStart:
		c.now[r.Addr] = c.now[ctx]
	case ring.KindMakeChan:
		delete(c.objects, r.Addr)
	case ring.KindHandoff:
		if r.Aux != 0 {
			c.tick(r.Aux)
			c.learn(ctx, c.now[r.Aux])
			c.learn(r.Aux, c.now[ctx])
		}
	case ring.KindSend, ring.KindRecv:
		o := c.object(r.Addr)
		c.learn(ctx, o.slots[r.Aux])
		o.slots[r.Aux] = c.now[ctx]
	case ring.KindClose:
		c.object(r.Addr).closed = c.now[ctx]
	case ring.KindRecvClosed:
		c.learn(ctx, c.object(r.Addr).closed)
	case ring.KindAcquire:
		c.learn(ctx, c.object(r.Addr).released)
	case ring.KindRelease, ring.KindTimerArm: // arming creates the task that the timer starts
		c.object(r.Addr).released = c.now[ctx]
	case ring.KindReleaseMerge:
		o := c.object(r.Addr)
		o.released = o.released.joined(c.now[ctx])
	case ring.KindReleaseAcquire:
		o := c.object(r.Addr)
		c.learn(ctx, o.released)
		o.released = c.now[ctx]
	case ring.KindAtomicLoad:
		o := c.object(r.Addr)
		c.learn(ctx, o.stored)
		o.loaded = o.loaded.joined(c.now[ctx])
	case ring.KindAtomicStore, ring.KindAtomicRMW: // conflicting accesses keep their order
		o := c.object(r.Addr)
		c.learn(ctx, o.stored)
		c.learn(ctx, o.loaded)
		o.stored, o.loaded = c.now[ctx], nil
	}
}

// moment is the latest record of a context.
type moment struct {
	ctx  uint64
	time uint32
}

func (c *vectorClocks) latest(ctx uint64) moment { return moment{ctx, c.time[ctx]} }

// knows reports whether the latest record of ctx comes after m, or is m.
func (c *vectorClocks) knows(ctx uint64, m moment) bool { return c.now[ctx].at(m.ctx) >= m.time }
