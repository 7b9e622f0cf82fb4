package causality

import (
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// fixed are the classes of objects that must not be copied after first use. A program that reads
// such an object's memory as a value copies it: the object's operations are the library's, whose
// accesses to memory are not recorded.
var fixed = [classCount]bool{classMutex: true, classRWMutex: true, classWaitGroup: true, classCond: true,
	classOnce: true}

// reportCopy reports which objects are copied, or overwritten, with the memory around them.
func (p *Order) reportCopy(g *goroutine, rec *ring.Record) {
	p.numberOperation(g)
	for object := range p.objects.inRange(rec.Addr, rec.Aux) {
		if !fixed[object.name.class()] {
			continue
		}
		o := p.watch.beginOp(g, op.Copy)
		o.Object, o.At = op.Object(object.name), p.watch.stacks.place(&rec.PC)
		if rec.Arg&ring.AccessWrites != 0 {
			o.Arg = 1
		}
		p.watch.report()
	}
}
