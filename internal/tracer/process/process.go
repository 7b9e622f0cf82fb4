package process

import (
	"cmp"

	"github.com/antichain-go/antichain/internal/tracer/causality"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// Options selects what becomes an event.
type Options struct {
	// Full keeps every operation of the program on channels, locks, atomics and so
	// on as an event, except the atomics that the standard library uses for itself;
	// without it they only order the other events.
	Full bool

	// Sparse leaves out goroutines of which nothing but their beginning and end would
	// be kept, and lets the others begin with what is kept of them; see Tasks in the
	// documentation of package causality. Full overrules it.
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

	// Hidden is why not all accesses are recorded, for the header of the trace; "" if they are.
	Hidden string

	// Record puts the operations of the run into the trace, too, with what is known of the code that they lead to; see Operations.
	Record bool

	// Behind says what stands in the source behind the cases of a select statement, for event.Code: nil if nothing is
	// known, as without the function.
	Behind func(at string, cases int) *event.Behind

	dropped  [ring.KindCount]bool // kinds to ignore, for tests that show that each is needed
	sections bool                 // causality.Options.Sections, for a test of FreeOrder
}

// Stats counts what came in and went out.
type Stats struct {
	Records uint64 // fed
	Events  uint64 // emitted
	causality.Stats
}

// Process reads the records of one process. It is not safe for concurrent use.
type Process struct {
	opt     Options
	table   *site.Table
	sites   []place
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
		Full: opt.Full, Sparse: opt.Sparse, Sections: opt.sections, Env: opt.Env, Watch: opt.Watch, Accesses: opt.Accesses,
		Symbols: symbols, Keep: p.put, Traced: p.traced,
	}
	if opt.Record {
		p.recorder, order.Reads = newRecorder(), p.recordOperation
	}
	p.order = causality.New(order)
	return p, p.header.init(table, opt, p.order.InitialTasks())
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
func (p *Process) Stats() Stats {
	p.stats.Stats = p.order.Stats()
	return p.stats
}

// TaskName is the name that a goroutine has as a task, "" if there is none of that number, or it
// has done nothing that gives it a name.
func (p *Process) TaskName(ctx uint64) string { return p.order.TaskName(ctx) }

// Goroutine is the number of the goroutine that TaskName gives that name, 0 if there is none, or it has ended.
func (p *Process) Goroutine(name string) uint64 { return p.order.Goroutine(name) }

// A Process names what is in the operations that it tells.
var _ op.Names = (*Process)(nil)

// Unwatch has Options.Watch told no more, because there is no memory for that.
func (p *Process) Unwatch() { p.order.Unwatch() }

// Task tells where a task of Options.Watch comes from.
func (p *Process) Task(t op.Task) op.Origin { return p.order.Task(t) }

// Object is the name of an object, "" if it is none.
func (p *Process) Object(o op.Object) string { return p.order.Object(o) }

// Place tells where an operation was.
func (p *Process) Place(at op.Place) op.Location { return p.order.Place(at) }

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
	if err := p.order.Feed(rec); err != nil {
		p.fail(err)
	}
	return p.err
}

// fail takes an error of p.order, which may be p's own.
func (p *Process) fail(err error) { p.err = cmp.Or(p.err, err) }

// Idle reads what waits for a record that has not come for a while, and emits events as Feed does.
func (p *Process) Idle(emit func(*event.Event) error) error {
	if p.err == nil {
		p.emit = emit
		p.fail(p.order.Idle())
	}
	return p.err
}

// Finish emits what still waits for the header.
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
		p.hold(e)
	default:
		if e.IsAction() {
			p.stats.Events++
		}
		p.err = p.emit(e)
	}
	return p.err
}
