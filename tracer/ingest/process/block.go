package process

import (
	"encoding/binary"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/ring"
)

// wants are the operations for which a goroutine waits.
var wants = [ring.OpCount]op.Kind{
	ring.OpSend: op.Send, ring.OpRecv: op.Recv, ring.OpSelect: op.Select, ring.OpLock: op.Lock, ring.OpRLock: op.RLock,
	ring.OpWait: op.Wait, ring.OpCondWait: op.CondWait,
	ring.OpOnceLock: op.Once,
}

// tellBlock tells that g is about to wait.
func (p *Process) tellBlock(g *goroutine, rec *ring.Record) {
	want := wants[rec.Op()]
	if want == op.None {
		p.corrupt(rec, "for an unknown operation")
		return
	}
	p.step(g)
	outer, more := p.readCases(rec)
	addr, c := rec.Aux, classOf[rec.Op()]
	if addr == 0 {
		addr = rec.Addr
	}
	if want == op.Wait {
		c = classWaitGroup
	}
	g.selecting = want == op.Select
	o := p.watch.begin(g, op.Block)
	o.Want = want
	if want == op.Select {
		o.Cases, o.N = p.watch.cases, more
	} else {
		o.Object = p.awaited(addr, c)
	}
	o.At = p.watch.stacks.long(rec.PC, outer)
	p.watch.tell()
}

// awaited returns the object at addr, 0 for nil. What is known to be a RWMutex is one, though it
// is named by its own address here.
func (p *Process) awaited(addr uint64, c class) op.Object {
	if addr == 0 {
		return 0
	}
	if c == classMutex && p.object(addr).name.class() == classRWMutex {
		c = classRWMutex
	}
	return op.Object(p.identify(addr, c).name)
}

// tellSelect tells that a select statement is decided.
func (p *Process) tellSelect(g *goroutine, rec *ring.Record) {
	p.step(g)
	if _, more := p.readCases(rec); more > 0 {
		return
	}
	g.selecting = rec.Arg != ring.SelectDefault
	o := p.watch.begin(g, op.Select)
	o.Cases, o.At, o.N = p.watch.cases, p.watch.stacks.place(rec.PC), int64(rec.Arg&3)
	p.watch.tell()
}

// readCases reads the cases of a select statement into p.watch.cases and returns what follows
// them, and how many cases there are besides.
func (p *Process) readCases(rec *ring.Record) (rest []byte, more int64) {
	w := p.watch
	w.cases = w.cases[:0]
	word, rest := cutWord(rec.Payload)
	n, more := word&(1<<ring.CasesMoreShift-1), int64(word>>ring.CasesMoreShift)
	if n > uint64(len(rest))/8 { // of a scribbled record
		return nil, more + int64(n)
	}
	for range n {
		var word uint64
		word, rest = cutWord(rest)
		addr := word &^ ring.CaseSend
		w.cases = append(w.cases, op.Case{Object: p.awaited(addr, classChan), Send: word != addr})
	}
	return rest, more
}

// cutWord cuts the first word off b, 0 if there is none.
func cutWord(b []byte) (uint64, []byte) {
	if len(b) < 8 {
		return 0, nil
	}
	return binary.LittleEndian.Uint64(b), b[8:]
}
