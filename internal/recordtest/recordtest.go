// Package recordtest draws records of traced programs, for tests without a program.
package recordtest

import (
	"encoding/binary"
	"slices"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// Start functions of goroutines, as in KindGo.
const (
	Worker = 0x500
	Helper = 0x600
)

// Objects of the programs.
var (
	mutexes   = []uint64{0x1000, 0x1008, 0x1010}
	rw        = uint64(0x1100)
	waitGroup = uint64(0x2000)
	channels  = []uint64{0x3000, 0x3100, 0x3200} // with room for 1, 2 and no elements
	memory    = []uint64{0x4000, 0x4008}
)

// Draw returns the records of a run: goroutines start others, lock, communicate, wait for each
// other and make mistakes, as Go allows. Some wait at its end. No goroutine unlocks another one's
// lock while a third waits for it: that could end a deadlock, which is reported on the assumption
// that it does not happen.
func Draw(t *rapid.T) []ring.Record {
	p := &program{
		t: t, alive: []uint64{1}, created: 1, written: map[uint64]uint64{}, waits: map[uint64]wait{},
		places: map[uint64]uint64{},
		holder: map[uint64]uint64{}, readers: map[uint64]bool{}, channels: map[uint64]*channel{},
		accesses: map[uint64]access{},
	}
	p.add(ring.Record{Kind: ring.KindStarted, Ctx: 1})
	for i, addr := range channels {
		c := &channel{addr: addr, capacity: uint64(i+1) % 3}
		p.channels[addr] = c
		p.add(ring.Record{Kind: ring.KindMakeChan, Ctx: 1, Addr: addr, Aux: c.capacity})
	}
	for range rapid.IntRange(1, 80).Draw(t, "steps") {
		g := rapid.SampledFrom(p.alive).Draw(t, "goroutine")
		if w, ok := p.waits[g]; ok {
			if w.can() {
				delete(p.waits, g)
				w.do()
			}
		} else {
			p.step(g)
		}
		if len(p.alive) == 0 {
			break
		}
	}
	if _, waits := p.waits[1]; !waits && slices.Contains(p.alive, 1) && rapid.Bool().Draw(t, "main returns") {
		p.add(ring.Record{Kind: ring.KindLeft, Ctx: 1, Arg: 1})
	}
	return p.records
}

// program is a run of a program so far.
type program struct {
	t        *rapid.T
	records  []ring.Record
	alive    []uint64          // goroutines
	created  uint64            // the last goroutine
	written  map[uint64]uint64 // number of records of each goroutine that count for its moments
	waits    map[uint64]wait   // waiting goroutines
	places   map[uint64]uint64 // of their last records
	holder   map[uint64]uint64 // of each lock; 0 if it is free
	readers  map[uint64]bool   // goroutines that hold rw for reading
	channels map[uint64]*channel
	counter  int // of the WaitGroup
	accesses map[uint64]access
}

// wait is the operation that a goroutine waits for.
type wait struct {
	op, addr uint64
	can      func() bool
	do       func()
}

type channel struct {
	addr, capacity uint64
	sent, received uint64
	closed         bool
}

// access is the last access to a piece of memory.
type access struct {
	ctx, count, flags, pc uint64
}

// add adds a record at a place that several goroutines share.
func (p *program) add(r ring.Record) {
	r.Index = uint64(len(p.records) + 1)
	r.PC[0] = 1000*(r.Ctx%3) + 10*uint64(r.Kind) + r.Addr>>3%7 + 1
	p.places[r.Ctx] = r.PC[0]
	if r.Kind == ring.KindHandoff {
		r.PC[1] = p.places[r.Aux]
		p.written[r.Aux]++
	}
	if r.Kind != ring.KindRead && r.Kind != ring.KindWrite {
		p.written[r.Ctx]++
	}
	p.records = append(p.records, r)
}

// on adds a record of an operation on an object.
func (p *program) on(kind ring.Kind, g, addr, op uint64) {
	p.add(ring.Record{Kind: kind, Ctx: g, Addr: addr, Aux: addr, Arg: op})
}

// misuse adds a record of a mistake, which ends the goroutine if it is fatal.
func (p *program) misuse(g, addr, what uint64, fatal bool) {
	p.on(ring.KindMisuse, g, addr, what)
	if fatal {
		p.alive = slices.DeleteFunc(p.alive, func(other uint64) bool { return other == g })
	}
}

// wait performs an operation at once, or makes the goroutine wait until it can be performed.
func (p *program) wait(g, addr, op uint64, can func() bool, do func()) {
	if can() {
		do()
		return
	}
	p.on(ring.KindBlock, g, addr, op)
	p.waits[g] = wait{op, addr, can, do}
}

// rarely is true one time in ten.
func (p *program) rarely(what string) bool { return rapid.IntRange(0, 9).Draw(p.t, what) == 0 }

func (p *program) step(g uint64) {
	switch rapid.SampledFrom(steps).Draw(p.t, "step") {
	case "go":
		p.created++
		p.add(ring.Record{Kind: ring.KindGo, Ctx: g, Addr: p.created,
			Aux: rapid.SampledFrom([]uint64{Worker, Helper}).Draw(p.t, "function")})
		p.alive = append(p.alive, p.created)
	case "end":
		if g != 1 {
			p.add(ring.Record{Kind: ring.KindEnd, Ctx: g})
			p.alive = slices.DeleteFunc(p.alive, func(other uint64) bool { return other == g })
		}
	case "lock":
		m := rapid.SampledFrom(mutexes).Draw(p.t, "mutex")
		p.wait(g, m, ring.OpLock, func() bool { return p.holder[m] == 0 }, func() {
			p.on(ring.KindAcquire, g, m, ring.OpLock)
			p.holder[m] = g
		})
	case "unlock":
		p.unlock(g)
	case "rwmutex":
		p.rwmutex(g)
	case "send":
		p.send(g, p.channels[rapid.SampledFrom(channels).Draw(p.t, "channel")])
	case "receive":
		p.receive(g, p.channels[rapid.SampledFrom(channels).Draw(p.t, "channel")])
	case "select":
		p.choose(g)
	case "close":
		c := p.channels[rapid.SampledFrom(channels).Draw(p.t, "channel")]
		if c.closed {
			p.misuse(g, c.addr, ring.MisuseCloseClosed, false)
			return
		}
		p.add(ring.Record{Kind: ring.KindClose, Ctx: g, Addr: c.addr})
		c.closed = true
	case "waitgroup":
		p.waitGroup(g)
	case "access":
		p.access(g)
	}
}

var steps = []string{"go", "go", "end", "lock", "lock", "lock", "unlock", "unlock", "unlock", "rwmutex", "rwmutex",
	"send", "send",
	"receive", "receive", "select", "close", "waitgroup", "waitgroup", "access", "access"}

// unlock unlocks a Mutex that the goroutine has locked or, rarely, any without waiting goroutines.
func (p *program) unlock(g uint64) {
	mine := slices.DeleteFunc(slices.Clone(mutexes), func(m uint64) bool { return p.holder[m] != g })
	if p.rarely("any mutex") {
		mine = slices.DeleteFunc(slices.Clone(mutexes), p.isAwaited)
	}
	if len(mine) == 0 {
		return
	}
	m := rapid.SampledFrom(mine).Draw(p.t, "mutex")
	if p.holder[m] == 0 {
		p.misuse(g, m, ring.MisuseUnlock, true)
		return
	}
	p.on(ring.KindRelease, g, m, ring.OpUnlock)
	p.holder[m] = 0
}

func (p *program) isAwaited(m uint64) bool {
	for _, w := range p.waits {
		if w.addr == m {
			return true
		}
	}
	return false
}

// rwmutex locks or unlocks the RWMutex. The releases of readers and of writers have keys of their
// own.
func (p *program) rwmutex(g uint64) {
	const readers, writers = 4, 8
	switch {
	case p.holder[rw] == g:
		p.add(ring.Record{Kind: ring.KindRelease, Ctx: g, Addr: rw + readers, Aux: rw, Arg: ring.OpUnlock})
		p.holder[rw] = 0
	case p.readers[g] && !p.rarely("again"):
		p.add(ring.Record{Kind: ring.KindReleaseMerge, Ctx: g, Addr: rw + writers, Aux: rw, Arg: ring.OpRUnlock})
		delete(p.readers, g)
	case rapid.Bool().Draw(p.t, "write"):
		p.wait(g, rw, ring.OpLock, func() bool { return p.holder[rw] == 0 && len(p.readers) == 0 }, func() {
			p.add(ring.Record{Kind: ring.KindAcquire, Ctx: g, Addr: rw + readers, Aux: rw + readers})
			p.add(ring.Record{Kind: ring.KindAcquire, Ctx: g, Addr: rw + writers, Aux: rw, Arg: ring.OpLock})
			p.holder[rw] = g
		})
	case !p.readers[g]:
		p.wait(g, rw, ring.OpRLock, func() bool { return p.holder[rw] == 0 }, func() {
			p.add(ring.Record{Kind: ring.KindAcquire, Ctx: g, Addr: rw + readers, Aux: rw, Arg: ring.OpRLock})
			p.readers[g] = true
		})
	}
}

// waitingAt returns a goroutine that waits for an operation on a channel; 0 if there is none.
func (p *program) waitingAt(c *channel, op uint64) uint64 {
	for _, g := range p.alive {
		if w, ok := p.waits[g]; ok && w.addr == c.addr && w.op == op {
			return g
		}
	}
	return 0
}

// handoff is a communication between two goroutines, one of which has waited.
func (p *program) handoff(sender uint64, c *channel, receiver, waiter uint64) {
	delete(p.waits, waiter)
	p.add(ring.Record{Kind: ring.KindHandoff, Ctx: sender, Addr: c.addr, Aux: receiver})
}

func (p *program) send(g uint64, c *channel) {
	p.wait(g, c.addr, ring.OpSend, func() bool {
		return c.closed || c.sent < c.received+c.capacity || c.capacity == 0 && p.waitingAt(c, ring.OpRecv) != 0
	}, func() {
		switch {
		case c.closed:
			p.misuse(g, c.addr, ring.MisuseSendClosed, false)
			p.add(ring.Record{Kind: ring.KindRecvClosed, Ctx: g, Addr: c.addr, Arg: ring.OpSend})
		case c.capacity == 0:
			receiver := p.waitingAt(c, ring.OpRecv)
			p.handoff(g, c, receiver, receiver)
		default:
			p.add(ring.Record{Kind: ring.KindSend, Ctx: g, Addr: c.addr, Aux: c.sent % c.capacity})
			c.sent++
		}
	})
}

func (p *program) receive(g uint64, c *channel) {
	p.wait(g, c.addr, ring.OpRecv, func() bool { return p.canReceive(c) }, func() { p.received(g, c, 0) })
}

func (p *program) canReceive(c *channel) bool {
	return c.closed || c.sent > c.received || c.capacity == 0 && p.waitingAt(c, ring.OpSend) != 0
}

// received receives from a channel, in a select statement or not.
func (p *program) received(g uint64, c *channel, op uint64) {
	switch {
	case c.sent > c.received:
		p.add(ring.Record{Kind: ring.KindRecv, Ctx: g, Addr: c.addr, Aux: c.received % c.capacity, Arg: op})
		c.received++
	case c.closed:
		p.add(ring.Record{Kind: ring.KindRecvClosed, Ctx: g, Addr: c.addr})
	default:
		sender := p.waitingAt(c, ring.OpSend)
		p.handoff(sender, c, g, sender)
	}
}

// choose receives from one of the buffered channels in a select statement, which may have a
// default.
func (p *program) choose(g uint64) {
	a, b := p.channels[channels[0]], p.channels[channels[1]]
	cases := binary.LittleEndian.AppendUint64(nil, 2)
	for _, c := range []*channel{a, b} {
		cases = binary.LittleEndian.AppendUint64(cases, c.addr)
	}
	ready := func() bool { return p.canReceive(a) || p.canReceive(b) }
	receive := func() {
		c := a
		if !p.canReceive(a) || p.canReceive(b) && rapid.Bool().Draw(p.t, "second") {
			c = b
		}
		p.received(g, c, ring.OpSelect)
	}
	selected := func(how uint64) {
		p.add(ring.Record{Kind: ring.KindSelect, Ctx: g, Arg: how, Payload: cases})
	}
	switch tries := rapid.Bool().Draw(p.t, "default"); {
	case ready() && tries:
		selected(ring.SelectTried)
		receive()
	case ready():
		selected(ring.SelectCase)
		receive()
	case tries:
		selected(ring.SelectDefault)
	default:
		p.add(ring.Record{Kind: ring.KindBlock, Ctx: g, Arg: ring.OpSelect, Payload: cases})
		p.waits[g] = wait{can: ready, do: receive}
	}
}

func (p *program) waitGroup(g uint64) {
	minus := int64(-1)
	switch rapid.IntRange(0, 2).Draw(p.t, "waitgroup") {
	case 0:
		p.on(ring.KindMark, g, waitGroup, ring.OpAdd|1<<ring.OpShift)
		p.counter++
	case 1:
		if p.counter > 0 {
			p.on(ring.KindReleaseMerge, g, waitGroup, ring.OpDone|uint64(minus)<<ring.OpShift)
			p.counter--
		} else if p.rarely("negative") {
			p.misuse(g, waitGroup, ring.MisuseCounter, true)
		}
	case 2:
		p.wait(g, waitGroup, ring.OpWait, func() bool { return p.counter == 0 }, func() {
			p.on(ring.KindAcquire, g, waitGroup, ring.OpWait)
		})
	}
}

// access reads or writes memory. It is recorded only if it conflicts with the access before.
func (p *program) access(g uint64) {
	addr := rapid.SampledFrom(memory).Draw(p.t, "address")
	kind, flags := ring.Kind(ring.KindRead), uint64(0)
	if rapid.Bool().Draw(p.t, "write") {
		kind, flags = ring.KindWrite, ring.AccessWrites
	}
	before, ok := p.accesses[addr]
	if ok && before.ctx != g && before.flags|flags != 0 {
		r := ring.Record{Kind: kind, Ctx: g, Addr: addr, Aux: 8}
		for _, word := range []uint64{before.ctx<<ring.MomentShift | before.count, before.flags, before.pc,
			0, 0, 0, 0} {
			r.Payload = binary.LittleEndian.AppendUint64(r.Payload, word)
		}
		p.add(r)
	}
	p.accesses[addr] = access{g, p.written[g], flags, 5000 + g%3*10 + uint64(kind)}
}
