//go:build linux && (amd64 || arm64)

package process_test

import (
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// vectorClocks computes which records come before which, in the plainest way: from what the kinds
// of records promise, with a vector for each goroutine and each object, and with nothing of this
// package or of package san. A finalizer knows nothing here.
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
	released, stored, loaded, closed, made, received, sent vector
	slots                                                  map[uint64]vector
	writing, waiting, ended                                *vectorSection
	reading                                                []vectorSection
}

// vectorSection is a section of a lock: who is in it, and what was known when it began.
type vectorSection struct {
	ctx   uint64
	begin vector
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
		c.object(r.Addr).made = c.now[ctx]
	case ring.KindHandoff:
		c.learn(ctx, c.object(r.Addr).made)
		if r.Aux != 0 {
			c.tick(r.Aux)
			c.learn(ctx, c.now[r.Aux])
			c.learn(r.Aux, c.now[ctx])
		}
	case ring.KindSend, ring.KindRecv:
		o := c.object(r.Addr)
		c.learn(ctx, o.slots[r.Aux])
		c.learn(ctx, o.made)
		if r.Kind == ring.KindRecv {
			c.learn(ctx, o.received)
			o.received = c.now[ctx]
		} else {
			o.sent = o.sent.joined(c.now[ctx])
		}
		o.slots[r.Aux] = c.now[ctx]
	case ring.KindTry:
		c.try(ctx, r.Op(), c.object(r.Addr))
	case ring.KindClose:
		o := c.object(r.Addr)
		c.learn(ctx, o.made)
		o.closed = c.now[ctx]
	case ring.KindRecvClosed:
		o := c.object(r.Addr)
		c.learn(ctx, o.closed)
		if r.Op() != ring.OpSend {
			c.learn(ctx, o.received)
		}
	case ring.KindAcquire:
		c.learn(ctx, c.object(r.Addr).released)
		switch o := c.object(r.Aux); r.Op() {
		case ring.OpLock:
			o.writing, o.waiting = &vectorSection{ctx, c.now[ctx]}, nil
		case ring.OpRLock:
			o.reading = append(o.reading, vectorSection{ctx, c.now[ctx]})
		}
	case ring.KindRelease, ring.KindTimerArm: // arming creates the task that the timer starts
		if o := c.object(r.Aux); r.Op() == ring.OpUnlock && o.writing != nil {
			c.learn(ctx, o.writing.begin)
			o.ended, o.writing = o.writing, nil
		}
		c.object(r.Addr).released = c.now[ctx]
	case ring.KindReleaseMerge:
		if o := c.object(r.Aux); r.Op() == ring.OpRUnlock && len(o.reading) > 0 {
			i := max(0, slices.IndexFunc(o.reading, func(s vectorSection) bool { return s.ctx == ctx }))
			c.learn(ctx, o.reading[i].begin)
			o.reading = slices.Delete(o.reading, i, i+1)
		}
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

// try learns why an attempt of ctx failed. Here no task is recorded late.
func (c *vectorClocks) try(ctx uint64, op ring.Op, o *vectorObject) {
	switch {
	case op == ring.OpAnnounce:
		o.waiting = &vectorSection{ctx, c.now[ctx]}
	case op == ring.OpSend:
		c.learn(ctx, o.made)
		c.learn(ctx, o.sent)
	case op == ring.OpRecv:
		c.learn(ctx, o.made)
		c.learn(ctx, o.received)
	case o.writing != nil:
		c.learn(ctx, o.writing.begin)
	case len(o.reading) > 0:
		c.learn(ctx, o.reading[0].begin)
		if op == ring.OpRLock && o.waiting != nil {
			c.learn(ctx, o.waiting.begin)
		}
	case o.ended != nil:
		c.learn(ctx, o.ended.begin)
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
