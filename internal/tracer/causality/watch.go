package causality

import (
	"cmp"
	"math"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// watch reports the operations of a run to its watcher. The goroutines' knowledge of operations is
// handed on together with that of kept events (known). This file numbers the operations and fills
// in their details.
type watch struct {
	watcher        op.Watcher
	accesses       bool      // report accesses to memory
	op             op.Op     // reused
	cases          []op.Case // reused
	tasks          origins
	tests          []string // that tasks belong to; the first one is none
	display        displayNames
	symbols        Symbols
	guest          *goroutine // if what w.op's task runs for a library is not known
	stacks         stacks
	nextIsLock     bool            // the next reported transfer locks or unlocks a channel
	beforeLearning operationClocks // knowledge of the goroutine that learnt last, before it did
	endedTasks     []op.Task       // of contexts that have ended, plus 1, if accesses are reported
	forgetAt       int32           // the number of tasks when some are forgotten next
	// the operations of ended goroutines, for finalizers; empty unless hasFinalizers
	ended       causalKnowledge
	lateLoaders lateLoaders
	env         int32 // anonymous tasks so far, while there is no env to name them

	finalizations []finalization // the oldest one first
	memory        memory         // unless the program finds conflicts itself
	endedMoments  endedMoments

	// timers are the channels of timers.
	timers map[uint64]op.Object
}

func newWatch(opt *Options) *watch {
	return &watch{
		watcher: opt.Watch, accesses: opt.Accesses, timers: map[uint64]op.Object{}, tests: []string{""},
		symbols: opt.Symbols, forgetAt: cmp.Or(opt.ForgetAfter, rarelyForgotten),
	}
}

// unwatch ends the reporting of operations.
func (p *Order) unwatch(why string) {
	if p.watch != nil && p.stats.Unwatched == "" {
		p.watch.watcher = op.Discard
		p.stats.Unwatched = why
	}
}

// numberOperation numbers an operation of g: by its record (see countRecord), or by the next number
// if the record has more than one operation. With its first operation g becomes a task.
func (p *Order) numberOperation(g *goroutine) {
	if p.present(g); g.self == op.NoTask {
		g.know.ops.fold()
		return
	}
	if g.know.ops.k >= math.MaxInt32-1 {
		p.unwatch("a task has more than 2^31 operations")
		return
	}
	g.know.ops.k = max(g.know.ops.k+1, g.records)
}

// present ensures that g, which may be nil, is a task if it can be one: otherwise the knowledge
// that it learns before would be mixed with its own operations, in all orders.
func (p *Order) present(g *goroutine) {
	if g != nil && g.self == op.NoTask && !g.system {
		p.introduce(g)
	}
}

// introduce makes a task of a goroutine that the program has not started.
func (p *Order) introduce(g *goroutine) {
	w := p.watch
	w.env++
	n := w.env
	if p.hasName(g) {
		n = int32(g.origin.n)
	}
	g.self = p.newSelf(taskOrigin{by: op.NoTask, n: n, entry: g.entry})
	g.know.ops.fold()
	g.know.ops.task, g.know.ops.past = g.self, &history{witness: op.NoTask}
}

func (p *Order) newSelf(from taskOrigin) op.Task {
	w := p.watch
	if w.tasks.count == math.MaxInt32 {
		p.unwatch("the run has more than 2^31 tasks")
		return 0
	}
	return w.tasks.add(from)
}

// beginOp makes w.op an operation of g with its present number.
func (w *watch) beginOp(g *goroutine, kind op.Kind) *op.Op {
	know := &g.know.ops
	o := &w.op
	*o = op.Op{} // in place: a copy would wait for the fields that have just been written
	o.Kind, o.Task, o.Other = kind, g.self, op.NoTask
	if g.library != "" {
		w.guest = g
	}
	w.setKnowledge(know)
	if g.self != op.NoTask {
		o.K = know.k
	}
	return o
}

// setKnowledge sets what w.op's task knows.
func (w *watch) setKnowledge(know *operationClocks) {
	w.op.Full, w.op.Free = know.clocks[inFull], know.clocks[inFree]
	if w.accesses {
		w.op.Data = know.clocks[inData]
	}
}

func (w *watch) report() {
	if w.guest != nil {
		w.noteEntered()
	}
	w.watcher.Op(&w.op)
}

// syncKinds are the operations of records that carry one.
var syncKinds = [ring.OpCount]op.Kind{
	ring.OpLock: op.Lock, ring.OpUnlock: op.Unlock, ring.OpRLock: op.RLock, ring.OpRUnlock: op.RUnlock,
	ring.OpDone: op.Done, ring.OpAdd: op.Add, ring.OpWait: op.Wait, ring.OpCondWait: op.CondWait,
	ring.OpSignal: op.Signal, ring.OpBroadcast: op.Broadcast, ring.OpOnce: op.Once,
	ring.OpTimer: op.Arm, ring.OpStop: op.Stop, ring.OpOnceLock: op.Lock, ring.OpOnceUnlock: op.Unlock,
}

func (p *Order) reportSync(g *goroutine, rec *ring.Record) {
	p.numberOperation(g)
	kind := syncKinds[rec.Op()]
	switch {
	case kind == op.None: // internal to the library, or of a Pool
		return
	case kind == op.Arm || kind == op.Stop:
		p.reportTimer(g, rec, kind)
		return
	}
	addr, c := p.subject(rec)
	o := p.watch.beginOp(g, kind)
	o.Object = op.Object(p.identify(addr, c).name)
	o.At = p.watch.stacks.place(&rec.PC)
	waited := g.waited
	g.waited = 0
	switch kind {
	case op.Lock, op.RLock:
		o.Arg, o.Begin = rec.Delta(), p.watch.beforeLearning.clocks[inFull]
		if waited != 0 {
			o.At = p.watch.relockPlace(rec, o.At, waited)
		}
	case op.Unlock, op.RUnlock:
		o.Begin = p.watch.beforeLearning.clocks[inFull]
	case op.Signal, op.Broadcast:
		o.Arg = rec.Delta()
	case op.Add:
		o.Arg = max(1, rec.Delta())
	case op.Done:
		o.Arg, o.Begin = min(-1, rec.Delta()), p.watch.beforeLearning.clocks[inFull]
		o.Before, o.BeforeData = p.clocksOf(&p.watch.beforeLearning)
	case op.Once:
		if rec.Kind == ring.KindRelease {
			o.Arg = 1
		} else {
			o.Before, o.BeforeData = p.clocksOf(&p.watch.beforeLearning)
		}
	case op.Wait, op.CondWait:
		o.Kind = op.CondWait
		if c == classWaitGroup {
			o.Kind, o.Begin = op.Wait, p.watch.beforeLearning.clocks[inFull]
			o.Before, o.BeforeData = p.clocksOf(&p.watch.beforeLearning)
		} else {
			g.waited = o.At
		}
	}
	p.watch.report()
}

// relockPlace returns the place of a lock, which its record has as at, of a goroutine whose last
// operation was the Wait of a Cond at waited. The calls by which Wait locks a Mutex again may take
// up all addresses of the record. Those that lead to Wait are the same as before.
func (w *watch) relockPlace(rec *ring.Record, at, waited op.Place) op.Place {
	last := rec.PC[len(rec.PC)-1]
	if last == 0 || w.symbols == nil {
		return at
	}
	inWait := false
	for c := range w.symbols.Calls([]uint64{last}) {
		inWait = c.Function == "sync.(*Cond).Wait"
	}
	if !inWait {
		return at
	}
	return w.stacks.number(append(rec.AppendStack(nil), w.stacks.addresses(waited)[1:]...))
}

// reportTimer reports that a timer is armed or stopped. Arming one that starts a function is a go
// statement; see reportArm.
func (p *Order) reportTimer(g *goroutine, rec *ring.Record, kind op.Kind) {
	w := p.watch
	if kind == op.Arm {
		if rec.Kind != ring.KindRelease {
			return // a goroutine that has slept
		}
		delete(w.timers, rec.Addr)
		if rec.Aux == 0 || rec.Aux == rec.Addr {
			return
		}
		w.timers[rec.Addr] = op.Object(p.identify(rec.Aux, classChan).name)
	}
	object, ok := w.timers[rec.Addr]
	if !ok {
		object = op.Object(p.identify(rec.Addr, classTimer).name)
	}
	o := w.beginOp(g, kind)
	o.Object, o.At, o.Arg = object, w.stacks.place(&rec.PC), rec.Delta()
	w.report()
}

// chanKinds are the operations of records of channels and atomic variables.
var chanKinds = [ring.KindCount]op.Kind{
	ring.KindSend: op.Send, ring.KindRecv: op.Recv, ring.KindClose: op.Close, ring.KindRecvClosed: op.RecvClosed,
	ring.KindAtomicLoad: op.AtomicLoad, ring.KindAtomicStore: op.AtomicStore, ring.KindAtomicRMW: op.AtomicStore,
}

func (p *Order) reportChannel(g *goroutine, rec *ring.Record) {
	p.numberOperation(g)
	inCase := rec.Op() == ring.OpSelect || g.selecting
	g.selecting = false
	if rec.Kind == ring.KindRecvClosed && rec.Op() == ring.OpSend {
		return // it is reported as a misuse
	}
	o := p.watch.beginOp(g, chanKinds[rec.Kind])
	o.Object = op.Object(p.identify(rec.Addr, classChan).name)
	o.At = p.watch.stacks.place(&rec.PC)
	o.InCase = inCase
	switch rec.Kind {
	case ring.KindSend, ring.KindRecv:
		o.Arg = int64(rec.Aux)
		o.Locking, p.watch.nextIsLock = p.watch.nextIsLock, false
		fallthrough
	case ring.KindRecvClosed:
		o.Begin = p.watch.beforeLearning.clocks[inFull]
		o.Before, o.BeforeData = p.clocksOf(&p.watch.beforeLearning)
	}
	p.watch.report()
}

// clocksOf returns the clocks of know in the orders free and data; data is nil if it is not in use.
func (p *Order) clocksOf(know *operationClocks) (free, data *clock.Clock) {
	if p.opt.Accesses {
		data = know.clocks[inData]
	}
	return know.clocks[inFree], data
}

func (p *Order) reportAtomic(g *goroutine, rec *ring.Record) {
	p.numberOperation(g)
	o := p.watch.beginOp(g, chanKinds[rec.Kind])
	o.Address, o.At = rec.Addr, p.watch.stacks.place(&rec.PC)
	switch rec.Kind {
	case ring.KindAtomicLoad:
		o.Begin = p.watch.beforeLearning.clocks[inFull]
	case ring.KindAtomicRMW:
		o.Arg = 1
	}
	p.watch.report()
}

// outside returns who is no goroutine of the program, and knows nothing.
func outside() *goroutine { return &goroutine{self: op.NoTask, system: true} }

// reportHandoff reports a transfer, and exchanges the knowledge of both sides. One of them may be
// nil.
func (p *Order) reportHandoff(sender, receiver *goroutine, rec *ring.Record) {
	hasSender, hasReceiver := sender != nil, receiver != nil
	if !hasReceiver {
		receiver = outside()
	}
	if !hasSender {
		sender = outside()
	}
	p.numberOperation(sender)
	p.numberOperation(receiver)
	sent, received := sender.know.ops, receiver.know.ops
	if hasSender && hasReceiver {
		sender.know.ops.exchange(&p.know.clocks, &receiver.know.ops)
	}
	o := p.watch.beginOp(sender, op.Handoff)
	if !hasSender {
		p.watch.setKnowledge(&received)
	}
	o.Begin = sent.clocks[inFull]
	o.Before, o.BeforeData = p.clocksOf(&sent)
	o.Object = op.Object(p.identify(rec.Addr, classChan).name)
	o.At = p.watch.stacks.place(&[ring.PCs]uint64{rec.PC[sendPC]})
	o.InCase = sender.selecting
	o.Other = receiver.self
	if receiver.self != op.NoTask {
		o.OtherK = receiver.know.ops.k
	}
	o.OtherBegin = received.clocks[inFull]
	o.OtherBefore, o.OtherBeforeData = p.clocksOf(&received)
	o.OtherAt = p.watch.stacks.place(&[ring.PCs]uint64{rec.PC[recvPC]})
	sender.selecting, receiver.selecting = false, false
	p.watch.report()
}

// reportGo reports that g starts child, which learns g's knowledge.
func (p *Order) reportGo(g, child *goroutine, rec *ring.Record) {
	p.beget(g, child, rec)
	p.watch.report()
}

// reportStart is reportGo where one of the two may be the runtime's own.
func (p *Order) reportStart(g, started *goroutine, rec *ring.Record) {
	if g.system || started.system {
		p.numberOperation(g)
		started.know.ops = g.know.ops
		return
	}
	p.reportGo(g, started, rec)
}

// reportArm reports that a timer will start child.
func (p *Order) reportArm(g, child *goroutine, rec *ring.Record) {
	child.timer = p.identify(rec.Addr, classTimer).name
	o := p.beget(g, child, rec)
	o.Arg, o.Object = 1, op.Object(child.timer)
	p.watch.report()
}

func (p *Order) beget(g, child *goroutine, rec *ring.Record) *op.Op {
	w := p.watch
	p.numberOperation(g)
	at := w.stacks.place(&rec.PC)
	if child.origin == nil {
		g.goes++ // elsewhere nextChild does
	}
	test := w.testOf(g.self)
	child.self = p.newSelf(taskOrigin{by: g.self, n: int32(g.goes), entry: rec.Aux, at: at, test: test})
	child.library = p.beginsInLibrary(rec.Aux, at)
	child.know.ops = operationClocks{task: child.self}
	child.know.ops.learn(&p.know.clocks, &g.know.ops, synchronises)
	child.know.ops.past = g.know.ops.childHistory(&child.know.ops)
	o := w.beginOp(g, op.Go)
	o.Other, o.At = child.self, at
	return o
}

// reportFire reports that the function of a timer begins, on child.
func (p *Order) reportFire(g, child *goroutine) {
	o := p.watch.beginOp(g, op.Fire)
	o.Other, o.Object = child.self, op.Object(child.timer)
	p.watch.setKnowledge(&child.know.ops)
	p.watch.report()
}

// reportEnd reports that g ends, or that the function of its timer will not run.
func (p *Order) reportEnd(g *goroutine) {
	if g.self == op.NoTask {
		return
	}
	p.numberOperation(g)
	g.know.ops.past.noteEnd()
	p.watch.beginOp(g, op.End)
	p.watch.report()
}

// reportRecord reads the records that only the watcher needs.
func (p *Order) reportRecord(g *goroutine, rec *ring.Record) {
	switch rec.Kind {
	case ring.KindBlock:
		p.reportBlock(g, rec)
	case ring.KindSelect:
		p.reportSelect(g, rec)
	case ring.KindStarted:
		p.reportPlain(g, rec, op.Main, 0, int64(rec.Arg&1))
	case ring.KindLeft:
		p.reportPlain(g, rec, op.Left, 0, int64(rec.Arg&1))
	case ring.KindOutside:
		p.reportPlain(g, rec, op.Outside, op.Object(p.identify(rec.Addr, classChan).name), int64(rec.Arg&1))
	case ring.KindRead, ring.KindWrite:
		p.reportAccess(g, rec)
	case ring.KindCopy:
		p.reportCopy(g, rec)
	}
}

func (p *Order) reportPlain(g *goroutine, rec *ring.Record, kind op.Kind, object op.Object, n int64) {
	p.numberOperation(g)
	o := p.watch.beginOp(g, kind)
	o.At, o.Object, o.Arg = p.watch.stacks.place(&rec.PC), object, n
	p.watch.report()
}

// misused is the class of object of each misuse.
var misused = [ring.MisuseCount]class{
	ring.MisuseSendClosed: classChan, ring.MisuseCloseClosed: classChan, ring.MisuseCloseNil: classChan,
	ring.MisuseCounter: classWaitGroup, ring.MisuseWaitReuse: classWaitGroup,
	ring.MisuseUnlock: classMutex, ring.MisuseRUnlock: classRWMutex, ring.MisusePanic: classNone,
}

func (p *Order) reportMisuse(g *goroutine, rec *ring.Record) {
	if rec.Arg == 0 || rec.Arg >= ring.MisuseCount {
		p.Corrupt(rec, "of an unknown misuse")
		return
	}
	p.numberOperation(g)
	p.readCases(rec)
	o := p.watch.beginOp(g, op.Misuse)
	o.Object, o.Arg = p.waitObject(rec.Addr, misused[rec.Arg]), int64(rec.Arg)
	o.At = p.watch.stacks.longPlace(rec)
	p.watch.report()
}

// reportFree reports that an object has been freed.
func (p *Order) reportFree(o *object) {
	w := p.watch
	delete(w.timers, o.addr)
	if o.name.class() == classNone {
		return
	}
	w.op = op.Op{Kind: op.Free, Task: op.NoTask, Other: op.NoTask, Object: op.Object(o.name)}
	w.report()
}

// time reports for how long the run has lasted.
func (p *Order) time(rec *ring.Record) {
	const most = math.MaxInt64 / uint64(time.Millisecond)
	switch {
	case rec.Aux > most:
		p.Corrupt(rec, "of a time in the far future")
	case p.watch != nil:
		elapsed := time.Duration(rec.Aux) * time.Millisecond
		p.watch.op = op.Op{Kind: op.Time, Task: op.NoTask, Other: op.NoTask, Arg: int64(elapsed)}
		p.watch.report()
	}
}

// check reports what a check has found: of a goroutine, or of all. If a goroutine has not become a
// task, its wait was not reported either.
func (p *Order) check(rec *ring.Record) {
	o := op.Op{Kind: op.Checked, Task: op.NoTask, Other: op.NoTask, Arg: int64(rec.Arg)}
	count := uint64(ring.CheckCount)
	if rec.Kind == ring.KindCutOff {
		g := p.goroutines.get(rec.Addr)
		if g == nil || g.self == op.NoTask {
			return
		}
		o.Kind, o.Other, count = op.CutOff, g.self, ring.CutOffCount
	}
	switch {
	case rec.Arg >= count:
		p.Corrupt(rec, "of an unknown outcome")
	case p.watch != nil:
		p.watch.op = o
		p.watch.report()
	}
}
