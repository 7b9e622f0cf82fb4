package ndjson

import (
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
)

// channel is a channel that tasks use.
type channel struct {
	addr     uint64
	name     string
	capacity int64
	first    *record // that names it
	sends    int64   // lines of the run that send
	closed   bool

	sent, received     int64 // elements that have gone through the buffer
	senders, receivers []*actor
}

// isFull reports whether the next send must wait for a receive.
func (c *channel) isFull() bool { return c.sent-c.received >= c.capacity }

// noteChannel notes the capacity and the sends of a channel.
func (p *replay) noteChannel(rec *record) error {
	o := rec.operation
	c := p.channels[o.object]
	if c == nil {
		c = &channel{addr: p.NewAddress(), name: o.object, capacity: unsaid, first: rec}
		p.channels[o.object], p.inOrder = c, append(p.inOrder, c)
	}
	if o.kind == doSend {
		c.sends++
	}
	switch {
	case o.capacity == unsaid || o.capacity == c.capacity:
	case c.capacity == unsaid:
		c.capacity = o.capacity
	default:
		return p.fault(rec, "each channel of a log needs a name of its own",
			"channel %.60q has another capacity than before: %d, not %d", o.object, o.capacity, c.capacity)
	}
	return nil
}

// settle ensures that the capacity is known. Without a bound there is room for everything. The
// default is not one, since one element would make it a lock.
func (c *channel) settle(r *Run) error {
	switch c.capacity {
	case unsaid:
		return r.fault(c.first, fmt.Sprintf("no line has the capacity of channel %.60q", c.name),
			`one of its lines must have it in the field that "capacity" names; -1 means no bound`)
	case unbounded:
		c.capacity = max(c.sends+1, 2)
	}
	return nil
}

// makeChannels reports the capacities. Channels exist from the beginning, which orders nothing.
func (p *replay) makeChannels(a *actor) {
	for _, c := range p.inOrder {
		p.Put(a.Task, event.Record{Kind: ring.KindMakeChan, Addr: c.addr, Aux: uint64(c.capacity)}, c.name)
	}
}

func (p *replay) send(a *actor, rec *record) error {
	c := p.channels[rec.operation.object]
	switch {
	case c.closed:
		p.misuse(a, rec, c, ring.MisuseSendClosed)
	case len(c.receivers) > 0:
		p.handoff(c, a, rec, c.receivers[0], c.receivers[0].unmatched)
		c.receivers = stdslices.Delete(c.receivers, 0, 1)
	case c.capacity == 0:
		a.unmatched, c.senders = rec, append(c.senders, a)
	case c.isFull():
		return p.fault(rec, remedyOrder+`; a line that begins to wait is of kind "sending"`,
			"task %.60q sends on channel %.60q, which is full with %d elements", a.Name, c.name, c.capacity)
	default:
		p.put(rec, a, event.Record{Kind: ring.KindSend, Addr: c.addr, Aux: uint64(c.sent % c.capacity)}, c.name)
		c.sent++
	}
	return nil
}

func (p *replay) receive(a *actor, rec *record) error {
	c := p.channels[rec.operation.object]
	switch {
	case len(c.senders) > 0:
		p.handoff(c, c.senders[0], c.senders[0].unmatched, a, rec)
		c.senders = stdslices.Delete(c.senders, 0, 1)
	case c.sent > c.received:
		p.put(rec, a, event.Record{Kind: ring.KindRecv, Addr: c.addr, Aux: uint64(c.received % c.capacity)}, c.name)
		c.received++
	case c.closed:
		p.put(rec, a, event.Record{Kind: ring.KindRecvClosed, Addr: c.addr}, c.name)
	case c.capacity == 0:
		a.unmatched, c.receivers = rec, append(c.receivers, a)
	default:
		return p.fault(rec, remedyOrder+`; a line that begins to wait is of kind "receiving"`,
			"task %.60q receives from channel %.60q, which is empty", a.Name, c.name)
	}
	return nil
}

// handoff is a joint operation of two tasks.
func (p *replay) handoff(c *channel, from *actor, sends *record, to *actor, receives *record) {
	from.unmatched, to.unmatched = nil, nil
	made := event.Record{Kind: ring.KindHandoff, Addr: c.addr, Aux: to.Ctx}
	made.PC[1] = p.at(receives)
	p.put(sends, from, made, c.name)
}

// close closes a channel, which ends the waits at it.
func (p *replay) close(a *actor, rec *record) {
	c := p.channels[rec.operation.object]
	if c.closed {
		p.misuse(a, rec, c, ring.MisuseCloseClosed)
		return
	}
	c.closed = true
	p.put(rec, a, event.Record{Kind: ring.KindClose, Addr: c.addr}, c.name)
	for _, from := range c.senders {
		p.misuse(from, from.unmatched, c, ring.MisuseSendClosed)
		from.unmatched = nil
	}
	for _, to := range c.receivers {
		p.put(to.unmatched, to, event.Record{Kind: ring.KindRecvClosed, Addr: c.addr}, c.name)
		to.unmatched = nil
	}
	c.senders, c.receivers = nil, nil
}

// misuse is an error at a closed channel, which the log itself shows.
func (p *replay) misuse(a *actor, rec *record, c *channel, what uint64) {
	p.put(rec, a, event.Record{Kind: ring.KindMisuse, Addr: c.addr, Aux: c.addr, Arg: what}, c.name)
}
