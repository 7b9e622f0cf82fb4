package causality

import (
	"math"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// channel is what a channel's operations hand on.
//
// The memory model relates a send with its receive, and that with the send that takes its place. Beside that a channel
// hands out its elements in the order in which they came, so whoever receives one comes after those who received the ones before.
type channel struct {
	guard    *guard // nil: it is not used as a lock that starts empty
	token    *token // nil: it is not used as a lock, or sections order something
	closed   causalKnowledge
	slots    []causalKnowledge           // the buffer, as far as it is in use
	far      map[uint64]*causalKnowledge // slots that a scribbled record names, far behind the others
	elements *elements                   // nil: there were none so far
	element  int64                       // of all sends so far, as ring.KindSend has it; 0: there were none; differing: they were not the same. See simplify
}

// elements are those that have gone through a buffered channel.
type elements struct {
	received causalKnowledge // by the last receive, or by who has made the channel
	receiver *goroutine      // of the last receive

	sent   sharedKnowledge // by all sends but the latest ones, which who finds the channel full wants to know
	latest int             // sends, up to the number of slots
	last   uint64          // slot of the last send
}

// slot returns a slot of the buffer, and whether it has been used before.
func (c *channel) slot(i uint64) (slot *causalKnowledge, used bool) {
	switch {
	case i < uint64(len(c.slots)):
		return &c.slots[i], true
	case i == uint64(len(c.slots)): // buffers fill from the front
		c.slots = append(c.slots, causalKnowledge{})
		return &c.slots[i], false
	}
	if c.far[i] == nil {
		if c.far == nil {
			c.far = map[uint64]*causalKnowledge{}
		}
		c.far[i] = new(causalKnowledge)
	}
	return c.far[i], true
}

// made is what was known to who has made the channel at an address. For a channel that comes by way of a variable that nothing
// guards, it may be all that orders its making and its use.
func (p *Order) made(addr uint64) *causalKnowledge {
	if o := p.objects.at(addr); o != nil && o.released != nil {
		o.released.knows(&p.know)
		return &o.released.causalKnowledge
	}
	return &causalKnowledge{}
}

// meetMaker lets two that meet at an unbuffered channel know who has made it. They mostly meet again.
func (p *Order) meetMaker(sender, receiver *goroutine, addr uint64) {
	o := p.objects.at(addr)
	if o == nil {
		return
	}
	met := &o.uncommon().met
	if *met == [2]*goroutine{sender, receiver} || *met == [2]*goroutine{receiver, sender} {
		return
	}
	*met = [2]*goroutine{sender, receiver}
	for _, side := range met {
		if side != nil {
			p.learn(side, p.made(addr), decides)
		}
	}
}

func (p *Order) channel(addr uint64) *channel {
	return used(&p.object(addr).channel)
}

// makeChan makes a new object of an address: the garbage collector hands out the
// memory of dead channels again.
func (p *Order) makeChan(g *goroutine, rec *ring.Record) {
	o := p.object(rec.Addr)
	o.renew()
	if p.watch != nil {
		p.tellMakeChan(g, rec)
	}
	p.settle(g)
	used(&o.released).set(&g.know)
	if p.watch != nil && rec.Aux == 1 {
		c := p.channel(rec.Addr)
		c.guard = new(guard)
		if p.opt.Sections {
			c.token = newToken()
		}
	}
}

// differing stands for channel.element if not all were the same. No record has so small a number.
const differing = math.MinInt64

// simplify returns the record of a send that says no more of the element than token asks, instead of the element 1 if all that were told on the
// channel so far were the same, else 0. With the elements themselves each record of a trace would differ from the others. It returns other records
// as they are.
func (p *Order) simplify(rec *ring.Record) *ring.Record {
	element := rec.Delta()
	if rec.Kind != ring.KindSend || element == 0 {
		return rec
	}
	p.simple = *rec
	p.simple.Arg &= 1<<ring.OpShift - 1
	switch c := p.channel(rec.Addr); c.element {
	case 0:
		c.element = element
		fallthrough
	case element:
		p.simple.Arg |= 1 << ring.OpShift
	default:
		c.element = differing
	}
	return &p.simple
}

// transfer reads a buffered send or receive.
func (p *Order) transfer(g *goroutine, rec *ring.Record, does string) {
	c := p.channel(rec.Addr)
	if c.elements == nil {
		c.elements = &elements{received: *p.made(rec.Addr)}
	}
	through := c.elements
	before := g.know.kept
	lock := p.locks(c, g, rec)
	effect := p.serves(c, g, rec, lock)
	slot, used := c.slot(rec.Aux)
	p.learn(g, slot, unlocking(lock))
	switch {
	case !used:
		p.learnMore(g, p.made(rec.Addr), decides)
	case rec.Kind == ring.KindRecv && through.receiver != g && len(c.slots) > 1: // else the slot has said that
		p.learnMore(g, &through.received, decides)
	}
	if lock {
		p.watch.locking = true // for tellChannel
	}
	if effect != "" {
		g.know.kept = p.know.union(p.know.union(before, p.made(rec.Addr).kept), c.token.toKnow())
		p.sectionOperation(g, rec, does+effect)
		if c.token.made == (known{}) {
			c.token.made = g.know.kept
		}
	} else {
		p.chanOperation(g, rec, does)
	}
	*slot = g.know
	if rec.Kind == ring.KindSend {
		through.last, through.latest = rec.Aux, min(through.latest+1, len(c.slots))
		return
	}
	through.receiver, through.received.kept = g, g.know.kept
	if p.watch != nil {
		through.received.ops = g.know.ops
	}
	if lock {
		p.share(&c.guard.left, g, synchronises)
	}
}

// chanOperation is operation for channels.
func (p *Order) chanOperation(g *goroutine, rec *ring.Record, does string) {
	if p.watch != nil {
		p.tellChannel(g, rec)
	}
	p.operation(g, rec, does, classChan, rec.Addr)
}

// sectionOperation is chanOperation where the channel is a lock, and its sections order nothing: see Options.Sections.
func (p *Order) sectionOperation(g *goroutine, rec *ring.Record, does string) {
	p.tellChannel(g, rec)
	p.keepOperation(g, rec, does, classChan, rec.Addr)
}

func (p *Order) closeChan(g *goroutine, rec *ring.Record) {
	p.learn(g, p.made(rec.Addr), decides)
	p.chanOperation(g, rec, "close")
	p.channel(rec.Addr).closed = g.know
}

// recvClosed reads that somebody has found a channel closed: to receive also empty, so that all elements have been received.
func (p *Order) recvClosed(g *goroutine, rec *ring.Record) {
	c := p.channel(rec.Addr)
	p.learn(g, &c.closed, synchronises)
	if rec.Op() == ring.OpSend {
		p.chanOperation(g, rec, "send")
		return
	}
	p.learnLast(g, rec.Addr)
	p.chanOperation(g, rec, "recv")
}

// learnLast lets g know that all elements that were sent have been received.
func (p *Order) learnLast(g *goroutine, addr uint64) {
	c := p.channel(addr)
	if c.elements == nil {
		p.learnMore(g, p.made(addr), decides)
		return
	}
	p.learnMore(g, &c.elements.received, decides)
	if c.guard != nil { // receives are not ordered among each other
		p.learnSharedMore(g, &c.guard.left, decides)
	}
}

// learnSent lets g know that the channel, which is full, got its elements. Earlier sends come before these.
func (p *Order) learnSent(g *goroutine, c *channel) {
	through, slots := c.elements, uint64(len(c.slots))
	if through == nil {
		return // they came before it was traced
	}
	for ; through.latest > 0; through.latest-- {
		p.shareKnown(&through.sent, &c.slots[(through.last+1+slots-uint64(through.latest))%slots], decides)
	}
	p.learnSharedMore(g, &through.sent, decides)
}

// handoff reads an unbuffered transfer. One side may be the runtime or the agent
// (context 0, sender is nil), of which nobody learns.
func (p *Order) handoff(sender *goroutine, rec *ring.Record) {
	receiver := p.goroutines.get(rec.Aux)
	switch {
	case receiver == nil && rec.Aux != 0:
		p.Corrupt(rec, "to an unknown goroutine")
		return
	case receiver == nil && sender == nil:
		return
	case receiver == sender:
		p.Corrupt(rec, "to itself")
		return
	}
	if p.watch != nil {
		p.present(receiver)
	}
	p.meetMaker(sender, receiver, rec.Addr)
	if p.watch != nil {
		p.tellHandoff(sender, receiver, rec)
	}
	switch {
	case receiver == nil:
		p.operation(sender, rec, "send", classChan, rec.Addr)
	case sender == nil:
		p.operation(receiver, rec, "recv", classChan, rec.Addr)
	case p.showsBoth(sender, receiver):
		p.jointEvent(sender, receiver, rec)
	default:
		p.meet(sender, receiver)
		p.operation(sender, rec, "send", classChan, rec.Addr)
		p.operation(receiver, rec, "recv", classChan, rec.Addr)
		p.meet(sender, receiver) // one of them may have shown its side
	}
}

// showsBoth reports whether both sides of a handoff become events. Where that is to end
// phases (see settle) it is one action too: were it two, one side could seem to have gone
// on while the other is still in its phase, which no order of the full trace has.
func (p *Order) showsBoth(sender, receiver *goroutine) bool {
	return sender.fresh && receiver.fresh || p.opt.Full && p.shows(sender) && p.shows(receiver)
}

// meet tells each of two goroutines which events the other knows.
func (p *Order) meet(g, h *goroutine) {
	both := p.know.union(g.know.kept, h.know.kept)
	g.know.kept, h.know.kept = both, both
}
