package causality

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// Options select the events to keep and the operations to report.
type Options struct {
	// Full keeps every operation of the program on channels, locks, atomics and so on as an event,
	// except the atomics that the standard library uses for itself.
	Full bool

	// Sparse leaves out goroutines without kept events; see Tasks in the documentation of the
	// package. Full overrules it.
	Sparse bool

	// Sections removes the order of the critical sections of locks from the kept events: each lock
	// and unlock of a Mutex or RWMutex by the program is an event, which shows which sections
	// exclude each other. Locks of the standard library, and those that it shares with the program,
	// keep the order of the run. Watch is unaffected.
	Sections bool

	// Outcomes orders whoever changes the state of a channel or lock after failed attempts that
	// have shown that state. Orders of calls and returns need that; see outcome.go.
	Outcomes bool

	// Env says that goroutines which the program has not started are children of an initial task
	// "env".
	Env bool

	// Watch receives the operations of the run. Without it operations cost nothing.
	Watch op.Watcher

	// ForgetAfter is how many tasks begin at least until those are forgotten that have ended and
	// that nothing speaks of any more, if Watch is an op.Forgetter; 0 is 65,536.
	ForgetAfter int32

	// Accesses includes conflicting accesses to memory in the operations, and so keeps the order of
	// Go's memory model.
	Accesses bool

	// Symbols names places in the code. Without it events carry no positions and function names.
	Symbols Symbols

	// Keep receives each kept event, which is reused.
	Keep func(*event.Event) error

	// Traced receives the records of traced functions and variables, in their order with the
	// others. It may keep events: see Event.
	Traced func(*ring.Record)

	// Reads, if it is not nil, receives each record before it is read, which may be later than it
	// is fed: see postponed. It must not retain the record. Of an element that is sent the record
	// has only the part that is of use: see simplify.
	Reads func(*ring.Record)
}

// Stats counts errors.
type Stats struct {
	// records that made no sense, and events that could not be written: a trace with any supports
	// no verdict
	Corrupt uint64
	First   string // the reason for the first of these

	Unwatched string // why Options.Watch lacks operations, "" if it has all
	// the first place of a race, since reads may have seen other values; "" if there is none
	Open string
}

// Order orders the operations of the goroutines of a run. It is not safe for concurrent use.
type Order struct {
	opt    Options
	sparse bool // the trace is
	places placeCache

	tasks      int32 // created so far, including initial ones; the next one's index
	goroutines registry
	ended      []known // knowledge of ended goroutines, for finalizers; empty without env
	// the parent of tasks that no event of another task creates; nil if there are none
	env       *goroutine
	timers    map[uint64]*goroutine
	postponed postponed
	simple    ring.Record // made by simplify
	replaced  bool        // another program has replaced this one: the process continues unseen

	watch *watch // nil: operations are not reported, or no longer
	named *watch // has the names in reported operations; nil if none were requested

	know    knowledge
	objects objects
	// connections with one closed end, the first to be closed first
	halfClosed []halfClosed
	labels     [classCount]int // names given so far, by class of object

	ev    event.Event // the event being written; reused
	stats Stats
	err   error
}

// New returns the Order of a run before its first record.
func New(opt Options) *Order {
	p := &Order{opt: opt, sparse: opt.Sparse && !opt.Full, timers: map[uint64]*goroutine{}}
	if opt.Watch != nil {
		p.watch = newWatch(&opt)
		p.named = p.watch
	}
	p.goroutines.add(mainCtx, p.initial(MainTask))
	if opt.Env || p.sparse {
		p.env = p.initial(envName)
	}
	return p
}

// initial creates an initial task and returns its goroutine.
func (p *Order) initial(name string) *goroutine {
	g := &goroutine{task: p.newTask(name), origin: &origin{name: name}, self: op.NoTask}
	if p.watch != nil && name == MainTask {
		g.self = p.newSelf(taskOrigin{by: op.NoTask})
		g.know.ops.past = &history{witness: op.NoTask}
	}
	return g
}

// InitialTasks returns the names of the tasks that exist from the beginning.
func (p *Order) InitialTasks() []string {
	if p.env == nil {
		return []string{MainTask}
	}
	return []string{MainTask, envName}
}

func (p *Order) Stats() Stats { return p.stats }

// TaskName returns the name of a goroutine as a task, "" if there is no such goroutine or it has no
// name yet.
func (p *Order) TaskName(ctx uint64) string {
	g := p.goroutines.get(ctx)
	if g == nil || g.origin == nil {
		return ""
	}
	return g.origin.String()
}

// Goroutine returns the number of the goroutine with that TaskName, 0 if there is none or it has
// ended.
func (p *Order) Goroutine(name string) uint64 {
	return p.goroutines.find(func(g *goroutine) bool { return g.origin != nil && g.origin.String() == name })
}

// IsNameless reports whether ctx is a goroutine that the program has not started, and that has done
// nothing so far.
func (p *Order) IsNameless(ctx uint64) bool {
	g := p.goroutines.get(ctx)
	return g != nil && g.origin == nil
}

// GiveName names a goroutine that the program has not started, as an event of it would.
func (p *Order) GiveName(ctx uint64) {
	if g := p.goroutines.get(ctx); g != nil {
		p.hasName(g)
	}
}

// TaskOf returns the task of a goroutine in operations, NoTask if it is none (yet) or has ended.
func (p *Order) TaskOf(ctx uint64) op.Task {
	if g := p.goroutines.get(ctx); g != nil {
		return g.self
	}
	return op.NoTask
}

// ObjectAt returns the object at an address, 0 if no operation was on it.
func (p *Order) ObjectAt(addr uint64) op.Object {
	if o := p.objects.find(addr); o != nil {
		return op.Object(o.name)
	}
	return 0
}

// maxSkipped is the maximum number of records of a goroutine.
const maxSkipped = 1 << 30

// Skip counts records of a goroutine that are not fed.
func (p *Order) Skip(ctx, n uint64) {
	if g := p.goroutines.get(ctx); g != nil {
		g.records += int32(min(n, maxSkipped))
	}
}

// Count counts a record of a goroutine that is not fed, just before its event is kept.
func (p *Order) Count(ctx uint64) {
	if g := p.goroutines.get(ctx); g != nil {
		p.count(g)
	}
}

// Feed reads one record and keeps the events that it completes. An error is that of Options.Keep,
// or says that the run has become too large; Feed returns it from then on.
func (p *Order) Feed(rec *ring.Record) error {
	if p.err == nil && (p.postponed.lock == 0 || !p.postpone(rec)) {
		p.read(rec)
	}
	return p.err
}

// Finish reads the records that wait for one that has not come. Goroutines that have not ended stay
// so: only the process has ended.
func (p *Order) Finish() error {
	err := p.Idle()
	if p.replaced {
		p.countGap("the program replaced itself by another one (syscall.Exec), which is not traced: trace that one " +
			"instead")
	}
	return err
}

// read reads a record that need not wait for others.
func (p *Order) read(rec *ring.Record) {
	g := p.goroutines.get(rec.Ctx)
	// otherwise the context may be unknown, or elements are not used
	if g != nil && (p.opt.Reads != nil || p.opt.Sections) {
		rec = p.simplify(rec)
	}
	if p.opt.Reads != nil {
		p.opt.Reads(rec)
	}
	if p.watch != nil {
		p.countRecord(g, rec)
	}
	if g == nil {
		p.readStray(rec)
		return
	}
	if p.watch != nil && g.self == op.NoTask && operates(rec.Kind) {
		p.present(g)
	}
	switch rec.Kind {
	case ring.KindGo:
		p.goStatement(g, rec)
	case ring.KindEnd:
		p.endGoroutine(g)
		p.goroutines.remove(rec.Ctx)
		switch {
		case p.watch == nil:
		case p.opt.Accesses:
			p.watch.keepTask(rec.Ctx, g.self)
			p.retire(rec.Ctx, g)
		default:
			if rec.Arg&ring.EndLate != 0 {
				p.retireLoader(rec.Ctx, g)
			}
			if p.watch.tasks.count >= p.watch.forgetAt {
				p.forget()
			}
		}
	case ring.KindCtxStart:
		p.systemStart(g, rec)
	case ring.KindThreadStart:
		p.threadStart(rec)
	case ring.KindTimerArm:
		p.timerArm(g, rec)
	case ring.KindMakeChan:
		p.makeChan(g, rec)
	case ring.KindSend:
		p.readTransfer(g, rec, "send")
	case ring.KindRecv:
		p.readTransfer(g, rec, "recv")
	case ring.KindHandoff:
		p.handoff(g, rec)
	case ring.KindClose:
		p.closeChan(g, rec)
	case ring.KindRecvClosed:
		p.recvClosed(g, rec)
	case ring.KindAcquire:
		p.acquire(g, rec)
	case ring.KindRelease, ring.KindReleaseMerge:
		p.release(g, rec)
	case ring.KindReleaseAcquire:
		p.acquireRelease(g, rec)
	case ring.KindMark:
		p.mark(g, rec)
	case ring.KindAtomicLoad:
		p.atomicLoad(g, rec)
	case ring.KindAtomicStore:
		p.atomicStore(g, rec, "store")
	case ring.KindAtomicRMW:
		p.atomicStore(g, rec, "cas")
	case ring.KindTry:
		p.readTry(g, rec)
	case ring.KindFinGo:
		p.finalizers(g)
	case ring.KindEnter, ring.KindExit, ring.KindStmt, ring.KindSharedInit:
		p.opt.Traced(rec)
	case ring.KindExec:
		p.replaced = rec.Arg != 0
	case ring.KindMisuse:
		p.misuse(g, rec)
	case ring.KindBlock, ring.KindSelect, ring.KindStarted, ring.KindLeft, ring.KindOutside,
		ring.KindRead, ring.KindWrite, ring.KindCopy:
		if p.watch != nil { // the trace does not have it
			p.reportRecord(g, rec)
		}
	case ring.KindFree:
		p.free(rec)
	case ring.KindCutOff, ring.KindChecked:
		p.check(rec)
	case ring.KindTime:
		p.time(rec)
	case ring.KindLateLoad:
		p.lateLoad(rec)
	case ring.KindTest:
		if p.watch != nil {
			p.noteTest(g, rec)
		}
	default:
		p.Corrupt(rec, "of an unknown kind")
	}
}

// readStray reads a record of a context that was never introduced.
func (p *Order) readStray(rec *ring.Record) {
	switch {
	case rec.Kind == ring.KindThreadStart:
		p.threadStart(rec)
	case rec.Kind == ring.KindHandoff && rec.Ctx == 0:
		p.handoff(nil, rec)
	case rec.Kind == ring.KindFree:
		p.free(rec)
	case rec.Kind == ring.KindCutOff, rec.Kind == ring.KindChecked:
		p.check(rec)
	case rec.Kind == ring.KindTime:
		p.time(rec)
	case rec.Ctx != 0:
		p.Corrupt(rec, "of an unknown goroutine")
	case rec.Kind == ring.KindGo, rec.Kind == ring.KindCtxStart:
		p.systemStart(nil, rec) // started by the runtime itself
	}
	// Other actions of the runtime on no goroutine's behalf order nothing.
}

// operates reports whether records of a kind are synchronisation by a goroutine.
func operates(k ring.Kind) bool {
	switch k {
	case ring.KindEnd, ring.KindCtxStart, ring.KindThreadStart, ring.KindEnter, ring.KindExit, ring.KindStmt,
		ring.KindSharedInit, ring.KindFree, ring.KindCutOff, ring.KindChecked, ring.KindTime:
		return false
	}
	return true
}

// Corrupt counts a record that makes no sense, or that cannot become an event.
func (p *Order) Corrupt(rec *ring.Record, reason string) {
	p.countGap(fmt.Sprintf("record %d (%s by context %d): %s", rec.Index, rec.Kind, rec.Ctx, reason))
}

// countGap counts a gap in the trace.
func (p *Order) countGap(why string) {
	p.stats.Corrupt++
	p.stats.First = cmp.Or(p.stats.First, why)
}

var errTooMany = errors.New("a task has more than 2^31-2 events, or the run has as many tasks: use a specification " +
	"that names less")
