package san

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	stdslices "slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// A net that grows for ever can forget its beginning: a slice that every event still to come
// has in its past. What is left is a net that begins with that slice: its tasks are there from the
// start, each in the local state that it has there, and their events are counted from there.
//
// The events that are left are read once more, by the same steps as at first. If the net has
// doubled since it last forgot, that is one further reading of each event at most.

// beginning is the local state 0 of a task whose first events are forgotten.
type beginning struct {
	skipped int64   // how many
	frames  []frame // not to be changed, nor the scopes
	own     scope
	place   string // where the last of them was that has a position

	parent  Task   // who created the task; -1 if nobody did, or that task is forgotten
	creator string // its name
	origin  Info   // of the event that did
}

// Renaming says what the tasks and actions of a net are called when some of them are forgotten.
type Renaming struct {
	tasks   []Task // by earlier number; -1 is forgotten
	skipped []int32
}

// Task returns the task's number now; false if it is forgotten.
func (r *Renaming) Task(t Task) (Task, bool) { return r.tasks[t], r.tasks[t] >= 0 }

// Action returns the action's name now; false if it is forgotten.
func (r *Renaming) Action(a Action) (Action, bool) {
	now := Action{r.tasks[a.Task], a.K - r.skipped[a.Task]}
	return now, now.K > 0
}

// Forget makes the net begin with a slice, given by the number of each task's events in it, none of
// those behind the last number, that every task which has not ended knows in its last local state. Tasks that have ended in the
// slice are forgotten, too, but for those that keep returns true for. All that was learnt from
// the net before has to be renamed, and walkers thrown away. It needs RequireMutual.
//
// Shared variables are invisible afterwards: what was written to them is not known any more.
func (b *Builder) Forget(base []int32, keep func(Task) bool) *Renaming {
	old := *b
	old.n = new(Net)
	*old.n = *b.n
	b.restart(&old)
	r := &Renaming{tasks: make([]Task, len(old.n.tasks)), skipped: make([]int32, len(old.n.tasks))}
	copy(r.skipped, base)
	for t := range r.tasks {
		r.tasks[t] = b.inherit(old.n, Task(t), r, keep)
	}
	b.n.lost = old.n.lost
	for _, k := range base {
		b.n.lost += int64(k)
	}
	b.reread(&old, r)
	for t, was := range old.n.tasks {
		if h := b.n.names.find(was.name); h >= 0 {
			b.n.handles[h].ended = was.ended
			r.tasks[t] = b.n.handles[h].rank
		}
	}
	return r
}

// restart empties the builder and its net.
func (b *Builder) restart(old *Builder) {
	n := old.n
	*b.n = Net{
		header: n.header,
		names:  newInterner(), strs: newInterner(""), vars: n.vars,
		clocks: newClocks(), growing: true, sharedOf: n.sharedOf,
		forgetful: true, calls: n.HasFunctions(),
	}
	for _, v := range n.shared {
		b.n.shared = append(b.n.shared, sharedVariable{name: v.name})
	}
	*b = Builder{
		n: b.n, limit: old.limit, mutual: old.mutual, credit: old.credit, unsound: old.unsound,
		gone: old.gone, err: old.err,
	}
	if b.gone == nil {
		b.gone = map[uint64]int64{}
	}
}

// inherit makes a task that exists in the base an initial one and returns its number, -1 if there
// is none.
func (b *Builder) inherit(old *Net, t Task, r *Renaming, keep func(Task) bool) Task {
	was := old.tasks[t]
	if by, spawned := old.SpawnedBy(t); spawned && by.K > r.skipped[by.Task] {
		return -1
	}
	if was.ended && int(r.skipped[t]) == len(was.records) && !keep(t) {
		events := int64(len(was.records))
		if was.start != nil {
			events += was.start.skipped
		}
		b.gone[hash(was.name)] = events
		return -1
	}
	h := b.task(was.name)
	now := b.n.handles[h]
	now.initial = true
	b.create(h, 0)
	now.start = b.n.remember(old, t, r)
	for _, f := range now.start.frames {
		b.readers[h].stack = append(b.readers[h].stack, call{f.function, f.phase})
	}
	return now.rank
}

// remember returns what is kept of the beginning of a task.
func (n *Net) remember(old *Net, t Task, r *Renaming) *beginning {
	base := r.skipped[t]
	w := old.Walk(t)
	w.Seek(int(base))
	s := &beginning{skipped: int64(base), parent: -1, own: w.s.own.clone(), place: old.Place(t, int(base))}
	if earlier := old.tasks[t].start; earlier != nil {
		s.skipped += earlier.skipped
		s.parent, s.creator, s.origin = earlier.parent, earlier.creator, earlier.origin
	} else if by, ok := old.SpawnedBy(t); ok {
		s.parent = by.Task
		s.creator, s.origin, _ = old.Origin(t)
	}
	if s.parent >= 0 {
		s.parent = r.tasks[s.parent] // created earlier, so that number is known
	}
	for _, f := range w.s.frames {
		s.frames = append(s.frames, frame{n.str(old.strs.strs[f.function]), f.phase, f.vars.clone()})
	}
	return s
}

// Forgotten returns how many events of a task came before its local state 0.
func (n *Net) Forgotten(t Task) int64 {
	if start := n.tasks[t].start; start != nil {
		return start.skipped
	}
	return 0
}

// Number returns the number of a local state among those of its task in the whole run, which is that of
// the event that led there.
func (n *Net) Number(t Task, k int) int64 { return n.Forgotten(t) + int64(k) }

// Lost returns how many events are forgotten, of all tasks.
func (n *Net) Lost() int64 { return n.lost }

// Whole reports whether the net begins where the run began.
func (n *Net) Whole() bool { return !n.forgetful }

// Unsettled returns how many entries of the recorded order stand before something that is forgotten: a
// beginning of that order which is shorter is no slice that the run came through.
func (n *Net) Unsettled() int { return n.unsettled }

// Place returns where a task was when it reached local state k: the last position ("file.go:line") that one of
// its events says; "" if none does.
func (n *Net) Place(t Task, k int) string {
	for ; k > 0; k-- {
		if at := n.Event(Action{t, int32(k)}).At; at != "" {
			return at
		}
	}
	if start := n.tasks[t].start; start != nil {
		return start.place
	}
	return ""
}

// Origin returns the name of the task that created t, and what the trace says about the event that did;
// false if nobody did.
func (n *Net) Origin(t Task) (creator string, by Info, created bool) {
	if start := n.tasks[t].start; start != nil {
		return start.creator, start.origin, start.creator != ""
	}
	a, ok := n.SpawnedBy(t)
	if !ok {
		return "", Info{}, false
	}
	return n.Name(a.Task), n.Event(a), true
}

// reread reads the events that are not forgotten: those that are part of the net in the recorded
// order, then those that wait.
func (b *Builder) reread(old *Builder, r *Renaming) {
	handles := make([]handle, len(old.n.tasks))
	for h, t := range old.n.handles {
		if t.rank >= 0 {
			handles[t.rank] = handle(h)
		}
	}
	count := make([]int32, len(old.n.tasks))
	for i, t := range old.n.order {
		count[t]++
		forgotten := count[t] <= r.skipped[t]
		if !forgotten {
			b.again(old, ref{handles[t], count[t]}, r)
		}
		if forgotten || i < old.n.unsettled {
			b.n.unsettled = len(b.n.order)
		}
	}
	var waiting []ref
	for h, t := range old.n.handles {
		for k := t.done + 1; int(k) <= len(t.records); k++ {
			waiting = append(waiting, ref{handle(h), k})
		}
	}
	stdslices.SortFunc(waiting, func(x, y ref) int { return cmp.Compare(old.waiter(x).seq, old.waiter(y).seq) })
	for _, x := range waiting {
		b.pos = old.waiter(x).pos
		b.again(old, x, r)
	}
}

// again reads an event once more.
func (b *Builder) again(old *Builder, x ref, r *Renaming) {
	if err := b.read(old.event(x, r)); err != nil && b.err == nil {
		b.err = err
	}
}

// event returns an event that was read, with the references that are not forgotten.
func (b *Builder) event(x ref, r *Renaming) *event.Event {
	n, t := b.n, b.n.handles[x.h]
	rec := &t.records[x.k-1]
	s := n.sites[rec.site]
	e := &event.Event{
		Task: t.name, Op: n.strs.strs[s.op], Obj: n.strs.strs[rec.obj], At: n.strs.strs[s.at],
		Enter: n.strs.strs[s.enter], Exit: n.strs.strs[s.exit],
	}
	if g := b.groups[x]; g != nil {
		e.With = b.refer(g.sides, x, r)
	} else if id, ok := t.jointOf(x.k); ok {
		e.With = b.refer(n.sidesOf(id), x, r)
	}
	if rec.more == 0 {
		return e
	}
	p := t.parts(rec)
	if p.flags&hasSpawn != 0 {
		e.Spawn = n.handles[p.spawn].name
	}
	e.After = b.refer(stdslices.Collect(p.refs), x, r)
	for i, list := range []*[]event.Binding{&e.Set, &e.Global, &e.Write} {
		if p.flags&(hasSet<<i) != 0 {
			p.rest = n.bindings(t.words, p.rest, func(variable uint32, v event.Value) {
				*list = append(*list, event.Binding{Name: n.vars.strs[variable], Value: v})
			})
		}
	}
	return e
}

// refer returns references to events, without those to x itself and those that are forgotten.
func (b *Builder) refer(to []ref, x ref, r *Renaming) []event.Ref {
	var refs []event.Ref
	for _, y := range to {
		t, k := b.n.handles[y.h], y.k
		if t.rank >= 0 {
			k -= r.skipped[t.rank]
		}
		if y != x && k > 0 {
			refs = append(refs, event.Ref{Task: t.name, K: int(k)})
		}
	}
	return refs
}

// renumbered returns an event as the net counts: without the references to what is forgotten, which all
// that comes knows. What it returns is overwritten by the next call.
func (b *Builder) renumbered(e *event.Event) (*event.Event, *Error) {
	if b.isGone(e.Task) {
		return nil, b.fault(EventAfterEnd, "task %q has ended", e.Task)
	}
	if b.isGone(e.Spawn) {
		return nil, b.fault(TaskTwice, "task %q is created, but it was there before", e.Spawn)
	}
	b.counted = *e
	var err *Error
	if b.counted.After, err = b.recount("after", e.After); err != nil {
		return nil, err
	}
	if b.counted.With, err = b.recount("with", e.With); err != nil {
		return nil, err
	}
	if len(b.counted.With) < len(e.With) {
		return nil, b.fault(BadJoint, `"with" names an event that was read before without a "with" that leads here; every side must name another`)
	}
	return &b.counted, nil
}

// recount returns references as the net counts, without those to what is forgotten. The key is where they stand in the event.
func (b *Builder) recount(key string, refs []event.Ref) ([]event.Ref, *Error) {
	var counted []event.Ref
	for _, y := range refs {
		if last, gone := b.lastOfGone(y.Task); gone && y.K > 0 {
			if int64(y.K) > last {
				return nil, b.fault(Dangling, "%q names event %d of task %q, which has ended with its event %d", key, y.K, y.Task, last)
			}
			continue
		}
		if skipped := b.skipped(y.Task); y.K > 0 {
			if y.K -= int(skipped); y.K <= 0 {
				continue
			}
		}
		counted = append(counted, y)
	}
	return counted, nil
}

// manyEvents is how many events a forgotten task may have had, for all that is known: snapshots of all versions say only that it is
// forgotten.
const manyEvents = math.MaxInt64

// isGone reports whether a task has ended and is forgotten. Of such tasks only a hash of the name is kept, so that
// any number of them can come and go; two tasks of 2³² have the same one with a probability of a half.
func (b *Builder) isGone(task string) bool {
	_, gone := b.lastOfGone(task)
	return gone
}

// lastOfGone returns how many events a task had that is gone, false if it is not.
func (b *Builder) lastOfGone(task string) (events int64, gone bool) {
	if len(b.gone) == 0 || task == "" || b.n.names.find(task) >= 0 {
		return 0, false
	}
	events, gone = b.gone[hash(task)]
	return events, gone
}

// hash is a hash of a task's name that is the same in every process, and for which nobody finds a second name easily.
func hash(task string) uint64 {
	sum := sha256.Sum256([]byte(task))
	return binary.LittleEndian.Uint64(sum[:])
}

// skipped returns how many events of a task are forgotten.
func (b *Builder) skipped(task string) int64 {
	if h := b.n.names.find(task); h >= 0 {
		return b.number(handle(h), 0)
	}
	return 0
}

// Gone returns how many tasks are forgotten.
func (b *Builder) Gone() int { return len(b.gone) }
