package causality

import (
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// fixed are the classes of objects that must not be copied once they have been used. A program that
// reads the memory of one as a value copies it: its operations are the library's, whose accesses to
// memory are not told.
var fixed = [classCount]bool{classMutex: true, classRWMutex: true, classWaitGroup: true, classCond: true, classOnce: true}

// tellCopy tells which objects are copied, or written over, with the memory that they are in.
func (p *Order) tellCopy(g *goroutine, rec *ring.Record) {
	p.step(g)
	for object := range p.objects.in(rec.Addr, rec.Aux) {
		if !fixed[object.name.class()] {
			continue
		}
		o := p.watch.begin(g, op.Copy)
		o.Object, o.At = op.Object(object.name), p.watch.stacks.place(&rec.PC)
		if rec.Arg&ring.AccessWrites != 0 {
			o.N = 1
		}
		p.watch.tell()
	}
}
