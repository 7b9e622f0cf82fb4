package process

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/ring"
	"github.com/antichain-go/antichain/tracer/site"
)

// Options selects what becomes an event.
type Options struct {
	// Full keeps every operation of the program on channels, locks, atomics and so
	// on as an event, except the atomics that the standard library uses for itself;
	// without it they only order the other events.
	Full bool

	// Sparse leaves out goroutines of which nothing but their beginning and end would
	// be kept, and lets the others begin with what is kept of them; see Tasks in the
	// documentation of the package. Full overrules it.
	Sparse bool

	// Env says that goroutines that nobody in the program started may call into it:
	// they are children of an initial task "env". Without it, what such a goroutine
	// does with traced functions is lost and counted.
	Env bool

	// Run, Program, Host and Start are copied into the header.
	Run, Program, Host, Start string

	// Watch is told the operations of the run, of which Process itself then has the names.
	// With nil there are none, and they cost nothing.
	Watch op.Watcher

	// Accesses says that conflicting accesses to memory may be told, for which the order of Go's memory model is kept, too.
	Accesses bool

	// Record puts the operations of the run into the trace, too, with what is known of the code that they lead to; see Operations.
	Record bool

	// Harmless says what stands in the source behind the cases of a select statement, for event.Code: nil if nothing is
	// known, as without the function.
	Harmless func(at string, cases int) [][2]int

	dropped [ring.KindCount]bool // kinds to ignore, for tests that show that each is needed
}

// Stats counts what came in and went out.
type Stats struct {
	Records uint64 // fed
	Events  uint64 // emitted
	Corrupt uint64 // records that made no sense, and events that could not be written: a trace with any supports no verdict
	First   string // what was wrong with the first of these

	Unwatched string // why Options.Watch has not been told everything, "" if it has
}

// Process reads the records of one process. It is not safe for concurrent use.
type Process struct {
	opt     Options
	sparse  bool // the trace is
	table   *site.Table
	sites   []place
	symbols Symbols
	places  placeCache
	header  headerState

	replaced bool // by another program: the process goes on and is not seen

	tasks      int32 // created so far, initial ones included; the next one's index
	goroutines registry
	ended      []*set     // what ended goroutines knew, for finalizers; empty without env
	env        *goroutine // the parent of tasks that no event of another one creates; nil if there are none
	timers     map[uint64]*goroutine
	postponed  postponed

	watch    *watch    // nil: the operations of the run are not told
	recorder *recorder // nil: they are not put into the trace

	know    knowledge
	objects objects
	labels  [classCount]int // names given so far, by class of object

	ev    event.Event // the event being written; reused
	emit  func(*event.Event) error
	stats Stats
	err   error
}

// New returns a Process for a program with that site table. Without symbols events
// carry no positions and function names. A nil table is an empty one.
func New(table *site.Table, symbols Symbols, opt Options) (*Process, error) {
	if table == nil {
		table = new(site.Table)
	}
	sites, err := compileSites(table)
	if err != nil {
		return nil, err
	}
	p := &Process{
		opt: opt, sparse: opt.Sparse && !opt.Full, table: table, sites: sites, symbols: symbols,
		timers: map[uint64]*goroutine{},
	}
	if opt.Watch != nil {
		p.watch = newWatch(opt.Watch)
	}
	if opt.Record {
		p.recorder = newRecorder()
	}
	p.goroutines.add(mainCtx, p.initial(mainName))
	if opt.Env || p.sparse {
		p.env = p.initial(envName)
	}
	return p, p.header.init(table, opt, p.env != nil, p.sparse)
}

// initial returns the goroutine of an initial task.
func (p *Process) initial(name string) *goroutine {
	g := &goroutine{task: p.newTask(name), origin: &origin{name: name}, self: op.NoTask}
	if p.watch != nil && name == mainName {
		g.self = p.newSelf(taskOrigin{by: op.NoTask})
		g.know.ops.past = &history{witness: op.NoTask}
	}
	return g
}

// Header returns the header of the trace, and nil until the initial values of the
// shared variables are known. No event is emitted before that.
func (p *Process) Header() *event.Header {
	if !p.header.ready {
		return nil
	}
	return p.header.h
}

// Stats returns what was counted so far.
func (p *Process) Stats() Stats { return p.stats }

// TaskName is the name that a goroutine has as a task, "" if there is none of that number, or it
// has done nothing that gives it a name.
func (p *Process) TaskName(ctx uint64) string {
	g := p.goroutines.get(ctx)
	if g == nil || g.origin == nil {
		return ""
	}
	return g.origin.String()
}

// Goroutine is the number of the goroutine that TaskName gives that name, 0 if there is none, or it has ended.
func (p *Process) Goroutine(name string) uint64 {
	return p.goroutines.find(func(g *goroutine) bool { return g.origin != nil && g.origin.String() == name })
}

// Feed reads one record and emits the events that it completes. The event is reused:
// emit clones what it keeps. An error is emit's, or says that the trace has become
// too large; Feed returns it from then on.
func (p *Process) Feed(rec *ring.Record, emit func(*event.Event) error) error {
	if p.err != nil {
		return p.err
	}
	p.emit = emit
	p.stats.Records++
	if rec.Kind.Valid() && p.opt.dropped[rec.Kind] {
		return nil
	}
	if p.recorder != nil {
		p.recordOperation(rec)
	}
	if p.postponed.object == 0 || !p.postpone(rec) {
		p.read(rec)
	}
	return p.err
}

// read reads a record that need not wait for others.
func (p *Process) read(rec *ring.Record) {
	g := p.goroutines.get(rec.Ctx)
	if p.watch != nil {
		p.countRecord(g, rec)
	}
	if g == nil {
		p.stray(rec)
		return
	}
	p.dispatch(g, rec)
}

// Finish emits what still waits for the header. Goroutines that have not ended stay
// as they are: the process has ended, they have not.
func (p *Process) Finish(emit func(*event.Event) error) error {
	if p.err != nil {
		return p.err
	}
	if err := p.Idle(emit); err != nil {
		return err
	}
	if p.replaced {
		p.missing("the program replaced itself by another one (syscall.Exec), which is not traced: trace that one instead")
	}
	p.openHeader()
	return p.err
}

// stray reads a record of a context that no record has introduced.
func (p *Process) stray(rec *ring.Record) {
	switch {
	case rec.Kind == ring.KindThreadStart:
		p.threadStart(rec)
	case rec.Kind == ring.KindHandoff && rec.Ctx == 0:
		p.handoff(nil, rec)
	case rec.Kind == ring.KindFree:
		p.free(rec)
	case rec.Ctx != 0:
		p.corrupt(rec, "of an unknown goroutine")
	case rec.Kind == ring.KindGo, rec.Kind == ring.KindCtxStart:
		p.systemStart(nil, rec) // started by the runtime itself
	}
	// Whatever else the runtime does on no goroutine's behalf orders nothing.
}

func (p *Process) dispatch(g *goroutine, rec *ring.Record) {
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
	case ring.KindEnter, ring.KindExit, ring.KindStmt:
		p.atSite(g, rec)
	case ring.KindSharedInit:
		p.sharedInit(rec)
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
		p.corrupt(rec, "of an unknown kind")
	}
}

// operates reports whether a record of a kind is of something that a goroutine does to synchronise.
func operates(k ring.Kind) bool {
	switch k {
	case ring.KindEnd, ring.KindCtxStart, ring.KindThreadStart, ring.KindEnter, ring.KindExit, ring.KindStmt, ring.KindSharedInit, ring.KindFree:
		return false
	}
	return true
}

// corrupt counts a record that makes no sense, or that cannot be told as an event.
func (p *Process) corrupt(rec *ring.Record, reason string) {
	p.missing(fmt.Sprintf("record %d (%s by context %d): %s", rec.Index, rec.Kind, rec.Ctx, reason))
}

// missing counts something that the trace lacks.
func (p *Process) missing(why string) {
	p.stats.Corrupt++
	p.stats.First = cmp.Or(p.stats.First, why)
}

var errTooMany = errors.New("a task has more than 2^31-2 events, or the run has as many tasks: use a specification that names less")
