package causality

import (
	"math"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// channel is the knowledge that a channel's operations hand on.
//
// The memory model orders a send before its receive, and that before the send that reuses its slot.
// Besides, a channel delivers its elements in order: a receive comes after the receives of earlier
// elements.
type channel struct {
	guard  *guard // nil unless it is used as a lock that starts empty
	token  *token // nil unless it is used as a lock whose sections are unordered
	closed causalKnowledge
	slots  []causalKnowledge // the used part of the buffer
	// slots that a scribbled record names, far behind the others
	far      map[uint64]*causalKnowledge
	elements *elements // nil if there were none so far
	// The value that all sends so far had, as in ring.KindSend. It is 0 if there were none, and
	// differing if not all were the same. See simplify.
	onlyElement int64
}

// elements are the elements that have gone through a buffered channel.
type elements struct {
	received causalKnowledge // of the last receive, or of the make
	receiver *goroutine      // of the last receive

	// of all sends but the latest ones, for operations that find the channel full
	sent   sharedKnowledge
	latest int    // sends, up to the number of slots
	last   uint64 // slot of the last send
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

// knowledgeOfMaker returns what the maker of the channel at an address knew. If the channel came
// through an unguarded variable, this may be the only order between its making and its use.
func (p *Order) knowledgeOfMaker(addr uint64) *causalKnowledge {
	if o := p.objects.find(addr); o != nil && o.released != nil {
		o.released.handedOn(&p.know)
		return &o.released.causalKnowledge
	}
	return &causalKnowledge{}
}

// meetMaker orders the making of an unbuffered channel before a transfer on it. The pair is cached,
// since the same two mostly meet again.
func (p *Order) meetMaker(sender, receiver *goroutine, addr uint64) {
	o := p.objects.find(addr)
	if o == nil {
		return
	}
	met := &o.ensureRare().met
	if *met == [2]*goroutine{sender, receiver} || *met == [2]*goroutine{receiver, sender} {
		return
	}
	*met = [2]*goroutine{sender, receiver}
	for _, side := range met {
		if side != nil {
			p.learn(side, p.knowledgeOfMaker(addr), decides)
		}
	}
}

func (p *Order) channel(addr uint64) *channel {
	return ensure(&p.object(addr).channel)
}

// makeChan creates the object at an address anew: the garbage collector reuses the memory of dead
// channels.
func (p *Order) makeChan(g *goroutine, rec *ring.Record) {
	o := p.object(rec.Addr)
	o.reset()
	if p.watch != nil {
		p.reportPlain(g, rec, op.MakeChan, op.Object(p.identify(rec.Addr, classChan).name), int64(rec.Aux))
	}
	p.settle(g)
	ensure(&o.released).set(&g.know)
	if p.watch != nil && rec.Aux == 1 {
		c := p.channel(rec.Addr)
		c.guard = new(guard)
		if p.opt.Sections {
			c.token = newToken()
		}
	}
}

// differing is channel.onlyElement if not all were the same. No record has so small a number.
const differing = math.MinInt64

// simplify reduces the element in the record of a send to what token needs: 1 if all elements on
// the channel so far were the same, else 0. With the elements themselves each record of a trace
// would differ from the others. It returns other records as they are.
func (p *Order) simplify(rec *ring.Record) *ring.Record {
	element := rec.Delta()
	if rec.Kind != ring.KindSend || element == 0 {
		return rec
	}
	p.simple = *rec
	p.simple.Arg &= 1<<ring.OpShift - 1
	switch c := p.channel(rec.Addr); c.onlyElement {
	case 0:
		c.onlyElement = element
		fallthrough
	case element:
		p.simple.Arg |= 1 << ring.OpShift
	default:
		c.onlyElement = differing
	}
	return &p.simple
}

// readTransfer reads a buffered send or receive.
func (p *Order) readTransfer(g *goroutine, rec *ring.Record, does string) {
	c := p.channel(rec.Addr)
	if c.elements == nil {
		c.elements = &elements{received: *p.knowledgeOfMaker(rec.Addr)}
	}
	passed := c.elements
	p.learnOutcomes(g, p.object(rec.Addr))
	if rec.Kind == ring.KindSend {
		p.orderSend(g, p.object(rec.Addr))
	}
	before := g.know.kept
	lock := p.isLockOp(c, g, rec)
	effect := p.sectionEffect(c, g, rec, lock)
	slot, used := c.slot(rec.Aux)
	p.learn(g, slot, releaseRelation(lock))
	switch {
	case !used:
		p.learnMore(g, p.knowledgeOfMaker(rec.Addr), decides)
	// otherwise the slot has already ordered it
	case rec.Kind == ring.KindRecv && passed.receiver != g && len(c.slots) > 1:
		p.learnMore(g, &passed.received, decides)
	}
	if lock {
		p.watch.nextIsLock = true // for reportChannel
	}
	if effect != "" {
		g.know.kept = p.know.union(p.know.union(before, p.knowledgeOfMaker(rec.Addr).kept), c.token.toKnow())
		p.sectionOperation(g, rec, does+effect)
		if c.token.made == (known{}) {
			c.token.made = g.know.kept
		}
	} else {
		p.chanOperation(g, rec, does)
	}
	*slot = g.know
	if rec.Kind == ring.KindSend {
		p.noteSent(g, rec.Addr)
		passed.last, passed.latest = rec.Aux, min(passed.latest+1, len(c.slots))
		return
	}
	passed.receiver, passed.received.kept = g, g.know.kept
	if p.watch != nil {
		passed.received.ops = g.know.ops
	}
	if lock {
		p.handOn(&c.guard.left, g, synchronises)
	}
}

// chanOperation reports and keeps an operation on a channel.
func (p *Order) chanOperation(g *goroutine, rec *ring.Record, does string) {
	if p.watch != nil {
		p.reportChannel(g, rec)
	}
	p.operation(g, rec, does, classChan, rec.Addr)
}

// sectionOperation is chanOperation where the channel is a lock with unordered sections: see
// Options.Sections.
func (p *Order) sectionOperation(g *goroutine, rec *ring.Record, does string) {
	p.reportChannel(g, rec)
	p.keepOperation(g, rec, does, classChan, rec.Addr)
}

func (p *Order) closeChan(g *goroutine, rec *ring.Record) {
	p.learn(g, p.knowledgeOfMaker(rec.Addr), decides)
	p.learnOutcomes(g, p.object(rec.Addr))
	p.orderSend(g, p.object(rec.Addr))
	p.chanOperation(g, rec, "close")
	p.channel(rec.Addr).closed = g.know
}

// recvClosed reads that g has found a channel closed. A receive has also found it empty, after all
// elements have been received.
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

// learnLast orders the receives of all elements before g's next operation.
func (p *Order) learnLast(g *goroutine, addr uint64) {
	c := p.channel(addr)
	if c.elements == nil {
		p.learnMore(g, p.knowledgeOfMaker(addr), decides)
		return
	}
	p.learnMore(g, &c.elements.received, decides)
	if c.guard != nil { // receives are not ordered among each other
		p.learnSharedMore(g, &c.guard.left, decides)
	}
}

// learnSent orders the sends of the elements in a full channel before g's next operation. Earlier
// sends come before these.
func (p *Order) learnSent(g *goroutine, c *channel) {
	passed, slots := c.elements, uint64(len(c.slots))
	if passed == nil {
		return // they came before tracing began
	}
	for ; passed.latest > 0; passed.latest-- {
		p.handOnKnown(&passed.sent, &c.slots[(passed.last+1+slots-uint64(passed.latest))%slots], decides)
	}
	p.learnSharedMore(g, &passed.sent, decides)
}

// handoff reads an unbuffered transfer. One side may be the runtime or the agent (context 0, sender
// is nil), which passes on no knowledge.
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
		p.reportHandoff(sender, receiver, rec)
	}
	switch {
	case receiver == nil:
		p.operation(sender, rec, "send", classChan, rec.Addr)
	case sender == nil:
		p.operation(receiver, rec, "recv", classChan, rec.Addr)
	case p.areVisible(sender, receiver):
		p.jointEvent(sender, receiver, rec)
	default:
		p.exchange(sender, receiver)
		p.operation(sender, rec, "send", classChan, rec.Addr)
		p.operation(receiver, rec, "recv", classChan, rec.Addr)
		p.exchange(sender, receiver) // either may already have shown its side
	}
	p.noteSent(sender, rec.Addr)
}

// areVisible reports whether both sides of a handoff become events. A handoff that ends phases (see
// settle) is one action as well. As two actions, one side could seem to have continued while the
// other is still in its phase, a state that the full trace excludes.
func (p *Order) areVisible(sender, receiver *goroutine) bool {
	return sender.atEdge && receiver.atEdge || p.opt.Full && p.isVisible(sender) && p.isVisible(receiver)
}

// exchange exchanges the knowledge of events between two goroutines.
func (p *Order) exchange(g, h *goroutine) {
	both := p.know.union(g.know.kept, h.know.kept)
	g.know.kept, h.know.kept = both, both
}
