package process

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/antichain-go/antichain/tracer/ring"
)

const (
	mainName = "main"
	envName  = "env"
	mainCtx  = 1
)

// task is what others need to know of a task to refer to its events.
type task struct {
	name  string
	index int32 // in order of creation
}

// goroutine is a context of the process: a goroutine, or something the runtime runs
// functions for. It becomes a task when it has an event to show.
type goroutine struct {
	task *task // nil: not a task (yet)

	// anonymous says that nobody in the program started it: it becomes a child of env
	// when it does something that is kept. One of the runtime's own contexts (system)
	// shows what traced functions do on it and nothing else.
	anonymous, system bool
	entry             uint64 // pc of the function of an anonymous one

	know *set  // never knows less than last
	last *node // its latest kept event, or else the event that created it
	k    int32 // kept events
	goes int   // go statements so far

	frames []frame // mirror of the stack of its task, as readers of the trace see it
	fresh  bool    // its latest kept event entered or left a function; see settle

	// firing is the goroutine of the AfterFunc timer whose function this timer
	// context is about to start.
	firing *goroutine
}

func (p *Process) newTask(name string) *task {
	if p.tasks == math.MaxInt32 {
		p.err = errTooMany
	}
	t := &task{name: name, index: p.tasks}
	p.tasks++
	return t
}

// isTask makes g a task if it can be one, and reports whether it is.
func (p *Process) isTask(g *goroutine) bool {
	if g.task != nil {
		return true
	}
	if !g.anonymous || p.env == nil {
		return false
	}
	p.ev.Reset()
	g.task = p.newTask(p.childName(p.env))
	spawn := p.spawnEvent(p.env, g.task, g.entry, [ring.PCs]uint64{})
	g.last = spawn
	g.know = p.know.union(g.know, &spawn.own)
	return true
}

// childName returns the name of the next child of g, which is a task.
func (p *Process) childName(g *goroutine) string {
	g.goes++
	return g.task.name + "." + strconv.Itoa(g.goes)
}

// spawnEvent writes the event of g that creates child.
func (p *Process) spawnEvent(g *goroutine, child *task, entry uint64, pcs [ring.PCs]uint64) *node {
	p.ev.Reset()
	p.ev.Spawn = child.name
	p.ev.Op = "go"
	p.ev.Obj = p.function(entry)
	p.ev.At = p.position(pcs)
	return p.keep(g)
}

// spawn creates a task as the next child of g.
func (p *Process) spawn(g *goroutine, entry uint64, pcs [ring.PCs]uint64) *goroutine {
	child := &goroutine{task: p.newTask(p.childName(g))}
	child.last = p.spawnEvent(g, child.task, entry, pcs)
	child.know = &child.last.own
	return child
}

func (p *Process) goStatement(g *goroutine, rec *ring.Record) {
	if rec.Addr == 0 || p.goroutines.get(rec.Addr) != nil {
		p.corrupt(rec, "starts a goroutine that is running already")
		return
	}
	if child := g.firing; child != nil {
		g.firing = nil
		child.know = p.know.union(child.know, g.know)
		p.goroutines.add(rec.Addr, child)
		return
	}
	if !p.shows(g) {
		p.systemStart(g, rec)
		return
	}
	p.goroutines.add(rec.Addr, p.spawn(g, rec.Aux, rec.PC))
}

// systemStart introduces a context that no task starts, but the runtime for its own
// purposes, from within g if that is not nil. It passes on what it is told.
func (p *Process) systemStart(g *goroutine, rec *ring.Record) {
	before := p.goroutines.get(rec.Addr)
	switch {
	case rec.Addr == mainCtx && g == nil:
		return // the start of the main goroutine, which is known from the beginning
	case rec.Addr == 0, before != nil && !before.system:
		p.corrupt(rec, "starts a context that is running already")
		return
	case before != nil:
		p.end(before) // used anew, for the next timer
	}
	started := &goroutine{anonymous: true, system: rec.Kind == ring.KindCtxStart, entry: rec.Aux}
	if g != nil {
		p.settle(g)
		started.know = g.know
	}
	p.goroutines.add(rec.Addr, started)
}

// threadStart introduces a goroutine that nobody in the program started. The runtime
// gives the context of a C thread that has left to the next one that comes.
func (p *Process) threadStart(rec *ring.Record) {
	if g := p.goroutines.get(rec.Ctx); g != nil {
		if !g.anonymous {
			p.corrupt(rec, "begins a second time")
			return
		}
		p.end(g)
	}
	p.goroutines.add(rec.Ctx, &goroutine{anonymous: true, entry: rec.Aux})
}

// end writes the end of g, which has no further events.
func (p *Process) end(g *goroutine) {
	if g.task == nil {
		return
	}
	if p.env != nil {
		p.remember(g.know)
	}
	p.closeFrames(g, 0)
	p.ev.Reset()
	p.ev.Op = "end"
	p.keep(g)
}

// remember keeps what an ended goroutine knew for finalizers that run later. What
// somebody alive knows too is dropped each time the list has doubled.
func (p *Process) remember(know *set) {
	p.ended = append(p.ended, know)
	if n := len(p.ended); n < 64 || n&(n-1) != 0 {
		return
	}
	var alive *set
	p.goroutines.each(func(g *goroutine) { alive = p.know.union(alive, g.know) })
	p.ended = slices.DeleteFunc(p.ended, func(s *set) bool { return p.know.union(alive, s) == alive })
}

// timerArm creates the task that will run an AfterFunc, as a child of the one that
// arms the timer: later it could no longer be one, its parent may have ended. Each
// arming counts, so that names do not depend on when timers fire; a task whose
// timer is armed again before it fired ends without having run.
func (p *Process) timerArm(g *goroutine, rec *ring.Record) {
	if armed := p.timers[rec.Addr]; armed != nil {
		delete(p.timers, rec.Addr)
		p.end(armed)
	}
	if p.shows(g) {
		p.timers[rec.Addr] = p.spawn(g, rec.Aux, rec.PC)
	}
}

// registry finds goroutines by their context number. Numbers are given out in
// sequence, so nearly all are in the dense part.
type registry struct {
	dense  []*goroutine
	sparse map[uint64]*goroutine
	added  uint64
}

func (r *registry) get(ctx uint64) *goroutine {
	if ctx < uint64(len(r.dense)) {
		return r.dense[ctx]
	}
	return r.sparse[ctx]
}

func (r *registry) add(ctx uint64, g *goroutine) {
	r.added++
	// A scribbled record may hold any number; memory stays in proportion to records.
	if ctx >= 64*r.added+1024 {
		if r.sparse == nil {
			r.sparse = map[uint64]*goroutine{}
		}
		r.sparse[ctx] = g
		return
	}
	for uint64(len(r.dense)) <= ctx {
		n := uint64(len(r.dense))
		r.dense = append(r.dense, r.sparse[n])
		delete(r.sparse, n)
	}
	r.dense[ctx] = g
}

// each calls f for every goroutine that has not ended.
func (r *registry) each(f func(*goroutine)) {
	for _, g := range r.dense {
		if g != nil {
			f(g)
		}
	}
	for _, ctx := range slices.Sorted(maps.Keys(r.sparse)) { // the trace must not depend on chance
		f(r.sparse[ctx])
	}
}

func (r *registry) remove(ctx uint64) {
	if ctx < uint64(len(r.dense)) {
		r.dense[ctx] = nil
		return
	}
	delete(r.sparse, ctx)
}
