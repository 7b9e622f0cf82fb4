package causality

import (
	"math"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

const (
	MainTask = "main" // the task of the main goroutine

	envName = event.EnvTask
	mainCtx = 1
)

// task is the part of a goroutine that references to its events need.
type task struct {
	name  string
	index int32 // in order of creation
}

// goroutine is a context of the process: a goroutine, or a context in which the runtime runs
// functions. It becomes a task with its first event.
type goroutine struct {
	task   *task   // nil: no task (yet)
	origin *origin // its place in the tree of go statements; nil for an anonymous one, at first

	// anonymous says that the program has not started it. One of the runtime's own contexts
	// (system) shows only the traced functions that run on it.
	anonymous, system bool

	// Of a watched run.
	// NoTask for a system one, and for an anonymous one before its first operation
	self      op.Task
	selecting bool     // its next operation on a channel is a case of a select statement
	waited    op.Place // of the Wait of a Cond, if that was its last operation
	records   int32    // that it has written; see countRecord
	moments   moments  // if accesses to memory are reported
	// the function of a library with which it began, as long as it is not known what of the program
	// that has called
	library string
	held    heldLocks
	stages  stages // without accesses to memory

	// Of one that is not a task, for the event that will create it.
	entry uint64           // pc of its function
	at    [ring.PCs]uint64 // where it was started

	know causalKnowledge // never knows less than last
	last *node           // its latest kept event, or else the event that created it
	k    int32           // kept events
	goes int             // go statements so far

	frames []Frame // mirror of the stack of its task, as readers of the trace see it
	atEdge bool    // its latest kept event entered or left a function; see settle

	// writers is, with Options.Sections, the knowledge at the ends of earlier sections of the
	// RWMutex that it is about to lock for writing.
	writers known

	// firing is the goroutine of the AfterFunc timer whose function this timer
	// context is about to start.
	firing *goroutine
	timer  name // of this timer, for the reader of operations
}

func (p *Order) newTask(name string) *task {
	if p.tasks == math.MaxInt32 {
		p.err = errTooMany
	}
	t := &task{name: name, index: p.tasks}
	p.tasks++
	return t
}

// isTask makes g a task if it can be one, and reports whether it is. A task that is made late is a
// child of env. The events of env come after nothing: otherwise the events before one late task
// would also come before the next one. The knowledge of a late task becomes the causes of its own
// first event, which is the next.
func (p *Order) isTask(g *goroutine) bool {
	if g.task != nil {
		return true
	}
	if !p.hasName(g) {
		return false
	}
	g.task = p.newTask(g.origin.String())
	spawn := p.spawnEvent(p.env, g.task, g.entry, g.at)
	g.last = spawn
	g.know.kept = p.know.union(g.know.kept, spawn.singleton())
	return true
}

// hasName reports whether g has a name, and gives it one if it has to come from env.
func (p *Order) hasName(g *goroutine) bool {
	if g.origin == nil && p.opt.Env {
		g.origin = p.env.nextChild()
	}
	return g.origin != nil
}

// nextChild returns the origin of the goroutine that g, which has an origin itself, starts next.
func (g *goroutine) nextChild() *origin {
	g.goes++
	return &origin{parent: g.origin, n: g.goes}
}

// spawnEvent writes the event of g that creates child.
func (p *Order) spawnEvent(g *goroutine, child *task, entry uint64, pcs [ring.PCs]uint64) *node {
	p.startEvent(entry, pcs)
	p.ev.Spawn = child.name
	return p.keep(g)
}

// startEvent makes the event of a go statement.
func (p *Order) startEvent(entry uint64, pcs [ring.PCs]uint64) {
	p.ev.Reset()
	p.ev.Op = "go"
	p.ev.Obj = p.function(entry).short
	p.ev.At = p.position(pcs)
}

// start returns a new goroutine that g has started. In a sparse trace it has g's knowledge, and is
// no task before its first event.
func (p *Order) start(g *goroutine, entry uint64, pcs [ring.PCs]uint64) *goroutine {
	child := &goroutine{origin: g.nextChild()}
	if p.sparse {
		if g.atEdge { // see settle
			p.startEvent(entry, pcs)
			p.keep(g)
		}
		child.entry, child.at, child.know.kept = entry, pcs, g.know.kept
		return child
	}
	child.task = p.newTask(child.origin.String())
	child.last = p.spawnEvent(g, child.task, entry, pcs)
	child.know.kept = child.last.singleton()
	return child
}

func (p *Order) goStatement(g *goroutine, rec *ring.Record) {
	if rec.Addr == 0 || p.goroutines.get(rec.Addr) != nil {
		p.Corrupt(rec, "starts a goroutine that is running already")
		return
	}
	if child := g.firing; child != nil {
		g.firing = nil
		p.learn(child, &g.know, synchronises)
		if p.watch != nil {
			p.reportFire(g, child)
		}
		p.goroutines.add(rec.Addr, child)
		return
	}
	if !p.starts(g) {
		p.systemStart(g, rec)
		return
	}
	child := p.start(g, rec.Aux, rec.PC)
	if p.watch != nil {
		p.reportGo(g, child, rec)
	}
	p.goroutines.add(rec.Addr, child)
}

// systemStart introduces a context that the runtime starts for its own purposes, from within g if
// that is not nil. It passes knowledge on.
func (p *Order) systemStart(g *goroutine, rec *ring.Record) {
	before := p.goroutines.get(rec.Addr)
	switch {
	case rec.Addr == mainCtx && g == nil:
		return // the main goroutine, which is known from the beginning
	case rec.Addr == 0, before != nil && !before.system:
		p.Corrupt(rec, "starts a context that is running already")
		return
	case before != nil:
		p.endGoroutine(before) // reused for the next timer
	}
	started := &goroutine{anonymous: true, system: rec.Kind == ring.KindCtxStart, entry: rec.Aux, self: op.NoTask}
	if g != nil {
		p.settle(g)
		started.know.kept = g.know.kept
		if p.watch != nil {
			p.reportStart(g, started, rec)
		}
	}
	p.goroutines.add(rec.Addr, started)
}

// threadStart introduces a goroutine that the program has not started. The runtime reuses the
// context of a C thread that has left.
func (p *Order) threadStart(rec *ring.Record) {
	if g := p.goroutines.get(rec.Ctx); g != nil {
		if !g.anonymous {
			p.Corrupt(rec, "begins a second time")
			return
		}
		p.endGoroutine(g)
	}
	p.goroutines.add(rec.Ctx, &goroutine{anonymous: true, entry: rec.Aux, self: op.NoTask})
}

// endGoroutine writes the end of g, which has no further events. A goroutine that is no task needs
// none, and others know all that it knew: those that had the events.
func (p *Order) endGoroutine(g *goroutine) {
	if p.watch != nil {
		p.reportEnd(g)
		if p.hasFinalizers() && g.self != op.NoTask {
			p.watch.ended.ops.merge(&p.know.clocks, &g.know.ops, synchronises)
		}
	}
	if g.task == nil {
		return
	}
	if p.opt.Env {
		p.settle(g)
		p.remember(g.know.kept)
	}
	p.closeFrames(g, 0)
	p.ev.Reset()
	p.ev.Op = "end"
	p.keep(g)
}

// remember keeps the knowledge of an ended goroutine for finalizers that run later. Each time the
// list has doubled it drops what a live goroutine knows too.
func (p *Order) remember(kept known) {
	p.ended = append(p.ended, kept)
	if n := len(p.ended); n < 64 || n&(n-1) != 0 {
		return
	}
	var all pendingUnion
	p.goroutines.each(func(g *goroutine) { all = p.know.gather(all, g.know.kept) })
	alive := p.know.unite(all)
	p.ended = slices.DeleteFunc(p.ended, func(s known) bool { return p.know.comprisesAll(alive, s) })
}

// timerArm creates the task that will run an AfterFunc, as a child of the one that arms the timer:
// when it fires, its parent may have ended. Each arming counts, and names do not depend on when
// timers fire. A task whose timer is armed again before it fired ends without having run.
func (p *Order) timerArm(g *goroutine, rec *ring.Record) {
	if armed := p.timers[rec.Addr]; armed != nil {
		delete(p.timers, rec.Addr)
		p.endGoroutine(armed)
	}
	if !p.starts(g) {
		return
	}
	child := p.start(g, rec.Aux, rec.PC)
	if p.watch != nil {
		p.reportArm(g, child, rec)
	}
	p.timers[rec.Addr] = child
	p.readArm(g, rec)
}
