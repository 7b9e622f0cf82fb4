package orders

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/unfolding"
	"github.com/antichain-go/antichain/tracer/op"
)

// ErrTooLong says that a run has too many operations.
var ErrTooLong = fmt.Errorf("a run has more than %d operations", maxOperations)

// Run returns what was watched as a run that begins with a prefix. The error is ErrDiverged if it
// does not, or ErrTooLong.
func (n *Numbers) Run(w *Watcher, names op.Names, prefix []unfolding.Taken) (unfolding.Run, error) {
	if w.cut {
		return unfolding.Run{}, ErrTooLong
	}
	r := &reader{
		numbers: n, names: names, capacity: w.capacity, tasks: make(map[op.Task]*task),
		writing: make(map[op.Object]bool), uses: make(map[op.Object][]string),
	}
	r.readAll(w.operations) // once for the uses of objects
	r.objects = n.bind(r.uses)
	r.tasks, r.writing, r.run = make(map[op.Task]*task), make(map[op.Object]bool), unfolding.Run{}
	r.readAll(w.operations)
	steps, err := begin(&r.run, prefix)
	r.run.Steps = steps
	return r.run, err
}

// reader reads the operations of a run.
type reader struct {
	numbers  *Numbers
	names    op.Names
	capacity map[op.Object]int
	tasks    map[op.Task]*task
	writing  map[op.Object]bool // whether a writer of a RWMutex is announced, or there
	uses     map[op.Object][]string
	objects  map[op.Object]unfolding.Object // nil the first time
	run      unfolding.Run
}

// task is what is known of a goroutine.
type task struct {
	number    unfolding.Goroutine
	name      string
	done      int        // operations so far
	chooses   *operation // the select statement that it is in
	waits     *operation
	announced bool // it is a writer of a RWMutex
	let       bool // a writer has let it read, and its record of that is to come
	ended     bool
}

func (r *reader) task(t op.Task) *task {
	known := r.tasks[t]
	if known == nil {
		name := r.names.Task(t).Name
		known = &task{number: r.numbers.goroutine(name), name: name}
		r.tasks[t] = known
	}
	return known
}

func (r *reader) readAll(all []operation) {
	for i := range all {
		r.read(&all[i])
	}
	r.end()
}

// read reads an operation.
func (r *reader) read(o *operation) {
	if o.task == op.NoTask {
		r.readOfNone(o)
		return
	}
	if why := r.doubtOf(o); why != "" {
		r.numbers.Doubt(why)
	}
	t := r.task(o.task)
	switch o.kind {
	case op.Go:
		started := r.task(o.other)
		r.emit(t, unfolding.Operation{Kind: unfolding.Start, Starts: started.number, Place: r.place(o.at)})
	case op.End:
		t.ended = true
	case op.Left:
		t.ended = true
	case op.Block:
		r.block(t, o)
	case op.Select:
		if t.chooses = o; o.takes {
			r.communicate(t, unfolding.Default, r.choice(t, o, false))
		}
	case op.Handoff:
		r.handOff(t, o)
	case op.Send, op.Recv, op.RecvClosed:
		operation := r.choice(t, o, o.kind == op.Send)
		r.communicate(t, r.caseOf(operation, o, o.kind == op.Send), operation)
	case op.Misuse:
		r.misuse(t, o)
	case op.Lock, op.Unlock:
		r.lock(t, o)
	case op.RLock:
		if !t.let {
			r.emit(t, r.simple(t, o, unfolding.ReadLock))
		}
		t.let = false
	case op.RUnlock, op.Add, op.Done, op.Wait, op.Close:
		r.emit(t, r.simple(t, o, simple[o.kind]))
	}
}

// simple are the kinds of operations that have an object and no more.
var simple = map[op.Kind]unfolding.Kind{
	op.RLock: unfolding.ReadLock, op.RUnlock: unfolding.ReadUnlock, op.Add: unfolding.Add, op.Done: unfolding.Add,
	op.Wait: unfolding.Wait, op.Close: unfolding.Close, op.Lock: unfolding.Lock,
}

// readOfNone reads what no goroutine does.
func (r *reader) readOfNone(o *operation) {
	switch o.kind {
	case op.Conflict:
		r.numbers.Doubt("data races")
	case op.Go, op.Send, op.Handoff, op.Close:
		r.numbers.Doubt("operations of the runtime")
	}
}

// doubtOf says why there may be other orders if there is an operation like this one; "" if there
// are not.
func (r *reader) doubtOf(o *operation) string {
	place := r.names.Place(o.at)
	switch o.kind {
	case op.Conflict:
		return "data races"
	case op.Arm, op.Stop, op.Fire:
		return "timers"
	case op.Outside:
		return "the outside world"
	case op.CondWait, op.Signal, op.Broadcast:
		return "Cond"
	}
	switch o.want { // of a Block
	case op.CondWait:
		return "Cond"
	case op.Once:
		return "Once"
	}
	switch {
	case o.kind == op.Handoff && o.other == op.NoTask, o.kind == op.Go && o.arg != 0:
		return "timers"
	case o.kind == op.Block && o.arg != 0:
		return "select statements of many cases"
	case place.Library:
		return ""
	case o.kind == op.AtomicLoad, o.kind == op.AtomicStore:
		return "atomic variables"
	case o.kind == op.Once:
		return "Once"
	case (o.kind == op.Lock || o.kind == op.RLock) && o.arg != 0:
		return "TryLock"
	}
	return ""
}

func (r *reader) place(at op.Place) int { return r.numbers.place(r.names.Place(at).At) }

// object returns the number of an object. which distinguishes the objects of one operation.
func (r *reader) object(t *task, o op.Object, at op.Place, which int) unfolding.Object {
	if r.objects == nil {
		use := fmt.Sprintf("%s %d %d %s", t.name, t.done, which, r.names.Place(at).At)
		r.uses[o] = append(r.uses[o], use)
	}
	return r.objects[o]
}

func (r *reader) simple(t *task, o *operation, kind unfolding.Kind) unfolding.Operation {
	simple := unfolding.Operation{Kind: kind, Object: r.object(t, o.object, o.at, 0), Place: r.place(o.at)}
	if kind == unfolding.Add {
		simple.Delta = int(o.arg)
	}
	return simple
}

func (r *reader) emit(t *task, o unfolding.Operation) { r.communicate(t, 0, o) }

// communicate adds a step of one goroutine.
func (r *reader) communicate(t *task, which int, o unfolding.Operation) {
	step := unfolding.Step{Goroutine: t.number, Case: which, Partner: unfolding.Alone}
	r.run.Steps = append(r.run.Steps, unfolding.Taken{Step: step, Operation: o})
	t.done++
	t.chooses, t.waits, t.announced = nil, nil, false
}

// block notes what a goroutine waits for. A writer of a RWMutex that finds no other one keeps
// readers away from here on.
func (r *reader) block(t *task, o *operation) {
	t.waits = o
	if o.want == op.Lock && r.isRW(o.object) && !r.writing[o.object] {
		r.writing[o.object] = true
		r.emit(t, r.simple(t, o, unfolding.Announce))
		t.waits, t.announced = o, true
	}
}

func (r *reader) isRW(o op.Object) bool { return strings.HasPrefix(r.names.Object(o), "rwmutex") }

func (r *reader) isOnce(o op.Object) bool { return strings.HasPrefix(r.names.Object(o), "once") }

// lock reads a Lock or Unlock. The lock inside a Once has no turn of its own.
func (r *reader) lock(t *task, o *operation) {
	switch locks := o.kind == op.Lock; {
	case r.isOnce(o.object):
		t.waits = nil
	case !r.isRW(o.object) && locks:
		r.emit(t, r.simple(t, o, unfolding.Lock))
	case !r.isRW(o.object):
		r.emit(t, r.simple(t, o, unfolding.Unlock))
	case locks:
		if !t.announced {
			r.emit(t, r.simple(t, o, unfolding.Announce))
		}
		r.writing[o.object] = true
		r.emit(t, r.simple(t, o, unfolding.Acquire))
	default:
		r.writing[o.object] = false
		r.emit(t, r.simple(t, o, unfolding.WriteUnlock))
		r.letRead(o.object)
	}
}

// letRead lets the readers that wait for a writer read. They record it later, perhaps behind
// another writer that waits for them.
func (r *reader) letRead(lock op.Object) {
	for _, id := range slices.Sorted(maps.Keys(r.tasks)) {
		if t := r.tasks[id]; t.waits != nil && t.waits.want == op.RLock && t.waits.object == lock {
			r.emit(t, r.simple(t, t.waits, unfolding.ReadLock))
			t.let = true
		}
	}
}

// choice returns a send or receive, or the select statement that it is a case of.
func (r *reader) choice(t *task, o *operation, send bool) unfolding.Operation {
	from := t.chooses
	if from == nil && t.waits != nil && t.waits.want == op.Select {
		from = t.waits
	}
	if from != nil {
		return r.selection(t, from)
	}
	return r.single(t, o.object, o.at, send)
}

func (r *reader) single(t *task, channel op.Object, at op.Place, send bool) unfolding.Operation {
	return unfolding.Operation{
		Kind: unfolding.Communicate, Place: r.place(at),
		Cases: []unfolding.Case{r.newCase(t, op.Case{Object: channel, Send: send}, at, 0)},
	}
}

func (r *reader) selection(t *task, o *operation) unfolding.Operation {
	all := unfolding.Operation{Kind: unfolding.Communicate, Default: o.defaults, Place: r.place(o.at)}
	for i, c := range o.cases {
		if c.Object != 0 {
			all.Cases = append(all.Cases, r.newCase(t, c, o.at, i))
		}
	}
	return all
}

func (r *reader) newCase(t *task, c op.Case, at op.Place, which int) unfolding.Case {
	return unfolding.Case{Send: c.Send, Channel: r.object(t, c.Object, at, which), Capacity: r.capacity[c.Object]}
}

// caseOf returns the case of an operation that was taken.
func (r *reader) caseOf(all unfolding.Operation, o *operation, send bool) int {
	for i, c := range all.Cases {
		if c.Send == send && c.Channel == r.objects[o.object] {
			return i
		}
	}
	return 0
}

// handOff reads a sender and a receiver that meet.
func (r *reader) handOff(t *task, o *operation) {
	if o.other == op.NoTask {
		return
	}
	u := r.task(o.other)
	sends := r.choice(t, o, true)
	receives := r.choice(u, &operation{object: o.object, at: o.otherAt}, false)
	step := unfolding.Step{
		Goroutine: t.number, Case: r.caseOf(sends, o, true), Partner: u.number, Receives: r.caseOf(receives, o, false),
	}
	r.run.Steps = append(r.run.Steps, unfolding.Taken{Step: step, Operation: sends, Received: receives})
	for _, x := range []*task{t, u} {
		x.done++
		x.chooses, x.waits, x.announced = nil, nil, false
	}
}

// misuse reads a send to a closed channel, or its close: both panic.
func (r *reader) misuse(t *task, o *operation) {
	switch op.Mistake(o.arg) {
	case op.SendClosed:
		sends := r.choice(t, o, true)
		r.communicate(t, r.caseOf(sends, o, true), sends)
	case op.CloseClosed:
		r.emit(t, r.simple(t, o, unfolding.Close))
	}
}

// end notes what goroutines wait for in the end. One that neither waits nor has ended might have
// gone on.
func (r *reader) end() {
	r.run.Blocked = make(map[unfolding.Goroutine]unfolding.Operation)
	for id, t := range r.tasks {
		switch {
		case t.waits != nil:
			r.run.Blocked[t.number] = r.blocked(t)
		case !t.ended && id != op.NoTask:
			r.numbers.Doubt("goroutines that were cut off by the end of the program")
		}
	}
}

func (r *reader) blocked(t *task) unfolding.Operation {
	o := t.waits
	switch {
	case o.want == op.Select:
		return r.selection(t, o)
	case o.object == 0: // for ever
		return unfolding.Operation{}
	case o.want == op.Send, o.want == op.Recv:
		return r.single(t, o.object, o.at, o.want == op.Send)
	case o.want == op.Lock && t.announced:
		return r.simple(t, o, unfolding.Acquire)
	case o.want == op.Lock && r.isRW(o.object):
		return r.simple(t, o, unfolding.Announce)
	}
	if kind, ok := simple[o.want]; ok {
		return r.simple(t, o, kind)
	}
	return unfolding.Operation{}
}
