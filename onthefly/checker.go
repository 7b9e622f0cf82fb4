package onthefly

import (
	"context"
	stdslices "slices"
	"sync/atomic"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// Checker checks properties on a growing net. It is not safe for concurrent use.
type Checker struct {
	logic            lsl.Logic
	builder          *san.Builder
	net              *san.Net
	locals           []*localFormula // of the set, by number
	walkers          []*walker       // by task
	eventsRead       int             // events of the net in versions so far
	states           int             // local states so far
	truths           []lsl.Truth     // preallocated memory for truths
	currentTruths    []lsl.Truth     // memory for the truths of the current local state
	version          version         // the last one
	common           commonKnowledge // of that version
	statesSinceSweep int             // local states since the last sweep; a sweep takes tasks² steps
	roots            []*root
	stages           []*stage
	broken           chan failure
	stopped          error // the cause that ended a context, and the checker with it
	working          bool  // the stages' goroutines run
	inline           bool  // the stages run without goroutines
	closed           bool
	windows          bool // some working stage is a window, which evaluates every local state
	counts           bool // some working stage checks which tasks had an event

	thorough bool // in tests: skip nothing (quiet.go)

	// State of forget.go.
	keepsRun      bool // the caller needs the whole run
	bounded       bool // no stage needs the whole run
	patience      int  // minimal number of events to keep
	singleStates  bool // local states are examined one at a time
	condenses     bool // see stage.condenses
	depth         int  // how many of its own last events a task may have to look back at
	slots         int
	asksCreators  bool // some condition asks which task created another
	memories      []forgetter
	retention     atomic.Pointer[Retention]
	unforgettable int     // events that the last attempt could not forget
	base          []int32 // what to forget before the next version; nil for nothing
	condensing    bool    // condense the rest, too
	renamings     int32   // number of renamings
	// by last truths: the kept tasks that represent all that ended like them
	endedByTruths map[string][]san.Task
}

// localFormula is a local formula of the properties. It has a log of its own, because expressions
// in several files may have the same position.
type localFormula struct {
	*lsl.Formula
	log lsl.Log
}

// walker is at the last local state of a task within the version.
type walker struct {
	*san.Walker
	truths  []lsl.Truth // not to be changed
	version uint64      // of the state when truths was evaluated
	steady  bool        // truths is valid while the state has that version
}

// root collects the violations of a property.
type root struct {
	property *spec.Property // as the caller gave it
	formula  *formula.Formula
	top      *stage
	in       chan []*openInterval // new open intervals, if the checker runs goroutines
	found    *Violation

	intervalList // those that wait for later slices
}

// Violation is a slice and a TIVA in which a property is false, however the run continues.
type Violation struct {
	Property *spec.Property // as passed to New
	Formula  *formula.Formula
	TIVA     []tlcheck.Binding
	Actions  []san.Action // they generate the slice
}

// Result returns the result for the violation, in the net of the checker that found it. It must be
// called before the checker reads more. tlcheck.ExplainViolation adds the reason.
func (v *Violation) Result(net *san.Net) *tlcheck.Result {
	return tlcheck.NewViolation(net, v.Property, v.Formula, v.Actions, v.TIVA)
}

// New returns a checker for a run with that header. It returns an *tlcheck.UnsupportedError for a
// property that cannot be checked on-the-fly.
func New(h *event.Header, props []*spec.Property, logic lsl.Logic) (*Checker, error) {
	builder, err := san.NewBuilder(h)
	if err != nil {
		return nil, err
	}
	builder.RequireMutual()
	return newChecker(builder, props, logic)
}

// newChecker returns a checker for the run that builder reads.
func newChecker(builder *san.Builder, props []*spec.Property, logic lsl.Logic) (*Checker, error) {
	c := &Checker{logic: logic, builder: builder, net: builder.Net(), broken: make(chan failure, 1)}
	c.version = version{graph: graph{c.net}, common: &c.common}
	h := c.net.Header()
	var shared []string
	for _, s := range h.Shared {
		shared = append(shared, s.Name)
	}
	var resolved []*spec.Property
	for _, p := range props {
		r, err := tlcheck.Resolve(h, p)
		if err != nil {
			return nil, err
		}
		if err := tlcheck.Monitorable(r, logic, shared); err != nil {
			return nil, err
		}
		resolved = append(resolved, r)
	}
	set := formula.CompileSet(resolved, logic)
	b := newBuilder(set)
	for i, f := range set.Formulas {
		r := b.root(f)
		r.property = props[i]
		c.roots = append(c.roots, r)
	}
	c.stages = b.stages
	c.lendRows()
	for _, l := range set.Locals {
		c.locals = append(c.locals, &localFormula{Formula: lsl.Compile(c.net, l, logic)})
	}
	c.currentTruths = make([]lsl.Truth, len(c.locals))
	c.prepare(len(set.Names))
	return c, nil
}

// Inline runs the stages one after the other within Step, instead of in a goroutine each: for
// callers with many checkers, each with little work per step. It must be called before the first
// step.
func (c *Checker) Inline() { c.inline = true }

// Restart ends the checker and returns one for other properties and the rest of the run, which
// begins with the present slice: the earlier part is forgotten (Frey and Schlingloff 1998, §4.7).
// If a property is refused, nothing changes. Some tasks may not know the slice. That does not
// matter: the run begins there, so all future events come after it.
func (c *Checker) Restart(props []*spec.Property) (*Checker, error) {
	fresh, err := newChecker(c.builder, props, c.logic)
	if err != nil {
		return nil, err
	}
	c.end()
	base := make([]int32, c.net.Tasks())
	for t := range base {
		base[t] = int32(c.net.Len(san.Task(t)))
	}
	c.builder.Forget(base, func(san.Task) bool { return true })
	return fresh, nil
}

// Drop ends the checker without a verdict.
func (c *Checker) Drop() {
	if !c.closed {
		c.end()
	}
}

// end stops the pipeline.
func (c *Checker) end() {
	c.closed = true
	if c.working {
		for _, s := range c.stages {
			close(s.channels.start)
		}
	}
}

// Add reads one event; pos is its position, for errors. The event becomes part of the next version.
func (c *Checker) Add(e *event.Event, pos string) error { return c.builder.Add(e, pos) }

// AddFrom is Add for readers. It computes the position only for an error.
func (c *Checker) AddFrom(e *event.Event, r san.Positioner) error { return c.builder.AddFrom(e, r) }

// End declares that no further event of a task will be added, although the task has not ended.
func (c *Checker) End(task string) { c.builder.End(task) }

// Creates reports whether the run has a task of that name, or will have it once the waiting events
// have become part of it.
func (c *Checker) Creates(task string) bool { return c.builder.Creates(task) }

// Waiting returns the number of events that wait for others.
func (c *Checker) Waiting() int { return c.builder.Waiting() }

// Oldest returns the waiting event that was read first. At least one event must wait.
func (c *Checker) Oldest() event.Ref { return c.builder.OldestWaiting() }

// Bytes returns the approximate memory of the checker, in time proportional to the number of tasks
// and open intervals.
func (c *Checker) Bytes() int {
	intervals := 0
	for _, m := range c.memories {
		intervals += m.size()
	}
	const perInterval, perWalker, perStage = 250, 500, 1000
	return c.builder.Bytes() + intervals*perInterval + len(c.walkers)*perWalker + len(c.stages)*perStage
}

// PendingError returns an error that says why the events outside of all versions wait, nil if there
// are none.
func (c *Checker) PendingError() error { return c.builder.PendingError() }

// Remember makes the checker keep the whole run, for other uses of the net.
func (c *Checker) Remember() { c.keepsRun, c.bounded = true, false }

// Properties returns the properties in the order in which they were given.
func (c *Checker) Properties() []*spec.Property {
	var ps []*spec.Property
	for _, r := range c.roots {
		ps = append(ps, r.property)
	}
	return ps
}

// Net returns the net as far as it is read. It must not be used during other calls. The next Step
// may forget its beginning: see san.Builder.Forget.
func (c *Checker) Net() *san.Net { return c.net }

// Step makes a version of the added events and returns the first violation of each property that
// had none before. An error is the cause that ended the context; the checker has then ended, too,
// and later calls return the same error.
func (c *Checker) Step(ctx context.Context) ([]*Violation, error) { return c.step(ctx, false) }

// Close ends the run, and the checker: pending questions are decided. It also returns the net of
// the whole run. Errors are those of Step.
func (c *Checker) Close(ctx context.Context) ([]*Violation, *san.Net, error) {
	if c.closed {
		return nil, c.net, c.stopped
	}
	found, err := c.step(ctx, true)
	if err != nil {
		return nil, nil, err
	}
	c.end()
	return found, c.builder.Partial(), nil
}

func (c *Checker) step(ctx context.Context, closed bool) ([]*Violation, error) {
	if c.stopped != nil {
		return nil, c.stopped
	}
	forgets := c.base != nil
	if forgets {
		c.forget()
	}
	v := &c.version // the stages are done with the last version
	v.ctx, v.number, v.states, v.before = ctx, v.number+1, v.states[:0], len(c.walkers)
	v.closed, v.whole, v.sweep = closed, c.renamings == 0, false
	c.extend(v)
	v.calm = c.isCalm(v, forgets)
	found, err := c.judge(v)
	if err != nil {
		c.stopped = err
		c.end()
		return nil, err
	}
	if len(found) > 0 {
		c.idleStages()
	}
	c.plan(v)
	return found, nil
}

// judge runs the stages and returns the violations that they find.
func (c *Checker) judge(v *version) ([]*Violation, error) {
	quiet := c.isQuiet(v)
	if !quiet {
		if err := c.work(v); err != nil {
			return nil, err
		}
	}
	var found []*Violation
	for _, r := range c.roots {
		var fresh []*openInterval
		if !quiet {
			var err error
			if fresh, err = c.awaitFresh(r); err != nil {
				return nil, err
			}
		}
		if f := r.update(v, fresh); f != nil {
			found = append(found, f)
		}
	}
	select {
	case f := <-c.broken: // the stage's results may be wrong
		return nil, f.raise()
	default:
		return found, nil
	}
}

// work gives all stages the next version. A stage stands after its children.
func (c *Checker) work(v *version) error {
	if !c.inline && !c.working {
		c.working = true
		c.connect()
		for _, s := range c.stages {
			go s.run(c.broken)
		}
	}
	for _, s := range c.stages {
		if !c.inline {
			s.channels.start <- v
		} else if err := s.follow(v); err != nil {
			return err
		}
	}
	return nil
}

// awaitFresh waits for a root's new open intervals.
func (c *Checker) awaitFresh(r *root) ([]*openInterval, error) {
	if c.inline {
		return r.top.out, nil
	}
	select {
	case fresh := <-r.in:
		return fresh, nil
	case f := <-c.broken:
		return nil, f.raise()
	}
}

// idleStages idles the stages that only violated properties need, and discards their state.
func (c *Checker) idleStages() {
	busy := map[*stage]bool{}
	var mark func(*stage)
	mark = func(s *stage) {
		if !busy[s] {
			busy[s] = true
			for _, k := range s.kids {
				mark(k)
			}
		}
	}
	for _, r := range c.roots {
		if r.found == nil {
			mark(r.top)
		}
	}
	for _, s := range c.stages {
		if !busy[s] && !s.idle {
			s.idle = true
			n, ok := s.node.(forgetter)
			c.memories = stdslices.DeleteFunc(c.memories, func(m forgetter) bool { return ok && m == n })
			s.node = nil
		}
	}
	c.measure()
}

// minSwept is the minimal number of new local states between sweeps: a sweep visits every node.
const minSwept = 32

// extend evaluates the local formulas in the new local states, in recorded order.
func (c *Checker) extend(v *version) {
	for len(c.walkers) < c.net.Tasks() && c.net.Initial(san.Task(len(c.walkers))) {
		c.create(v)
	}
	events := c.net.Recorded(c.eventsRead)
	c.eventsRead += len(events)
	for _, t := range events {
		w := c.walkers[t]
		w.Next()
		if c.evaluate(w) || c.windows || c.thorough {
			c.state(v, w)
		} else {
			c.states++
		}
		for c.creates(san.Action{Task: t, K: int32(w.State().K())}) {
			c.create(v)
		}
	}
	v.tasks = len(c.walkers)
	if c.statesSinceSweep += len(events); c.statesSinceSweep >= max(v.tasks, min(minSwept, c.patience)) {
		c.statesSinceSweep, v.sweep = 0, true
	}
}

// creates reports whether the event creates the next task.
func (c *Checker) creates(a san.Action) bool {
	if len(c.walkers) == c.net.Tasks() {
		return false
	}
	by, ok := c.net.SpawnedBy(san.Task(len(c.walkers)))
	return ok && by == a
}

// create adds state 0 of the next task.
func (c *Checker) create(v *version) {
	w := &walker{Walker: c.net.Walk(san.Task(len(c.walkers)))}
	c.walkers = append(c.walkers, w)
	c.evaluate(w)
	c.state(v, w)
}

// state adds the local state of a walker to the version.
func (c *Checker) state(v *version, w *walker) {
	v.states = append(v.states,
		state{task: w.State().Task(), k: int32(w.State().K()), number: c.states, truths: w.truths})
	c.states++
}

// evaluate reports whether some local formula has another truth than in the walker's previous local
// state, if there was one.
func (c *Checker) evaluate(w *walker) (changed bool) {
	version := w.State().Version()
	if w.steady && version == w.version {
		return false
	}
	w.version, w.steady = version, true
	for i, l := range c.locals {
		faults := l.log.Faults()
		c.currentTruths[i] = l.Eval(w.State(), &l.log)
		w.steady = w.steady && l.log.Faults() == faults // faults are counted in every state
	}
	if stdslices.Equal(w.truths, c.currentTruths) {
		return false
	}
	w.truths = c.newTruths()
	copy(w.truths, c.currentTruths)
	return true
}

// newTruths returns memory for the truth of each local formula.
func (c *Checker) newTruths() []lsl.Truth {
	n := len(c.locals)
	if len(c.truths) < n {
		c.truths = make([]lsl.Truth, max(n, min(c.states, 4096)))
	}
	truths := c.truths[:n:n]
	c.truths = c.truths[n:]
	return truths
}

// update returns the property's first violation, nil if it has none or had one before.
func (r *root) update(v *version, fresh []*openInterval) *Violation {
	if r.found != nil {
		return nil
	}
	for _, p := range fresh {
		if r.property.Initially && !p.hasInitial {
			continue
		}
		r.kept = append(r.kept, p)
	}
	kept := r.kept[:0]
	for _, p := range r.kept {
		if !v.fulfils(p.low, p.obligations) {
			if !v.sweep ||
				!stdslices.ContainsFunc(p.obligations,
					func(d obligation) bool { return !d.holds(v.graph, p.low) && d.isOver(v.commonKnowledge(0)) }) {
				kept = append(kept, p)
			}
			continue
		}
		r.found = &Violation{Property: r.property, Formula: r.formula, Actions: v.settled(p.low), TIVA: r.bindings(p)}
		r.kept = nil
		return r.found
	}
	r.kept = kept
	return nil
}

func (r *root) bindings(p *openInterval) []tlcheck.Binding {
	var bs []tlcheck.Binding
	for i, slot := range r.formula.Free {
		bs = append(bs, tlcheck.Binding{TIV: r.formula.TIVs[i], Task: max(p.tiva[slot], 0)})
	}
	return bs
}
