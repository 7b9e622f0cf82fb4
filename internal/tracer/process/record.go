package process

import (
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
)

// recorder puts the records of operations into the trace, among its events, in the order of
// reading: a reader restores the same order of operations (Operations) and of events (FreeOrder).
type recorder struct {
	event  event.Event // reused
	record event.Record
	// per goroutine: records that are no operations, since its last operation
	skipped map[uint64]uint64

	calls     seen // addresses whose calls the trace has described
	functions seen // the same for functions
	choices   seen // the same for select statements
	selects   map[string]bool
}

// seen is a set of addresses with a small cache in front: nearly every record has some, and they
// mostly repeat.
type seen struct {
	all    map[uint64]struct{}
	recent [1 << 10]uint64
}

// maxSeen bounds a set: scribbled records may hold any address.
const maxSeen = 1 << 16

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
	if _, ok := s.all[pc]; ok || len(s.all) >= maxSeen {
		return false
	}
	s.all[pc] = struct{}{}
	return true
}

func newRecorder() *recorder {
	return &recorder{skipped: map[uint64]uint64{}, selects: map[string]bool{}}
}

// recordOperation writes a record, after a description of the code at its addresses.
func (p *Process) recordOperation(rec *ring.Record) {
	r := p.recorder
	switch rec.Kind {
	case ring.KindEnter, ring.KindExit, ring.KindStmt, ring.KindSharedInit:
		if !p.opt.Env || !p.order.IsNameless(rec.Ctx) {
			r.skipped[rec.Ctx]++ // see ring.MomentShift
			return
		}
		// it gives the task its name, perhaps
		rec = &ring.Record{Index: rec.Index, Kind: ring.KindEnter, Ctx: rec.Ctx}
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
		// it is a record of both sides
		p.putRecord(&ring.Record{Index: rec.Index, Kind: ring.KindEnter, Ctx: rec.Aux}, 1)
	}
	p.putRecord(rec, 0)
}

// putRecord writes a record, which may itself be one of those that were skipped.
func (p *Process) putRecord(rec *ring.Record, itself uint64) {
	r := p.recorder
	r.record = TraceRecord(rec)
	if n := r.skipped[rec.Ctx]; n > 0 {
		r.record.Skipped = n - itself
		delete(r.skipped, rec.Ctx)
	}
	r.event.Reset()
	r.event.Record = &r.record
	_ = p.put(&r.event)
}

// TraceRecord returns a record as traces have it.
func TraceRecord(r *ring.Record) event.Record {
	return event.Record{
		Index: r.Index, Kind: event.RecordKind(r.Kind), Ctx: r.Ctx, Addr: r.Addr, Aux: r.Aux,
		PC: r.PC, Arg: r.Arg, Payload: r.Payload,
	}
}

// ringRecord is the reverse of TraceRecord.
func ringRecord(r *event.Record) ring.Record {
	return ring.Record{
		Index: r.Index, Kind: ring.Kind(r.Kind), Ctx: r.Ctx, Addr: r.Addr, Aux: r.Aux,
		PC: r.PC, Arg: r.Arg, Payload: r.Payload,
	}
}

// describeFunction writes the name of a function that a goroutine begins with.
func (p *Process) describeFunction(entry uint64) {
	if entry != 0 && p.symbols != nil && p.recorder.functions.add(entry) {
		p.describe(&event.Code{PC: entry, Function: p.symbols.Function(entry)})
	}
}

// describeCalls writes the calls that lead to the place of a record.
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

// describeSelect writes the source's description of the cases of a select statement.
func (p *Process) describeSelect(rec *ring.Record) {
	if p.opt.Behind == nil || p.symbols == nil {
		return
	}
	cases, _ := rec.Cases()
	choices := cases
	if rec.Kind == ring.KindSelect && rec.Arg != ring.SelectCase {
		choices++ // the default
	}
	if choices < 2 || cases > maxDescribed || rec.PC[0] == 0 || !p.recorder.choices.add(rec.PC[0]) {
		return
	}
	at := p.symbols.Location(rec.PC[:]).At
	if at == "" || p.recorder.selects[at] {
		return
	}
	p.recorder.selects[at] = true
	if behind := p.opt.Behind(at, cases); behind != nil {
		p.describe(&event.Code{Select: at, Behind: *behind})
	}
}

// maxDescribed bounds the cases of a select statement, since pairs of them are described.
const maxDescribed = 16

func (p *Process) describe(c *event.Code) {
	e := &p.recorder.event
	e.Reset()
	e.Code = c
	_ = p.put(e)
}
