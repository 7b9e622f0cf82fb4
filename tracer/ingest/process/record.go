package process

import (
	"iter"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/ring"
)

// recorder puts the records of operations into the trace, as they come: whoever reads them gives them the same order
// (Operations).
type recorder struct {
	record  event.Record
	skipped map[uint64]uint64 // records of goroutines that are none of operations, since their last one

	calls     seen // addresses of which the trace says which calls lead there
	functions seen // of functions, likewise
	choices   seen // of select statements, likewise
	selects   map[string]bool
}

// seen is a set of addresses, with a small cache in front: nearly every record has some, and mostly the same.
type seen struct {
	all    map[uint64]struct{}
	recent [1 << 10]uint64
}

// add adds an address and reports whether it is new.
func (s *seen) add(pc uint64) bool {
	recent := &s.recent[(pc^pc>>10)%uint64(len(s.recent))]
	if *recent == pc {
		return false
	}
	*recent = pc
	if s.all == nil {
		s.all = map[uint64]struct{}{}
	}
	if _, ok := s.all[pc]; ok || len(s.all) >= maxPlaces {
		return false
	}
	s.all[pc] = struct{}{}
	return true
}

func newRecorder() *recorder {
	return &recorder{skipped: map[uint64]uint64{}, selects: map[string]bool{}}
}

// recordOperation writes a record, and before it what is known of the code that it leads to.
func (p *Process) recordOperation(rec *ring.Record) {
	r := p.recorder
	switch rec.Kind {
	case ring.KindEnter, ring.KindExit, ring.KindStmt, ring.KindSharedInit:
		if g := p.goroutines.get(rec.Ctx); g == nil || g.origin != nil || !p.opt.Env {
			r.skipped[rec.Ctx]++ // see countRecord
			return
		}
		rec = &ring.Record{Index: rec.Index, Kind: ring.KindEnter, Ctx: rec.Ctx} // it gets its name, perhaps
	case ring.KindGo, ring.KindTimerArm, ring.KindCtxStart, ring.KindThreadStart:
		p.describeFunction(rec.Aux)
	case ring.KindSelect:
		p.describeSelect(rec)
	case ring.KindBlock:
		if rec.Op() == ring.OpSelect {
			p.describeSelect(rec)
		}
	}
	p.describeCalls(rec)
	if rec.Kind == ring.KindHandoff && r.skipped[rec.Aux] > 0 {
		p.putRecord(&ring.Record{Index: rec.Index, Kind: ring.KindEnter, Ctx: rec.Aux}, 1) // it is a record of both sides
	}
	p.putRecord(rec, 0)
}

// putRecord writes a record, which may itself be one of those that were skipped.
func (p *Process) putRecord(rec *ring.Record, itself uint64) {
	r := p.recorder
	r.record.Record = *rec
	r.record.Skipped = 0
	if n := r.skipped[rec.Ctx]; n > 0 {
		r.record.Skipped = n - itself
		delete(r.skipped, rec.Ctx)
	}
	p.ev.Reset()
	p.ev.Record = &r.record
	p.put()
}

// describeFunction writes the name of a function that a goroutine begins with.
func (p *Process) describeFunction(entry uint64) {
	if entry != 0 && p.symbols != nil && p.recorder.functions.add(entry) {
		p.describe(&event.Code{PC: entry, Function: p.symbols.Function(entry)})
	}
}

// describeCalls writes which calls lead to where a record was made.
func (p *Process) describeCalls(rec *ring.Record) {
	if p.symbols == nil {
		return
	}
	for pc := range rec.Stack() {
		p.describeCall(pc)
	}
	if rec.Kind == ring.KindRead || rec.Kind == ring.KindWrite {
		before, _ := rec.Conflict()
		for _, pc := range before.PC {
			p.describeCall(pc)
		}
	}
}

func (p *Process) describeCall(pc uint64) {
	if pc == 0 || !p.recorder.calls.add(pc) {
		return
	}
	c := &event.Code{PC: pc}
	for call := range p.symbols.Calls([]uint64{pc}) {
		c.Calls = append(c.Calls, call)
	}
	p.describe(c)
}

// describeSelect writes what the source says behind the cases of a select statement.
func (p *Process) describeSelect(rec *ring.Record) {
	if p.opt.Harmless == nil || p.symbols == nil {
		return
	}
	cases, _ := rec.Cases()
	if cases < 2 || cases > maxDescribed || rec.PC[0] == 0 || !p.recorder.choices.add(rec.PC[0]) {
		return
	}
	at := p.symbols.Location(rec.PC[:]).At
	if at == "" || p.recorder.selects[at] {
		return
	}
	p.recorder.selects[at] = true
	if pairs := p.opt.Harmless(at, cases); pairs != nil {
		p.describe(&event.Code{Select: at, Harmless: pairs})
	}
}

// maxDescribed bounds the cases of select statements that are described: pairs of them are.
const maxDescribed = 16

func (p *Process) describe(c *event.Code) {
	p.ev.Reset()
	p.ev.Code = c
	p.put()
}

// Operations reads the records of operations in a trace, and tells them in the order that they had in the run.
type Operations struct {
	process *Process
	code    *code

	// Names that the trace has for what has no other ones; none in traces of programs.
	tasks   map[op.Task]string
	objects map[op.Object]string
}

// code is what a trace says of the code of a program, as its Symbols.
type code struct {
	calls     map[uint64][]op.Call
	functions map[uint64]string
	harmless  map[string][][2]int
}

// NewOperations returns a reader of the operations in a trace with that header, which tells them to a watcher. It is nil if the
// trace has none.
func NewOperations(h *event.Header, to op.Watcher) (*Operations, error) {
	if h.Operations == nil {
		return nil, nil
	}
	o := &Operations{code: &code{map[uint64][]op.Call{}, map[uint64]string{}, map[string][][2]int{}}}
	var err error
	o.process, err = New(nil, o.code, Options{Sparse: true, Env: h.Operations.Env, Watch: to, Accesses: h.Operations.Accesses})
	return o, err
}

// maxCode bounds what is known of the code: who sends a trace may describe any number of addresses.
const maxCode = 1 << 20

// Add takes an event of the trace. Of those that are actions of tasks it takes no notice.
func (o *Operations) Add(e *event.Event) {
	switch {
	case e.Code != nil:
		o.code.add(e.Code)
	case e.Record != nil:
		o.record(e.Record)
		if e.Task != "" || e.Obj != "" {
			o.name(e)
		}
	}
}

// name remembers the names in a record.
func (o *Operations) name(e *event.Event) {
	if o.tasks == nil {
		o.tasks, o.objects = map[op.Task]string{}, map[op.Object]string{}
	}
	if g := o.process.goroutines.get(e.Record.Ctx); g != nil && g.self != op.NoTask && e.Task != "" {
		o.tasks[g.self] = e.Task
	}
	if object := o.process.objects.at(e.Record.Addr); object != nil && object.name != 0 && e.Obj != "" {
		o.objects[op.Object(object.name)] = e.Obj
	}
}

// Task implements op.Names.
func (o *Operations) Task(t op.Task) op.Origin {
	origin := o.process.Task(t)
	if name, ok := o.tasks[t]; ok {
		origin.Name = name
	}
	return origin
}

// Object implements op.Names.
func (o *Operations) Object(object op.Object) string {
	if name, ok := o.objects[object]; ok {
		return name
	}
	return o.process.Object(object)
}

// Place implements op.Names.
func (o *Operations) Place(at op.Place) op.Location { return o.process.Place(at) }

func (o *Operations) record(r *event.Record) {
	p := o.process
	if r.Skipped > 0 {
		if g := p.goroutines.get(r.Ctx); g != nil {
			g.records += int32(min(r.Skipped, maxSkipped))
		}
	}
	if r.Kind == ring.KindEnter {
		if g := p.goroutines.get(r.Ctx); g != nil {
			p.countRecord(g, &r.Record)
			p.hasName(g)
		}
		return
	}
	_ = p.Feed(&r.Record, ignore)
}

// maxSkipped is as many records as a goroutine can have.
const maxSkipped = 1 << 30

func ignore(*event.Event) error { return nil }

// Finish tells what is left after the last event.
func (o *Operations) Finish() { _ = o.process.Finish(ignore) }

var _ op.Names = (*Operations)(nil)

// Wrong says what makes no sense in the records, or why the watcher has not been told everything; "" if nothing does.
func (o *Operations) Wrong() string {
	s := o.process.Stats()
	switch {
	case s.Corrupt > 0:
		return s.First
	case o.process.err != nil:
		return o.process.err.Error()
	}
	return s.Unwatched
}

// IsHarmless reports whether the program's source said that nobody waits for ever if a select statement at that place takes another
// case than the one that it took. It is not known if the trace says nothing of it.
func (o *Operations) IsHarmless(at string, took, other int) (harmless, known bool) {
	pairs, known := o.code.harmless[at]
	for _, p := range pairs {
		harmless = harmless || p == [2]int{took, other}
	}
	return harmless, known
}

func (c *code) add(d *event.Code) {
	switch {
	case len(c.calls)+len(c.functions)+len(c.harmless) >= maxCode:
	case d.Select != "":
		c.harmless[d.Select] = d.Harmless
	case d.Function != "":
		c.functions[d.PC] = d.Function
	default:
		c.calls[d.PC] = d.Calls
	}
}

// Function implements Symbols.
func (c *code) Function(entry uint64) string { return c.functions[entry] }

// Position implements Symbols.
func (c *code) Position(pcs [ring.PCs]uint64) (at string, library bool) {
	l := c.Location(pcs[:])
	return l.At, l.Library
}

// Location implements Symbols.
func (c *code) Location(pcs []uint64) op.Location { return op.LocationOf(c.Calls(pcs)) }

// Calls implements Symbols.
func (c *code) Calls(pcs []uint64) iter.Seq[op.Call] {
	return func(yield func(op.Call) bool) {
		for _, pc := range pcs {
			for _, call := range c.calls[pc] {
				if !yield(call) {
					return
				}
			}
		}
	}
}
