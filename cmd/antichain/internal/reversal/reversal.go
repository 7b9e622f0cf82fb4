// Package reversal finds pairs of operations of a run that only they themselves order, and makes
// schedules in which they come the other way round.
//
//	pairs := new(reversal.Watcher) // of the operations of a run
//	for _, p := range pairs.Ranked(names) {
//		s, err := p.Schedule(visits, names, source, patience)
//	}
//
// The two operations compete for one object, and the goroutine of the later one knew nothing of
// the earlier one before it. So there is an order of the same program in which the later one comes
// first, unless something that is not recorded decides, such as time. A goroutine that closes a
// channel may know of a send there by its message alone. It may also close without that message: a
// select statement can take another case.
package reversal

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Bounds of what is kept of a run.
const (
	maxObjects  = 1 << 16 // at a time, with events
	maxEvents   = 32      // of each object
	maxSiblings = 8       // of each channel
	maxPairs    = 4096    // of the run
)

// Watcher collects the pairs of a run. It implements op.Watcher. The zero value is ready.
type Watcher struct {
	tasks    map[op.Task]*task
	classes  map[classKey]int // by their origins, from 1
	origins  []classKey
	objects  map[object][]event
	siblings map[op.Object][]op.Object // channels that a select statement has waited for besides
	timers   map[op.Object]bool        // channels that timers send on
	limited  map[op.Object]event       // the last select statement that waited for a timer besides
	passed   map[op.Object]event       // of these, the last one that went on by its timer
	seen     map[pairKey]bool
	pairs    []Pair
}

// task is the state of a goroutine.
type task struct {
	class   int
	clock   *clock.Clock // what it knew after its last operation
	parent  op.Task
	parentK int32 // of the go statement
	looked  look
	// the select statement where it waits for a timer and others; of role 0 if it does not
	limit  event
	others []op.Object // the channels of these
}

// look is an operation by which a goroutine may find out what to do next: a select statement that
// takes its default, the load of an atomic variable, or the end of a critical section.
type look struct {
	k    int32
	kind op.Kind
	at   op.Place
}

// maxBehindLook bounds the operations from a look to what it decides.
const maxBehindLook = 3

// knows reports whether the goroutine, with that clock, knows of an event of another one.
func (t *task) knows(c *clock.Clock, e *event) bool {
	return c.At(int32(e.task)) >= e.k || t.parent == e.task && t.parentK >= e.k
}

// onlyHears reports whether the goroutine, with that clock, knows of a send by its message alone:
// of nothing that came after it.
func (t *task) onlyHears(c *clock.Clock, e *event) bool {
	return e.role == sending && c.At(int32(e.task)) == e.k && (t.parent != e.task || t.parentK < e.k)
}

// classKey distinguishes classes of goroutines: by their go statements, and those of their
// ancestors.
type classKey struct {
	parent int
	at     op.Place
}

// object is an object for which operations compete, or the memory of an atomic variable.
type object struct {
	object  op.Object
	address uint64
}

// event is an operation, done or about to be done.
type event struct {
	task  op.Task
	class int
	k     int32
	role  role
	at    op.Place
	look  look // right before it; the zero value if there was none
}

// pairKey distinguishes pairs.
type pairKey struct {
	earlier, later side
}

// side is the place of an operation, and the class of its goroutine.
type side struct {
	role  role
	class int
	at    op.Place
}

func (e *event) side() side { return side{e.role, e.class, e.at} }

// Op implements op.Watcher.
func (w *Watcher) Op(o *op.Op) {
	switch o.Kind {
	case op.Go:
		w.task(o.Other).start(o, w.class(o))
	case op.End:
		delete(w.tasks, o.Task)
		return
	case op.Free:
		delete(w.objects, object{object: o.Object})
		delete(w.siblings, o.Object)
		delete(w.timers, o.Object)
		delete(w.limited, o.Object)
		delete(w.passed, o.Object)
	case op.Arm:
		if w.timers == nil {
			w.timers = make(map[op.Object]bool)
		}
		w.timers[o.Object] = true
	case op.Block:
		w.block(o)
	case op.Select:
		w.choose(o)
		if o.TakesDefault() {
			w.look(o)
		}
	case op.Unlock, op.RUnlock:
		w.look(o)
	case op.Handoff:
		w.add(o, sending, o.Object, o.Begin)
		if o.Other != op.NoTask {
			w.goOn(o.Other, o.Object)
			received := event{task: o.Other, k: o.OtherK, role: receiving, at: o.OtherAt}
			w.addEvent(object{object: o.Object}, received, o.OtherBegin)
			w.learn(o.Other, o.Full)
		}
	case op.Recv, op.RecvClosed:
		if o.Task != op.NoTask {
			w.goOn(o.Task, o.Object)
		}
		w.add(o, receiving, o.Object, o.Begin)
	case op.AtomicLoad, op.AtomicStore:
		if o.Task != op.NoTask {
			w.addEvent(object{address: o.Address}, event{task: o.Task, k: o.K, role: roles[o.Kind], at: o.At}, nil)
		}
		if o.Kind == op.AtomicLoad {
			w.look(o)
		}
	default:
		if r, ok := roles[o.Kind]; ok {
			w.add(o, r, o.Object, o.Begin)
		}
	}
	w.learn(o.Task, o.Full)
}

// look notes that a goroutine may find out what to do next.
func (w *Watcher) look(o *op.Op) {
	if o.Task != op.NoTask {
		w.task(o.Task).looked = look{o.K, o.Kind, o.At}
	}
}

// task returns the state of a goroutine.
func (w *Watcher) task(t op.Task) *task {
	known := w.tasks[t]
	if known == nil {
		if w.tasks == nil {
			w.tasks = make(map[op.Task]*task)
		}
		known = &task{parent: op.NoTask}
		w.tasks[t] = known
	}
	return known
}

// start notes the go statement of the goroutine.
func (t *task) start(o *op.Op, class int) {
	t.class, t.clock, t.parent, t.parentK = class, o.Full, o.Task, o.K
}

// class returns the class of the goroutine that a go statement starts. That of main is 0.
func (w *Watcher) class(o *op.Op) int {
	key := classKey{at: o.At}
	if o.Task != op.NoTask {
		key.parent = w.task(o.Task).class
	}
	n, ok := w.classes[key]
	if !ok {
		if w.classes == nil {
			w.classes = make(map[classKey]int)
		}
		w.origins = append(w.origins, key)
		n = len(w.origins)
		w.classes[key] = n
	}
	return n
}

// learn notes what a goroutine knows after an operation.
func (w *Watcher) learn(t op.Task, known *clock.Clock) {
	if t != op.NoTask && known != nil {
		w.task(t).clock = known
	}
}

// block adds what a goroutine waits to do. The operation itself is perhaps much later.
func (w *Watcher) block(o *op.Op) {
	switch o.Want {
	case op.Select:
		for _, c := range o.Cases {
			w.add(o, roles[c.Kind()], c.Object, nil)
			w.join(c.Object, o.Cases)
		}
		if slices.ContainsFunc(o.Cases, func(c op.Case) bool { return w.timers[c.Object] }) {
			w.limit(o)
		}
	case op.Send, op.Recv, op.CondWait, op.Wait:
		w.add(o, roles[o.Want], o.Object, nil)
	}
}

// limit notes that a timer may end the wait of a select statement.
func (w *Watcher) limit(o *op.Op) {
	if w.limited == nil {
		w.limited = make(map[op.Object]event)
	}
	t := w.task(o.Task)
	t.limit = event{task: o.Task, class: t.class, k: o.K, role: selecting, at: o.At}
	t.others = t.others[:0]
	for _, c := range o.Cases {
		if c.Object != 0 && !w.timers[c.Object] {
			w.limited[c.Object] = t.limit
			t.others = append(t.others, c.Object)
		}
	}
}

// goOn notes that a goroutine receives, perhaps in the select statement in which it has waited for
// a timer.
func (w *Watcher) goOn(number op.Task, from op.Object) {
	t := w.task(number)
	if t.limit.role != selecting {
		return
	}
	if w.passed == nil {
		w.passed = make(map[op.Object]event)
	}
	for _, c := range t.others {
		if w.limited[c] == t.limit {
			delete(w.limited, c)
		}
		if w.timers[from] {
			w.passed[c] = t.limit
		}
	}
	t.limit.role = 0
}

// join makes the channels of other cases siblings of one.
func (w *Watcher) join(channel op.Object, cases []op.Case) {
	if channel == 0 {
		return
	}
	for _, c := range cases {
		known := w.siblings[channel]
		if c.Object == 0 || c.Object == channel || len(known) >= maxSiblings || slices.Contains(known, c.Object) {
			continue
		}
		if w.siblings == nil {
			w.siblings = make(map[op.Object][]op.Object)
		}
		w.siblings[channel] = append(known, c.Object)
	}
}

// choose adds a select statement that does not wait.
func (w *Watcher) choose(o *op.Op) {
	if !o.HasDefault() {
		return
	}
	for _, c := range o.Cases {
		r := tryingToReceive
		if c.Send {
			r = tryingToSend
		}
		w.add(o, r, c.Object, nil)
	}
}

// add adds an operation at an object. before is what its goroutine knew right before, nil if it is
// what it knew after its last operation.
func (w *Watcher) add(o *op.Op, r role, at op.Object, before *clock.Clock) {
	if o.Task == op.NoTask || at == 0 {
		return
	}
	if r == locking || r == readLocking {
		before = nil // it may include the unlock before
	}
	w.addEvent(object{object: at}, event{task: o.Task, k: o.K, role: r, at: o.At}, before)
}

// addEvent adds an event at an object, and the pairs that it makes with earlier ones.
func (w *Watcher) addEvent(at object, later event, before *clock.Clock) {
	t := w.task(later.task)
	if before == nil {
		before = t.clock
	}
	later.class = t.class
	if l := t.looked; l.kind != op.None && l.k < later.k && l.k+maxBehindLook >= later.k {
		later.look = l
	}
	w.pairUp(w.objects[at], later, t, before, conflicts)
	if later.role <= closing {
		if wait, ok := w.limited[at.object]; ok && wait.task != later.task {
			w.addPair(Pair{earlier: later, later: wait, kind: forTimer}) // the timer comes first
		}
		if wait, ok := w.passed[at.object]; ok && wait.task != later.task && !t.knows(before, &wait) {
			w.addPair(Pair{earlier: wait, later: later, kind: forTimer}) // the timer comes last
		}
	}
	if later.role == sending || later.role == closing {
		for _, sibling := range w.siblings[at.object] {
			w.pairUp(w.objects[object{object: sibling}], later, t, before, rivals)
		}
	}
	w.keep(at, later)
}

// keep remembers the last event of each goroutine, place and role at an object.
func (w *Watcher) keep(at object, e event) {
	if w.objects == nil {
		w.objects = make(map[object][]event)
	}
	if w.objects[at] == nil && len(w.objects) >= maxObjects {
		return
	}
	kept := slices.DeleteFunc(w.objects[at], func(old event) bool {
		return old.task == e.task && old.at == e.at && old.role == e.role
	})
	if len(kept) >= maxEvents {
		kept = slices.Delete(kept, 0, 1)
	}
	w.objects[at] = append(kept, e)
}

// pairUp adds the pairs of an event with earlier ones that its goroutine did not know of.
func (w *Watcher) pairUp(events []event, later event, t *task, before *clock.Clock, kindOf func(a, b role) kind) {
	for i := len(events) - 1; i >= 0; i-- {
		earlier := events[i]
		k := kindOf(earlier.role, later.role)
		if k == none || earlier.task == later.task {
			continue
		}
		heard := later.role == closing && t.onlyHears(before, &earlier)
		if heard || !t.knows(before, &earlier) {
			w.addPair(Pair{earlier: earlier, later: later, kind: k, heard: heard})
		}
	}
}

// addPair adds a pair that is unlike those so far.
func (w *Watcher) addPair(p Pair) {
	key := pairKey{p.earlier.side(), p.later.side()}
	if w.seen[key] || len(w.pairs) >= maxPairs {
		return
	}
	if w.seen == nil {
		w.seen = make(map[pairKey]bool)
	}
	w.seen[key] = true
	w.pairs = append(w.pairs, p)
}
