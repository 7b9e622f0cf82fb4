package process

import (
	"strconv"

	"github.com/antichain-go/antichain/tracer/ring"
)

// class is the type of object that the program sees at an address.
type class uint8

const (
	classNone class = iota
	classChan
	classMutex
	classWaitGroup
	classCond
	classOnce
	classPool
	classAtomic
	classCount
)

var classNames = [classCount]string{
	classChan: "chan", classMutex: "mutex", classWaitGroup: "waitgroup", classCond: "cond",
	classOnce: "once", classPool: "pool", classAtomic: "atomic",
}

var classOf = [ring.OpCount]class{
	ring.OpLock: classMutex, ring.OpUnlock: classMutex, ring.OpRLock: classMutex, ring.OpRUnlock: classMutex,
	ring.OpWait: classCond, ring.OpSignal: classCond, ring.OpBroadcast: classCond,
	ring.OpDone: classWaitGroup, ring.OpAdd: classWaitGroup,
	ring.OpOnce: classOnce, ring.OpPut: classPool, ring.OpGet: classPool,
}

// name is what events call an object: "mutex 2", numbered by first use.
type name struct {
	class class
	text  string
}

func (p *Process) objectName(addr uint64, c class, op ring.Op) string {
	n := &p.object(addr).name
	switch {
	case n.class == c:
	case op == ring.OpWait && n.class == classWaitGroup: // the operation alone does not tell
	default:
		p.labels[c]++
		*n = name{c, classNames[c] + " " + strconv.Itoa(p.labels[c])}
	}
	return n.text
}
