package causality

import (
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// waitKinds are the operations for which a goroutine waits.
var waitKinds = [ring.OpCount]op.Kind{
	ring.OpSend: op.Send, ring.OpRecv: op.Recv, ring.OpSelect: op.Select, ring.OpLock: op.Lock, ring.OpRLock: op.RLock,
	ring.OpWait: op.Wait, ring.OpCondWait: op.CondWait,
	ring.OpOnceLock: op.Once,
}

// reportBlock reports that g is about to wait.
func (p *Order) reportBlock(g *goroutine, rec *ring.Record) {
	kind := waitKinds[rec.Op()]
	if kind == op.None {
		p.Corrupt(rec, "for an unknown operation")
		return
	}
	p.numberOperation(g)
	more := p.readCases(rec)
	addr, c := rec.Aux, classOf[rec.Op()]
	if addr == 0 {
		addr = rec.Addr
	}
	if kind == op.Wait {
		c = classWaitGroup
	}
	g.selecting = kind == op.Select
	o := p.watch.beginOp(g, op.Block)
	o.Want = kind
	if kind == op.Select {
		o.Cases, o.Arg = p.watch.cases, more
	} else {
		o.Object = p.waitObject(addr, c)
	}
	o.At = p.watch.stacks.longPlace(rec)
	p.watch.report()
}

// waitObject returns the object at addr, 0 for nil. An object that is known as a RWMutex stays one,
// though its own address names it here.
func (p *Order) waitObject(addr uint64, c class) op.Object {
	if addr == 0 {
		return 0
	}
	if c == classMutex && p.object(addr).name.class() == classRWMutex {
		c = classRWMutex
	}
	return op.Object(p.identify(addr, c).name)
}

// reportSelect reports that a select statement has chosen its case.
func (p *Order) reportSelect(g *goroutine, rec *ring.Record) {
	p.numberOperation(g)
	if p.readCases(rec) > 0 {
		return
	}
	g.selecting = rec.Arg != ring.SelectDefault
	o := p.watch.beginOp(g, op.Select)
	o.Cases, o.At, o.Arg = p.watch.cases, p.watch.stacks.place(&rec.PC), int64(rec.Arg&3)
	p.watch.report()
}

// readCases reads the cases of a select statement into p.watch.cases and returns how many more
// there are.
func (p *Order) readCases(rec *ring.Record) (more int64) {
	w := p.watch
	w.cases = w.cases[:0]
	n, more := rec.Cases()
	for i := range n {
		c := rec.Case(i)
		w.cases = append(w.cases, op.Case{Object: p.waitObject(c.Channel, classChan), Send: c.Send})
	}
	return more
}
