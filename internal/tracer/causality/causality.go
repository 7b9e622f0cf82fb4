package causality

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// Options selects what is kept and what is told.
type Options struct {
	// Full keeps every operation of the program on channels, locks, atomics and so on as an event, except the atomics that the
	// standard library uses for itself.
	Full bool

	// Sparse leaves out goroutines of which nothing is kept; see Tasks in the documentation of the package. Full overrules it.
	Sparse bool

	// Sections has the critical sections of locks order nothing among the kept events: each lock and unlock of a Mutex or RWMutex by the
	// program is an event, from which follows which of them exclude each other. Locks of the standard library, and those that it
	// uses together with the program, order as in the run. It does not change what Watch is told.
	Sections bool

	// Env says that goroutines that nobody in the program started are children of an initial task "env".
	Env bool

	// Watch is told the operations of the run. With nil there are none, and they cost nothing.
	Watch op.Watcher

	// Accesses says that conflicting accesses to memory may be told, for which the order of Go's memory model is kept, too.
	Accesses bool

	// Symbols names places in the code. Without it events carry no positions and function names.
	Symbols Symbols

	// Keep is given each kept event, which is reused.
	Keep func(*event.Event) error

	// Traced is given the records of traced functions and variables, in their order with the others. It may have events kept:
	// see Event.
	Traced func(*ring.Record)

	// Reads, if it is not nil, is given each record before it is read, which may be later than it is fed: see postponed. It must not retain
	// the record, which says no more than is of use of an element that is sent: see simplify.
	Reads func(*ring.Record)
}

// Stats counts what went wrong.
type Stats struct {
	Corrupt uint64 // records that made no sense, and events that could not be written: a trace with any supports no verdict
	First   string // what was wrong with the first of these

	Unwatched string // why Options.Watch has not been told everything, "" if it has
	Open      string // the first place that comes upon a race, so that reads may have seen something else; "" if there is none
}

// Order orders what the goroutines of a run do. It is not safe for concurrent use.
type Order struct {
	opt    Options
	sparse bool // the trace is
	places placeCache

	tasks      int32 // created so far, initial ones included; the next one's index
	goroutines registry
	ended      []known    // what ended goroutines knew, for finalizers; empty without env
	env        *goroutine // the parent of tasks that no event of another one creates; nil if there are none
	timers     map[uint64]*goroutine
	postponed  postponed
	simple     ring.Record // made by simplify
	replaced   bool        // the program, by another one: the process goes on and is not seen

	watch *watch // nil: the operations of the run are not told, or no more
	named *watch // has the names of those that were told; nil if none were to be

	know    knowledge
	objects objects
	labels  [classCount]int // names given so far, by class of object

	ev    event.Event // the event being written; reused
	stats Stats
	err   error
}

// New returns the Order of a run of which nothing has been read.
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

// initial returns the goroutine of an initial task.
func (p *Order) initial(name string) *goroutine {
	g := &goroutine{task: p.newTask(name), origin: &origin{name: name}, self: op.NoTask}
	if p.watch != nil && name == MainTask {
		g.self = p.newSelf(taskOrigin{by: op.NoTask})
		g.know.ops.past = &history{witness: op.NoTask}
	}
	return g
}

// InitialTasks are the names of the tasks that are there from the beginning.
func (p *Order) InitialTasks() []string {
	if p.env == nil {
		return []string{MainTask}
	}
	return []string{MainTask, envName}
}

// Stats returns what was counted so far.
func (p *Order) Stats() Stats { return p.stats }

// TaskName is the name that a goroutine has as a task, "" if there is none of that number, or it
// has done nothing that gives it a name.
func (p *Order) TaskName(ctx uint64) string {
	g := p.goroutines.get(ctx)
	if g == nil || g.origin == nil {
		return ""
	}
	return g.origin.String()
}

// Goroutine is the number of the goroutine that TaskName gives that name, 0 if there is none, or it has ended.
func (p *Order) Goroutine(name string) uint64 {
	return p.goroutines.find(func(g *goroutine) bool { return g.origin != nil && g.origin.String() == name })
}

// IsNameless reports whether there is a goroutine that nobody in the program started, and that has done nothing so far.
func (p *Order) IsNameless(ctx uint64) bool {
	g := p.goroutines.get(ctx)
	return g != nil && g.origin == nil
}

// GiveName gives a goroutine that nobody in the program started its name, as an event of it does.
func (p *Order) GiveName(ctx uint64) {
	if g := p.goroutines.get(ctx); g != nil {
		p.hasName(g)
	}
}

// TaskOf returns the task of operations that a goroutine is, NoTask if it is none (yet) or has ended.
func (p *Order) TaskOf(ctx uint64) op.Task {
	if g := p.goroutines.get(ctx); g != nil {
		return g.self
	}
	return op.NoTask
}

// ObjectAt returns the object at an address, 0 if operations have had none there.
func (p *Order) ObjectAt(addr uint64) op.Object {
	if o := p.objects.at(addr); o != nil {
		return op.Object(o.name)
	}
	return 0
}

// maxSkipped is as many records as a goroutine can have.
const maxSkipped = 1 << 30

// Skip counts records that a goroutine has written and that are not fed.
func (p *Order) Skip(ctx, n uint64) {
	if g := p.goroutines.get(ctx); g != nil {
		g.records += int32(min(n, maxSkipped))
	}
}

// Count counts a record that a goroutine has written and that is not fed, when what it leads to is about to be kept.
func (p *Order) Count(ctx uint64) {
	if g := p.goroutines.get(ctx); g != nil {
		p.count(g)
	}
}

// Feed reads one record and keeps the events that it completes. An error is that of Options.Keep, or says that the run has become
// too large; Feed returns it from then on.
func (p *Order) Feed(rec *ring.Record) error {
	if p.err == nil && (p.postponed.object == 0 || !p.postpone(rec)) {
		p.read(rec)
	}
	return p.err
}

// Finish reads what waits for a record that has not come. Goroutines that have not ended stay as they are: the process has ended,
// they have not.
func (p *Order) Finish() error {
	err := p.Idle()
	if p.replaced {
		p.missing("the program replaced itself by another one (syscall.Exec), which is not traced: trace that one instead")
	}
	return err
}

// read reads a record that need not wait for others.
func (p *Order) read(rec *ring.Record) {
	g := p.goroutines.get(rec.Ctx)
	if g != nil && (p.opt.Reads != nil || p.opt.Sections) { // else it may be of nobody, or nobody asks for elements
		rec = p.simplify(rec)
	}
	if p.opt.Reads != nil {
		p.opt.Reads(rec)
	}
	if p.watch != nil {
		p.countRecord(g, rec)
	}
	if g == nil {
		p.stray(rec)
		return
	}
	if p.watch != nil && g.self == op.NoTask && operates(rec.Kind) {
		p.present(g)
	}
	switch rec.Kind {
	case ring.KindGo:
		p.goStatement(g, rec)
	case ring.KindEnd:
		p.end(g)
		p.goroutines.remove(rec.Ctx)
		if p.watch != nil {
			p.watch.remember(rec.Ctx, g.self)
			p.retire(rec.Ctx, g)
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
		p.transfer(g, rec, "send")
	case ring.KindRecv:
		p.transfer(g, rec, "recv")
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
		p.try(g, rec)
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
		if p.watch != nil { // not for the trace
			p.tellRecord(g, rec)
		}
	case ring.KindFree:
		p.free(rec)
	default:
		p.Corrupt(rec, "of an unknown kind")
	}
}

// stray reads a record of a context that no record has introduced.
func (p *Order) stray(rec *ring.Record) {
	switch {
	case rec.Kind == ring.KindThreadStart:
		p.threadStart(rec)
	case rec.Kind == ring.KindHandoff && rec.Ctx == 0:
		p.handoff(nil, rec)
	case rec.Kind == ring.KindFree:
		p.free(rec)
	case rec.Ctx != 0:
		p.Corrupt(rec, "of an unknown goroutine")
	case rec.Kind == ring.KindGo, rec.Kind == ring.KindCtxStart:
		p.systemStart(nil, rec) // started by the runtime itself
	}
	// Whatever else the runtime does on no goroutine's behalf orders nothing.
}

// operates reports whether a record of a kind is of something that a goroutine does to synchronise.
func operates(k ring.Kind) bool {
	switch k {
	case ring.KindEnd, ring.KindCtxStart, ring.KindThreadStart, ring.KindEnter, ring.KindExit, ring.KindStmt, ring.KindSharedInit, ring.KindFree:
		return false
	}
	return true
}

// Corrupt counts a record that makes no sense, or that cannot be told as an event.
func (p *Order) Corrupt(rec *ring.Record, reason string) {
	p.missing(fmt.Sprintf("record %d (%s by context %d): %s", rec.Index, rec.Kind, rec.Ctx, reason))
}

// missing counts something that the trace lacks.
func (p *Order) missing(why string) {
	p.stats.Corrupt++
	p.stats.First = cmp.Or(p.stats.First, why)
}

var errTooMany = errors.New("a task has more than 2^31-2 events, or the run has as many tasks: use a specification that names less")
