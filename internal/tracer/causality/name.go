package causality

import (
	"strconv"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// class is the type of object that the program sees at an address.
type class uint8

const (
	classNone class = iota
	classChan
	classMutex
	classRWMutex
	classWaitGroup
	classCond
	classOnce
	classPool
	classAtomic
	classTimer
	classCount
)

var classNames = [classCount]string{
	classChan: "chan", classMutex: "mutex", classRWMutex: "rwmutex", classWaitGroup: "waitgroup", classCond: "cond",
	classOnce: "once", classPool: "pool", classAtomic: "atomic", classTimer: "timer",
}

var classOf = [ring.OpCount]class{
	ring.OpLock: classMutex, ring.OpUnlock: classMutex, ring.OpRLock: classRWMutex, ring.OpRUnlock: classRWMutex,
	ring.OpWait: classCond, ring.OpCondWait: classCond, ring.OpSignal: classCond, ring.OpBroadcast: classCond,
	ring.OpDone: classWaitGroup, ring.OpAdd: classWaitGroup,
	ring.OpOnce: classOnce, ring.OpPut: classPool, ring.OpGet: classPool, ring.OpTimer: classTimer,
	ring.OpStop:     classTimer,
	ring.OpOnceLock: classOnce, ring.OpOnceUnlock: classOnce,
	ring.OpSend: classChan, ring.OpRecv: classChan,
}

// name is an object's name in reports: "mutex 2", numbered by first use. Its class is in the upper
// bits and its number in the others, which needs no memory for names.
type name op.Object

const (
	classShift = 28
	maxLabel   = 1<<classShift - 1
)

func (n name) class() class { return class(n >> classShift) }

func (n name) String() string {
	if n.class() == classNone || n.class() >= classCount {
		return ""
	}
	return classNames[n.class()] + " " + strconv.Itoa(int(n&maxLabel))
}

// subject returns the address and the class of the program's object in a record that carries an
// operation.
func (p *Order) subject(rec *ring.Record) (addr uint64, c class) {
	addr, c = rec.Aux, classOf[rec.Op()]
	if addr == 0 {
		addr = rec.Addr
	}
	switch rec.Op() {
	case ring.OpLock, ring.OpUnlock:
		// A Mutex is its own key, a RWMutex has one for readers and one for writers.
		if addr != rec.Addr {
			c = classRWMutex
		}
	case ring.OpWait:
		// So is a WaitGroup, but not a Cond, unless the notification was faster than the waiter:
		// then it has been seen.
		if known := p.object(addr).name.class(); known == classWaitGroup || known != classCond && addr == rec.Addr {
			c = classWaitGroup
		}
	}
	return addr, c
}

// identify ensures that the object at addr has a name of that class: an object of another class has
// used that memory before.
func (p *Order) identify(addr uint64, c class) *object {
	o := p.object(addr)
	if o.name.class() != c {
		if p.labels[c] == maxLabel {
			p.unwatch("there are more than 2^28 objects of one kind")
			p.labels[c] = 0
		}
		p.labels[c]++
		o.name = name(c)<<classShift | name(p.labels[c])
		if o.rare != nil {
			o.rare.text = ""
		}
	}
	return o
}

// objectName returns the name of the object at addr in events.
func (p *Order) objectName(addr uint64, c class) string {
	o := p.identify(addr, c)
	text := &o.ensureRare().text
	if *text == "" {
		*text = o.name.String()
	}
	return *text
}
