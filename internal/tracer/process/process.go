package process

import (
	"cmp"

	"github.com/antichain-go/antichain/internal/tracer/causality"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// Options select what becomes an event.
type Options struct {
	// Full keeps every operation of the program on channels, locks, atomics and so on as an event,
	// except the standard library's own atomics. Without it operations only order the other events.
	Full bool

	// Sparse leaves out goroutines that would have only a begin and an end. The others begin with
	// their first event; see Tasks in the documentation of package causality. Full overrules it.
	Sparse bool

	// Env says that goroutines which the program has not started may call into it: they are
	// children of an initial task "env". Without it, the calls of such a goroutine to traced
	// functions are lost and counted.
	Env bool

	// Run, Program, Host and Start are copied into the header.
	Run, Program, Host, Start string

	// Watch receives the operations of the run; Process names their tasks and objects. Without it
	// operations cost nothing.
	Watch op.Watcher

	// Accesses passes conflicting accesses to memory to Watch as well, and so keeps the order of
	// Go's memory model.
	Accesses bool

	// Hidden says for the header of the trace why some accesses are not recorded; "" if all are.
	Hidden string

	// Record puts the operations of the run into the trace, too, and describes the code at their
	// addresses; see Operations.
	Record bool

	// Behind describes the source of the cases of a select statement, for event.Code. It returns
	// nil if nothing is known; a nil function always does.
	Behind func(at string, cases int) *event.Behind

	dropped  [ring.KindCount]bool // kinds to ignore, for tests that show that each is needed
	sections bool                 // causality.Options.Sections, for a test of FreeOrder
}

// Stats counts records and events.
type Stats struct {
	Records uint64 // fed
	Events  uint64 // emitted
	causality.Stats
}

// Process reads the records of one process. It is not safe for concurrent use.
type Process struct {
	opt     Options
	table   *site.Table
	sites   []tracedSite
	symbols causality.Symbols
	header  headerState
	order   *causality.Order

	recorder *recorder // nil: the operations of the run are not put into the trace

	emit  func(*event.Event) error
	stats Stats
	err   error
}

// New returns a Process for a program with that site table. Without symbols events
// carry no positions and function names. A nil table is an empty one.
func New(table *site.Table, symbols causality.Symbols, opt Options) (*Process, error) {
	if table == nil {
		table = new(site.Table)
	}
	sites, err := compileSites(table)
	if err != nil {
		return nil, err
	}
	p := &Process{opt: opt, table: table, sites: sites, symbols: symbols}
	order := causality.Options{
		Full: opt.Full, Sparse: opt.Sparse, Sections: opt.sections, Env: opt.Env, Watch: opt.Watch,
		Accesses: opt.Accesses, Outcomes: len(table.Instrumented.Operations) > 0,
		Symbols: symbols, Keep: p.put, Traced: p.traced,
	}
	if opt.Record {
		p.recorder, order.Reads = newRecorder(), p.recordOperation
	}
	p.order = causality.New(order)
	return p, p.header.init(table, opt, p.order.InitialTasks())
}

// Header returns the header of the trace. It is nil until the initial values of the shared
// variables are known. No event is emitted before that.
func (p *Process) Header() *event.Header {
	if !p.header.ready {
		return nil
	}
	return p.header.h
}

func (p *Process) Stats() Stats {
	p.stats.Stats = p.order.Stats()
	return p.stats
}

// TaskName returns the name of a goroutine as a task, "" if there is no such goroutine or it has no
// name yet.
func (p *Process) TaskName(ctx uint64) string { return p.order.TaskName(ctx) }

// DisplayName returns what reports call a goroutine, which is its TaskName if operations are not
// watched.
func (p *Process) DisplayName(ctx uint64) string { return p.order.DisplayName(ctx) }

// IsTaskName reports whether a word is what reports call a task, or begins such a name.
func (p *Process) IsTaskName(word string) bool { return p.order.IsTaskName(word) }

// Goroutine returns the number of the goroutine with that TaskName, 0 if there is none or it has
// ended.
func (p *Process) Goroutine(name string) uint64 { return p.order.Goroutine(name) }

// A Process names the tasks, objects and places of its operations.
var _ op.Names = (*Process)(nil)

// Unwatch stops passing operations to Options.Watch, which has run out of memory.
func (p *Process) Unwatch() { p.order.Unwatch() }

// Task returns the origin of a task of Options.Watch.
func (p *Process) Task(t op.Task) op.Origin { return p.order.Task(t) }

// Object is the name of an object, "" if it is none.
func (p *Process) Object(o op.Object) string { return p.order.Object(o) }

// Place returns the location of an operation.
func (p *Process) Place(at op.Place) op.Location { return p.order.Place(at) }

// Feed processes one record and emits the events that it completes. The event is reused: emit
// clones what it keeps. An error is emit's, or says that the trace has become too large; Feed
// returns it from then on.
func (p *Process) Feed(rec *ring.Record, emit func(*event.Event) error) error {
	if p.err != nil {
		return p.err
	}
	p.emit = emit
	p.stats.Records++
	if rec.Kind.Valid() && p.opt.dropped[rec.Kind] {
		return nil
	}
	if err := p.order.Feed(rec); err != nil {
		p.fail(err)
	}
	return p.err
}

// fail keeps an error of p.order, which may be p's own.
func (p *Process) fail(err error) { p.err = cmp.Or(p.err, err) }

// Idle processes records that wait for another one that has not come for a while. It emits events
// as Feed does.
func (p *Process) Idle(emit func(*event.Event) error) error {
	if p.err == nil {
		p.emit = emit
		p.fail(p.order.Idle())
	}
	return p.err
}

// Finish emits the events that still wait for the header.
func (p *Process) Finish(emit func(*event.Event) error) error {
	if p.err != nil {
		return p.err
	}
	p.emit = emit
	p.fail(p.order.Finish())
	if p.err == nil {
		p.openHeader()
	}
	return p.err
}

// traced reads a record of a traced function or variable.
func (p *Process) traced(rec *ring.Record) {
	if rec.Kind == ring.KindSharedInit {
		p.sharedInit(rec)
	} else {
		p.atSite(rec)
	}
}

// put emits an event, or holds it back until the header is complete.
func (p *Process) put(e *event.Event) error {
	switch {
	case p.err != nil:
	case !p.header.ready:
		p.holdForHeader(e)
	default:
		if e.IsAction() {
			p.stats.Events++
		}
		p.err = p.emit(e)
	}
	return p.err
}
