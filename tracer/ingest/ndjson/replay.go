package ndjson

import (
	"cmp"
	"fmt"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/internal/oplog"
)

// replay turns the lines of a run into the operations for built-in properties.
//
// Tasks are goroutines: the first one is the main goroutine, and one that no line starts begins by
// itself. A join acquires what the task has released at its end. Accesses to memory are single
// ones; the reader of operations finds the races among them.
type replay struct {
	*oplog.Log
	run       *Run
	actors    map[string]*actor
	all       []*actor // in the order in which they appear
	locks     map[string]*lock
	channels  map[string]*channel
	inOrder   []*channel // in which they appear
	groups    map[string]*group
	variables map[string]uint64
	over      bool // the waits at the end are recorded
}

// actor is a task that operates.
type actor struct {
	*oplog.Task
	ended     bool
	unmatched *record // the send or receive that waits for another task
	announced *record // its announced operation
}

// group is a WaitGroup.
type group struct {
	addr uint64
	sum  int64
}

func newReplay(r *Run) (*replay, error) {
	p := &replay{
		Log: oplog.New(r.name), run: r, actors: map[string]*actor{}, locks: map[string]*lock{},
		channels: map[string]*channel{},
		groups:   map[string]*group{}, variables: map[string]uint64{},
	}
	for i := range r.records {
		if rec := &r.records[i]; rec.operation != nil {
			if err := p.noteFacts(rec); err != nil {
				return nil, err
			}
		}
	}
	for _, c := range p.inOrder {
		if err := c.settle(r); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// noteFacts notes facts about objects that must be known before the first operation.
func (p *replay) noteFacts(rec *record) error {
	switch o := rec.operation; {
	case o.kind == doRLock || o.kind == doRUnlock || o.kind == tryRLock:
		p.lock(o.object).shared = true
	case o.kind.isOfChannel():
		return p.noteChannel(rec)
	}
	return nil
}

const remedyOrder = "the log is incomplete, or its lines are not in the order in which the operations happened"

func (p *replay) fault(rec *record, remedy, format string, args ...any) error {
	return p.run.fault(rec, fmt.Sprintf(format, args...), remedy)
}

// add records the operations of a line.
func (p *replay) add(rec *record) error {
	a := p.actor(p.run.tasks[rec.task].name)
	if err := p.goOn(a, rec); err != nil {
		return err
	}
	a.announced = nil
	return p.operate(a, rec)
}

// goOn checks that a task can operate.
func (p *replay) goOn(a *actor, rec *record) error {
	switch {
	case a.ended:
		return p.fault(rec, "each task of a log needs a name of its own", "an operation of task %.60q, which has ended",
			a.Name)
	case a.unmatched != nil:
		return p.fault(rec, `an unbuffered channel needs the lines of both tasks before further operations of either; `+
			`"capacity" says which channels have a buffer`,
			"task %.60q goes on, but no other task has taken part in its %s in line %d", a.Name,
			a.unmatched.operation.kind, a.unmatched.line)
	}
	return nil
}

func (p *replay) operate(a *actor, rec *record) error {
	switch o := rec.operation; o.kind {
	case doLock:
		return p.doLock(a, rec)
	case doUnlock:
		return p.doUnlock(a, rec)
	case doRLock:
		return p.doRLock(a, rec)
	case doRUnlock:
		return p.doRUnlock(a, rec)
	case doSend:
		return p.send(a, rec)
	case doReceive:
		return p.receive(a, rec)
	case doClose:
		p.close(a, rec)
	case doAdd, doDone, doWait:
		return p.count(a, rec)
	case doStart:
		return p.start(a, rec)
	case doJoin:
		return p.join(a, rec)
	case doEnd:
		p.end(a)
	case doRead, doWrite:
		addr, ok := p.variables[o.object]
		if !ok {
			addr = p.NewAddress()
			p.variables[o.object] = addr
		}
		p.Access(a.Task, addr, o.kind == doWrite, p.at(rec))
	default:
		a.announced = rec
	}
	return nil
}

// actor returns the task of a name. One that no line has started exists from the beginning.
func (p *replay) actor(name string) *actor {
	if a := p.actors[name]; a != nil {
		return a
	}
	a := p.newActor(name)
	p.Begin(a.Task)
	if a.IsMain() {
		p.makeChannels(a)
	}
	return a
}

func (p *replay) newActor(name string) *actor {
	a := &actor{Task: p.NewTask(name)}
	p.actors[name], p.all = a, append(p.all, a)
	return a
}

// at returns an address for the place of a line.
func (p *replay) at(rec *record) uint64 { return p.At(p.run.place(rec)) }

// put writes a record of a task, at the place of a line.
func (p *replay) put(rec *record, a *actor, made event.Record, object string) {
	made.PC[0] = p.at(rec)
	p.Put(a.Task, made, object)
}

func (p *replay) start(a *actor, rec *record) error {
	if p.actors[rec.operation.other] != nil {
		return p.fault(rec, "each task of a log needs a name of its own, and no operation before it is started",
			"task %.60q is started, but it was there before", rec.operation.other)
	}
	p.Start(a.Task, p.newActor(rec.operation.other).Task, 0, p.at(rec))
	return nil
}

// join also ends the other task, if no line has done that.
func (p *replay) join(a *actor, rec *record) error {
	other := p.actor(rec.operation.other)
	if other == a {
		return p.fault(rec, "", "task %.60q joins itself", a.Name)
	}
	if !other.ended {
		if err := p.goOn(other, rec); err != nil {
			return err
		}
		p.end(other)
	}
	p.Join(a.Task, other.Task, p.at(rec))
	return nil
}

func (p *replay) end(a *actor) {
	a.ended, a.announced = true, nil
	p.End(a.Task)
}

func (p *replay) group(name string) *group {
	g := p.groups[name]
	if g == nil {
		g = &group{addr: p.NewAddress()}
		p.groups[name] = g
	}
	return g
}

// count replays an operation on the counter of a WaitGroup.
func (p *replay) count(a *actor, rec *record) error {
	o := rec.operation
	g := p.group(o.object)
	made := event.Record{Addr: g.addr, Aux: g.addr}
	switch o.kind {
	case doAdd:
		g.sum += o.count
		made.Kind, made.Arg = ring.KindMark, ring.OpAdd|uint64(o.count)<<ring.OpShift
	case doDone:
		if g.sum -= o.count; g.sum < 0 {
			return p.fault(rec, remedyOrder, "task %.60q makes the counter of %.60q negative", a.Name, o.object)
		}
		made.Kind, made.Arg = ring.KindReleaseMerge, ring.OpDone|uint64(-o.count)<<ring.OpShift
	case doWait:
		if g.sum > 0 {
			return p.fault(rec, remedyOrder+`; a line that begins to wait is of kind "waiting"`,
				"task %.60q has waited for %.60q, whose counter is %d", a.Name, o.object, g.sum)
		}
		made.Kind, made.Arg = ring.KindAcquire, ring.OpWait
	}
	p.put(rec, a, made, o.object)
	return nil
}

// finish records which tasks wait at the end of the log.
func (p *replay) finish() {
	p.over = true
	for _, a := range p.all {
		if a.announced != nil && a.announced.operation.kind == tryLock {
			p.lock(a.announced.operation.object).await(a.announced)
		}
	}
	for _, a := range p.all {
		if rec := cmp.Or(a.unmatched, a.announced); rec != nil && !a.ended {
			p.block(a, rec)
		}
	}
}

// block records that a task waits to do what rec announces, unless the task could do that by now.
func (p *replay) block(a *actor, rec *record) {
	o := rec.operation
	made := event.Record{Kind: ring.KindBlock}
	waits := false
	switch o.kind {
	case tryLock, tryRLock:
		l := p.lock(o.object)
		made.Addr, made.Arg, waits = l.addr, ring.OpLock, l.isHeldFrom(a) || l.readers > 0
		if o.kind == tryRLock {
			made.Arg, waits = ring.OpRLock, l.isHeldFrom(a) || l.readers > 0 && l.awaited > 0 && l.awaited < rec.line
		}
	case tryWait:
		g := p.group(o.object)
		made.Addr, made.Arg, waits = g.addr, ring.OpWait, g.sum > 0
	case doSend, trySend:
		c := p.channels[o.object]
		made.Addr, made.Arg, waits = c.addr, ring.OpSend, !c.closed && c.isFull() && len(c.receivers) == 0
	case doReceive, tryReceive:
		c := p.channels[o.object]
		made.Addr, made.Arg, waits = c.addr, ring.OpRecv, !c.closed && c.sent == c.received && len(c.senders) == 0
	}
	if made.Aux = made.Addr; waits {
		p.put(rec, a, made, o.object)
	}
}
