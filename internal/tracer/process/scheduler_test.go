package process

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// A little scheduler makes up runs: goroutines that start others, lock, send, close,
// arm timers, call traced functions and end, in any order that a Go program could
// show. Beside every record it computes, from the Go memory model and with plain sets
// of records, which records come before it; that is what the traces are compared to.

// past is the set of records (by index) that come before something, itself included.
type past map[int]bool

func (p past) add(q past) {
	for i := range q {
		p[i] = true
	}
}

func (p past) clone() past {
	c := past{}
	c.add(p)
	return c
}

type simTask struct {
	past   past
	frames int
	system bool // a timer context
}

type simChan struct {
	capacity   int
	sent, rcvd int
	startsFull bool // as a lock
	made       past
	closed     past
	slots      []past
	last       past // the last receive
	sends      past
}

type scheduler struct {
	t       *rapid.T
	steps   []string // any of these, some more often than others
	records []ring.Record
	pasts   []past // of each record
	alive   []uint64
	all     map[uint64]*simTask
	nextCtx uint64

	locked     map[uint64]uint64 // mutex -> holder
	reading    map[uint64][]uint64
	overwrites bool              // a lock
	entered    map[uint64]past   // what was known when the section of a writer began
	reads      map[uint64][]past // that of those in reading
	waiting    map[uint64]past   // a writer that waits for readers
	// no task tries to lock, or ends the section of another one, or waits for a Cond, or adds to a
	// WaitGroup
	orderly  bool
	released map[uint64]past          // locks, wait groups, timers
	added    map[uint64][]simAddition // to wait groups, and not taken away again
	stored   map[uint64]past
	loaded   map[uint64]past
	chans    map[uint64]*simChan
	armed    map[uint64]past // timers that are pending
	armer    map[uint64]past // what was known to who armed a timer when it was not
	idle     map[uint64]past // what made it so
	timerCtx uint64
	signals  map[uint64]past     // of a Cond
	waiters  map[uint64][]uint64 // those that wait longest come first
}

func newScheduler(t *rapid.T) *scheduler {
	s := &scheduler{
		t: t, steps: steps, alive: []uint64{1}, all: map[uint64]*simTask{1: {past: past{}}}, nextCtx: 1,
		locked: map[uint64]uint64{}, reading: map[uint64][]uint64{}, entered: map[uint64]past{},
		reads:   map[uint64][]past{},
		waiting: map[uint64]past{}, released: map[uint64]past{}, added: map[uint64][]simAddition{},
		stored: map[uint64]past{}, loaded: map[uint64]past{},
		chans: map[uint64]*simChan{}, armed: map[uint64]past{}, signals: map[uint64]past{},
		waiters: map[uint64][]uint64{}, armer: map[uint64]past{}, idle: map[uint64]past{},
	}
	s.nextCtx++
	s.timerCtx = s.nextCtx
	s.all[s.timerCtx] = &simTask{past: past{}, system: true}
	return s
}

// emit adds a record of ctx. Everything that ctx has learnt must be in its past already.
func (s *scheduler) emit(r ring.Record) {
	g := s.all[r.Ctx]
	i := len(s.records)
	r.Index = uint64(i)
	g.past[i] = true
	s.records = append(s.records, r)
	s.pasts = append(s.pasts, g.past.clone())
}

func get(m map[uint64]past, k uint64) past {
	if m[k] == nil {
		m[k] = past{}
	}
	return m[k]
}

func (s *scheduler) run() {
	for range rapid.IntRange(1, 150).Draw(s.t, "steps") {
		ctx := rapid.SampledFrom(s.alive).Draw(s.t, "goroutine")
		s.step(ctx, s.all[ctx])
	}
}

func (s *scheduler) step(ctx uint64, g *simTask) {
	obj := 4 * rapid.Uint64Range(0, 2).Draw(s.t, "object")
	switch rapid.SampledFrom(s.steps).Draw(s.t, "step") {
	case "go":
		s.nextCtx++
		s.emit(ring.Record{Kind: ring.KindGo, Ctx: ctx, Addr: s.nextCtx, Aux: 7})
		s.start(s.nextCtx, g.past)
	case "end":
		if ctx != 1 && g.frames == 0 {
			s.emit(ring.Record{Kind: ring.KindEnd, Ctx: ctx})
			s.remove(ctx)
		}
	case "enter":
		g.frames++
		s.emit(ring.Record{Kind: ring.KindEnter, Ctx: ctx, Addr: enterG, Aux: uint64(g.frames)})
	case "exit":
		if g.frames > 0 {
			s.emit(ring.Record{Kind: ring.KindExit, Ctx: ctx, Addr: exitG, Aux: uint64(g.frames)})
			g.frames--
		}
	case "stmt":
		s.emit(ring.Record{Kind: ring.KindStmt, Ctx: ctx, Addr: stmtS, Payload: values(1, nil, 2)})
	case "mutex":
		s.mutex(ctx, g, 100+obj)
	case "rwmutex":
		s.rwmutex(ctx, g, 1000+100*obj)
	case "library lock":
		g.past.add(get(s.released, 200+obj))
		s.emit(ring.Record{Kind: ring.KindReleaseAcquire, Ctx: ctx, Addr: 200 + obj})
		s.released[200+obj] = g.past.clone()
	case "done":
		s.countDown(g, 300+obj)
		s.emit(ring.Record{Kind: ring.KindReleaseMerge, Ctx: ctx, Addr: 300 + obj, Arg: ring.OpDone})
		get(s.released, 300+obj).add(g.past)
	case "wait":
		g.past.add(get(s.released, 300+obj))
		s.emit(ring.Record{Kind: ring.KindAcquire, Ctx: ctx, Addr: 300 + obj, Arg: ring.OpWait})
	case "load":
		g.past.add(get(s.stored, 400+obj))
		s.emit(ring.Record{Kind: ring.KindAtomicLoad, Ctx: ctx, Addr: 400 + obj})
		get(s.loaded, 400+obj).add(g.past)
	case "store", "cas":
		g.past.add(get(s.stored, 400+obj))
		g.past.add(get(s.loaded, 400+obj))
		kind := rapid.SampledFrom([]ring.Kind{ring.KindAtomicStore, ring.KindAtomicRMW}).Draw(s.t, "kind")
		s.emit(ring.Record{Kind: kind, Ctx: ctx, Addr: 400 + obj})
		s.stored[400+obj], s.loaded[400+obj] = g.past.clone(), nil
	case "chan":
		s.channel(ctx, g, 500+obj)
	case "tick":
		s.tick(ctx, g, 700+obj)
	case "timer":
		s.timer(ctx, g, 600+obj)
	case "cond":
		s.cond(ctx, g, 4000+obj)
	case "mark":
		if s.orderly {
			return
		}
		s.emit(ring.Record{Kind: ring.KindMark, Ctx: ctx, Addr: 300 + obj, Arg: ring.OpAdd})
		s.added[300+obj] = append(s.added[300+obj], simAddition{g, g.past.clone()})
	case "free":
		group := rapid.Uint64Range(2, 6).Draw(s.t, "group")
		s.free(100*group + obj)
	case "token":
		s.token(ctx, g, 900+obj)
	case "overwrite": // a lock by a new one; what comes before what is not known then
		rw := 1000 + 100*obj
		s.overwrites = true
		delete(s.locked, rapid.SampledFrom([]uint64{100 + obj, rw}).Draw(s.t, "lock"))
		if rapid.Bool().Draw(s.t, "with readers") {
			delete(s.reading, rw)
			delete(s.reads, rw)
		}
	}
}

var steps = []string{"go", "end", "enter", "exit", "stmt", "mutex", "mutex", "rwmutex", "rwmutex", "library lock",
	"done", "wait",
	"load", "store", "cas", "chan", "chan", "chan", "timer", "tick", "tick", "mark", "free", "cond", "cond"}

func (s *scheduler) start(ctx uint64, from past) {
	s.all[ctx] = &simTask{past: from.clone()}
	s.alive = append(s.alive, ctx)
}

func (s *scheduler) remove(ctx uint64) {
	for i, c := range s.alive {
		if c == ctx {
			s.alive = append(s.alive[:i:i], s.alive[i+1:]...)
			return
		}
	}
}

func (s *scheduler) mutex(ctx uint64, g *simTask, m uint64) {
	switch s.locked[m] {
	case 0:
		g.past.add(get(s.released, m))
		s.emit(ring.Record{Kind: ring.KindAcquire, Ctx: ctx, Addr: m, Arg: ring.OpLock})
		s.locked[m], s.entered[m] = ctx, g.past.clone()
	default:
		if s.locked[m] != ctx {
			if s.orderly {
				return
			}
			g.past.add(s.entered[m])
			if rapid.IntRange(0, 3).Draw(s.t, "unlock") > 0 {
				s.try(ctx, m, ring.OpLock)
				return
			}
		}
		s.emit(ring.Record{Kind: ring.KindRelease, Ctx: ctx, Addr: m, Arg: ring.OpUnlock})
		s.released[m] = g.past.clone()
		s.locked[m] = 0
	}
}

// simAddition is an addition to a WaitGroup.
type simAddition struct {
	by   *simTask
	past past
}

// countDown takes one away of what was added: one of its own, if there is one among a few, or the
// first.
func (s *scheduler) countDown(g *simTask, group uint64) {
	const few = 8
	added := s.added[group]
	if len(added) == 0 {
		return
	}
	i := max(0, slices.IndexFunc(added[:min(len(added), few)], func(a simAddition) bool { return a.by == g }))
	g.past.add(added[i].past)
	s.added[group] = slices.Delete(slices.Clone(added), i, i+1)
}

// try lets ctx find that it cannot lock at once.
func (s *scheduler) try(ctx, lock uint64, op uint64) {
	s.emit(ring.Record{Kind: ring.KindTry, Ctx: ctx, Addr: lock, Aux: lock,
		Arg: op | uint64(len(s.records))<<ring.OpShift})
}

// free lets the garbage collector free an object, or all that lie there and above.
func (s *scheduler) free(addr uint64) {
	size := rapid.SampledFrom([]uint64{4, 1 << 40}).Draw(s.t, "size")
	s.records = append(s.records, ring.Record{Kind: ring.KindFree, Index: uint64(len(s.records)), Addr: addr,
		Aux: size})
	s.pasts = append(s.pasts, past{})
	freed := func(a uint64) bool { return a-addr < size }
	for _, pasts := range []map[uint64]past{s.released, s.stored, s.loaded, s.armed, s.armer, s.idle, s.entered,
		s.waiting} {
		maps.DeleteFunc(pasts, func(a uint64, _ past) bool { return freed(a) })
	}
	maps.DeleteFunc(s.added, func(a uint64, _ []simAddition) bool { return freed(a) })
	maps.DeleteFunc(s.locked, func(a uint64, _ uint64) bool { return freed(a) })
	maps.DeleteFunc(s.reading, func(a uint64, _ []uint64) bool { return freed(a) })
	maps.DeleteFunc(s.reads, func(a uint64, _ []past) bool { return freed(a) })
	maps.DeleteFunc(s.signals, func(a uint64, _ past) bool { return freed(a) })
	maps.DeleteFunc(s.chans, func(a uint64, _ *simChan) bool { return freed(a) })
}

// rwmutex locks or unlocks rw, which is the key of nothing: readers and writers have theirs.
func (s *scheduler) rwmutex(ctx uint64, g *simTask, rw uint64) {
	readers, writers := rw+4, rw+8
	reading := slices.Index(s.reading[rw], ctx)
	switch write := rapid.Bool().Draw(s.t, "write"); {
	case s.locked[rw] == ctx:
		s.emit(ring.Record{Kind: ring.KindRelease, Ctx: ctx, Addr: readers, Aux: rw, Arg: ring.OpUnlock})
		s.released[readers] = g.past.clone()
		s.locked[rw] = 0
	case s.locked[rw] != 0:
		if !s.orderly {
			g.past.add(s.entered[rw])
			s.try(ctx, rw, rapid.SampledFrom([]uint64{ring.OpLock, ring.OpRLock}).Draw(s.t, "try"))
		}
	case reading < 0 && len(s.reading[rw]) > 0 && !s.orderly && rapid.Bool().Draw(s.t, "around"):
		s.aroundReaders(ctx, g, rw)
	case reading >= 0:
		s.runlock(ctx, g, rw, reading)
	case !write:
		g.past.add(get(s.released, readers))
		s.emit(ring.Record{Kind: ring.KindAcquire, Ctx: ctx, Addr: readers, Aux: rw, Arg: ring.OpRLock})
		s.reading[rw] = append(s.reading[rw], ctx)
		s.reads[rw] = append(s.reads[rw], g.past.clone())
	case len(s.reading[rw]) == 0:
		g.past.add(get(s.released, readers))
		s.emit(ring.Record{Kind: ring.KindAcquire, Ctx: ctx, Addr: readers, Aux: readers})
		g.past.add(get(s.released, writers))
		s.emit(ring.Record{Kind: ring.KindAcquire, Ctx: ctx, Addr: writers, Aux: rw, Arg: ring.OpLock})
		s.locked[rw], s.entered[rw], s.waiting[rw] = ctx, g.past.clone(), nil
	}
}

// runlock ends a section of a reader.
func (s *scheduler) runlock(ctx uint64, g *simTask, rw uint64, reading int) {
	s.emit(ring.Record{Kind: ring.KindReleaseMerge, Ctx: ctx, Addr: rw + 8, Aux: rw, Arg: ring.OpRUnlock})
	get(s.released, rw+8).add(g.past)
	s.reading[rw] = slices.Delete(s.reading[rw], reading, reading+1)
	s.reads[rw] = slices.Delete(s.reads[rw], reading, reading+1)
}

// aroundReaders is an action of another task while some read.
func (s *scheduler) aroundReaders(ctx uint64, g *simTask, rw uint64) {
	switch first := s.reads[rw][0]; rapid.IntRange(0, 3).Draw(s.t, "what") {
	case 0:
		g.past.add(first)
		s.runlock(ctx, g, rw, 0)
	case 1:
		g.past.add(first)
		g.past.add(s.waiting[rw])
		s.try(ctx, rw, ring.OpLock)
	case 2:
		if s.waiting[rw] == nil {
			s.emit(ring.Record{Kind: ring.KindTry, Ctx: ctx, Addr: rw, Aux: rw, Arg: ring.OpAnnounce})
			s.waiting[rw] = g.past.clone()
		}
	case 3:
		if s.waiting[rw] != nil {
			g.past.add(first)
			g.past.add(s.waiting[rw])
			s.try(ctx, rw, ring.OpRLock)
		}
	}
}

// length asks how many elements are in a channel.
func (s *scheduler) length(ctx uint64, g *simTask, addr uint64, c *simChan) {
	g.past.add(c.made)
	if c.sent > c.rcvd {
		g.past.add(c.sends)
		s.emit(ring.Record{Kind: ring.KindTry, Ctx: ctx, Addr: addr, Arg: ring.OpSend})
	}
	if c.sent < c.rcvd+c.capacity {
		g.past.add(c.last)
		s.emit(ring.Record{Kind: ring.KindTry, Ctx: ctx, Addr: addr, Arg: ring.OpRecv})
	}
}

func (s *scheduler) channel(ctx uint64, g *simTask, addr uint64) {
	c := s.chans[addr]
	if c == nil || rapid.IntRange(0, 19).Draw(s.t, "reuse") == 0 {
		c = &simChan{capacity: rapid.IntRange(0, 2).Draw(s.t, "capacity")}
		c.slots = make([]past, c.capacity)
		for i := range c.slots {
			c.slots[i] = past{}
		}
		s.chans[addr] = c
		s.emit(ring.Record{Kind: ring.KindMakeChan, Ctx: ctx, Addr: addr, Aux: uint64(c.capacity)})
		c.made = g.past.clone()
	}
	send := rapid.Bool().Draw(s.t, "send")
	switch {
	case c.capacity > 0 && rapid.IntRange(0, 9).Draw(s.t, "len") == 0:
		s.length(ctx, g, addr, c)
	case c.closed != nil && c.sent == c.rcvd:
		g.past.add(c.closed)
		r := ring.Record{Kind: ring.KindRecvClosed, Ctx: ctx, Addr: addr}
		if send {
			r.Arg = ring.OpSend
		} else {
			g.past.add(c.last)
		}
		s.emit(r)
	case c.closed == nil && rapid.IntRange(0, 9).Draw(s.t, "close") == 0:
		g.past.add(c.made)
		s.emit(ring.Record{Kind: ring.KindClose, Ctx: ctx, Addr: addr})
		c.closed = g.past.clone()
	case c.capacity > 0 && send && c.closed == nil && c.sent == c.rcvd+c.capacity:
		g.past.add(c.sends)
		s.emit(ring.Record{Kind: ring.KindTry, Ctx: ctx, Addr: addr, Arg: ring.OpSend})
	case c.capacity > 0 && !send && c.sent == c.rcvd:
		g.past.add(c.made)
		g.past.add(c.last)
		s.emit(ring.Record{Kind: ring.KindTry, Ctx: ctx, Addr: addr, Arg: ring.OpRecv})
	case c.capacity == 0 && c.closed == nil:
		other := rapid.SampledFrom(s.alive).Draw(s.t, "receiver")
		if other == ctx {
			return
		}
		h := s.all[other]
		g.past.add(c.made)
		g.past.add(h.past)
		s.emit(ring.Record{Kind: ring.KindHandoff, Ctx: ctx, Addr: addr, Aux: other})
		h.past.add(g.past)
	case send && c.closed == nil && c.sent < c.rcvd+c.capacity, !send && c.sent > c.rcvd:
		s.buffered(ctx, g, addr, c, send)
	}
}

// token mostly uses a channel with room for one element as a lock, which has an element in it while
// it is free, or only while it is held.
func (s *scheduler) token(ctx uint64, g *simTask, addr uint64) {
	c := s.chans[addr]
	if c == nil {
		c = &simChan{capacity: 1, slots: []past{{}}, startsFull: rapid.Bool().Draw(s.t, "starts full")}
		s.chans[addr] = c
		s.emit(ring.Record{Kind: ring.KindMakeChan, Ctx: ctx, Addr: addr, Aux: 1})
		c.made = g.past.clone()
	}
	if holder := s.locked[addr]; holder != 0 && holder != ctx && rapid.IntRange(0, 19).Draw(s.t, "other") > 0 {
		return
	}
	send := c.sent == c.rcvd
	s.buffered(ctx, g, addr, c, send)
	if s.locked[addr] = 0; send != c.startsFull {
		s.locked[addr] = ctx
	}
	if send {
		s.records[len(s.records)-1].Arg |= 5 << ring.OpShift
	}
}

// tick arms a timer that sends to a channel, lets it send, or receives from the channel.
func (s *scheduler) tick(ctx uint64, g *simTask, addr uint64) {
	ch := addr + 50
	c := s.chans[ch]
	if c == nil {
		c = &simChan{capacity: 1, slots: []past{{}}}
		s.chans[ch] = c
	}
	switch {
	case rapid.IntRange(0, 3).Draw(s.t, "stop") == 0:
		s.stop(ctx, g, addr, ch)
	case s.armed[addr] == nil:
		s.emit(ring.Record{Kind: ring.KindRelease, Ctx: ctx, Addr: addr, Aux: ch, Arg: ring.OpTimer})
		s.rearmed(ctx, g, addr, ch)
	case c.sent > c.rcvd:
		s.buffered(ctx, g, ch, c, false)
	default:
		s.fire(addr, ch)
		s.buffered(s.timerCtx, s.all[s.timerCtx], ch, c, true)
	}
}

// buffered sends to a channel, or receives from it.
func (s *scheduler) buffered(ctx uint64, g *simTask, addr uint64, c *simChan, send bool) {
	kind, count := ring.KindRecv, &c.rcvd
	if send {
		kind, count = ring.KindSend, &c.sent
	}
	i := *count % c.capacity
	*count++
	g.past.add(c.slots[i])
	g.past.add(c.made)
	if !send {
		g.past.add(c.last)
	}
	s.emit(ring.Record{Kind: ring.Kind(kind), Ctx: ctx, Addr: addr, Aux: uint64(i)})
	c.slots[i] = g.past.clone()
	if !send {
		c.last = c.slots[i]
		return
	}
	if c.sends == nil {
		c.sends = past{}
	}
	c.sends.add(c.slots[i])
}

// cond waits for a Cond, or signals it. A signal ends the wait at once.
func (s *scheduler) cond(ctx uint64, g *simTask, addr uint64) {
	if s.orderly {
		return
	}
	waiters := slices.DeleteFunc(s.waiters[addr],
		func(c uint64) bool { return c == ctx || !slices.Contains(s.alive, c) })
	if len(waiters) == 0 || rapid.Bool().Draw(s.t, "wait") {
		s.waiters[addr] = append(waiters, ctx)
		return
	}
	first := waiters[0]
	s.waiters[addr] = waiters[1:]
	key := 5000 + 4*first
	s.emit(ring.Record{Kind: ring.KindRelease, Ctx: ctx, Addr: key, Aux: addr, Arg: ring.OpSignal})
	w := s.all[first]
	w.past.add(g.past)
	w.past.add(s.signals[addr])
	s.emit(ring.Record{Kind: ring.KindAcquire, Ctx: first, Addr: key, Aux: addr, Arg: ring.OpWait})
	get(s.signals, addr).add(s.pasts[len(s.pasts)-2])
}

// fire begins the run of a timer's function, in a context that starts anew each time, on no
// goroutine's behalf. The one of AfterFunc starts a goroutine.
func (s *scheduler) fire(addr, aux uint64) {
	s.all[s.timerCtx].past = s.armed[addr].clone()
	delete(s.armed, addr)
	s.records = append(s.records, ring.Record{Kind: ring.KindCtxStart, Index: uint64(len(s.records)), Addr: s.timerCtx})
	s.pasts = append(s.pasts, past{})
	s.emit(ring.Record{Kind: ring.KindAcquire, Ctx: s.timerCtx, Addr: addr, Aux: aux, Arg: ring.OpTimer})
	s.idle[addr] = s.all[s.timerCtx].past.clone()
	if aux == addr {
		s.nextCtx++
		s.emit(ring.Record{Kind: ring.KindGo, Ctx: s.timerCtx, Addr: s.nextCtx, Aux: 8})
		s.start(s.nextCtx, s.all[s.timerCtx].past)
	}
}

// stop stops a timer that has been made.
func (s *scheduler) stop(ctx uint64, g *simTask, addr, aux uint64) {
	switch {
	case s.armer[addr] == nil:
	case s.armed[addr] == nil:
		s.foundIdle(ctx, g, s.idle[addr], addr, aux, ring.OpStop)
	default:
		g.past.add(s.armer[addr])
		s.emit(ring.Record{Kind: ring.KindMark, Ctx: ctx, Addr: addr, Aux: aux, Arg: ring.OpStop})
		s.idle[addr] = g.past.clone()
		delete(s.armed, addr)
	}
}

// rearmed notes that a timer is armed; if it was before it says whether it was pending. It may fire
// before that.
func (s *scheduler) rearmed(ctx uint64, g *simTask, addr, aux uint64) {
	pending, known, idle := s.armed[addr] != nil, g.past.clone(), s.idle[addr].clone()
	s.armed[addr] = known
	if s.armer[addr] != nil && rapid.IntRange(0, 3).Draw(s.t, "fires") == 0 {
		s.fire(addr, aux)
	}
	switch {
	case s.armer[addr] == nil:
		s.armer[addr] = known
	case pending:
		g.past.add(s.armer[addr])
		s.emit(ring.Record{Kind: ring.KindMark, Ctx: ctx, Addr: addr, Aux: aux, Arg: ring.OpTimer})
	default:
		s.foundIdle(ctx, g, idle, addr, aux, ring.OpTimer)
		s.armer[addr] = g.past.clone()
	}
}

func (s *scheduler) foundIdle(ctx uint64, g *simTask, idle past, addr, aux uint64, op uint64) {
	g.past.add(idle)
	if c := s.chans[aux]; c != nil && aux != addr {
		g.past.add(c.last)
	}
	s.emit(ring.Record{Kind: ring.KindTry, Ctx: ctx, Addr: addr, Aux: aux, Arg: op})
}

// timer arms an AfterFunc timer, or lets one fire that is armed.
func (s *scheduler) timer(ctx uint64, g *simTask, addr uint64) {
	if rapid.IntRange(0, 3).Draw(s.t, "stop") == 0 {
		s.stop(ctx, g, addr, addr)
		return
	}
	if s.armed[addr] == nil || rapid.Bool().Draw(s.t, "again") {
		s.emit(ring.Record{Kind: ring.KindRelease, Ctx: ctx, Addr: addr, Aux: addr, Arg: ring.OpTimer})
		s.emit(ring.Record{Kind: ring.KindTimerArm, Ctx: ctx, Addr: addr, Aux: 8})
		s.rearmed(ctx, g, addr, addr)
		return
	}
	s.fire(addr, addr)
}
