package san

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	stdslices "slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// A net that grows forever can forget its beginning: a slice that is in the past of every future
// event. The remaining net begins with that slice. Its tasks are there from the start, each in its
// local state of the slice, and their events are counted from there.
//
// The builder reads the remaining events again, by the same steps as at first. If the net has
// doubled since it last forgot, each event is read again at most once on average.

// beginning is the local state 0 of a task whose first events are forgotten.
type beginning struct {
	moment
	skipped int64  // how many events
	place   string // position of the last forgotten event that has one

	parent  Task   // the task's creator; -1 if the task has none, or the creator is forgotten
	creator string // name of the creator
	origin  Info   // of the event that created the task
}

// Renaming maps the tasks and actions of a net to those of the net that has forgotten some of them.
type Renaming struct {
	tasks     []Task // by earlier number; -1 for a forgotten task
	skipped   []int32
	stretches [][]stretch // of events that became one event each
	// by earlier number: the event that stands for theirs (condense.go); k 0 if every task knows
	// them
	absorbed map[Task]ref
	walkers  []*Walker // of the earlier net; nil where no state was needed
}

// Task returns the task's new number; false if it is forgotten.
func (r *Renaming) Task(t Task) (Task, bool) { return r.tasks[t], r.tasks[t] >= 0 }

// Action returns the action's new name; false if it is forgotten.
func (r *Renaming) Action(a Action) (Action, bool) {
	now := Action{r.tasks[a.Task], r.event(a.Task, a.K)}
	return now, now.K > 0
}

// absorbs reports whether a task of the earlier net is forgotten because another event stands for
// its events.
func (r *Renaming) absorbs(t *task) bool {
	if t.rank < 0 {
		return false
	}
	_, absorbed := r.absorbed[t.rank]
	return absorbed
}

// State returns the new number of a local state, or of the state that its event leads to now. The
// state must not be forgotten.
func (r *Renaming) State(t Task, k int) int { return int(r.event(t, int32(k))) }

// event returns the new number of event k of a task or, if another event stands for it, of that
// one; 0 or less if it is forgotten.
func (r *Renaming) event(t Task, k int32) int32 {
	if i := stretchesUpTo(r.stretches[t], k); i > 0 {
		s := r.stretches[t][i-1]
		k -= s.dropped + min(k, s.last) - s.first
	}
	return k - r.skipped[t]
}

// Forget makes the net begin with a slice. base has the number of events of each task in it; tasks
// beyond its length have none. Every task that has not ended must know the slice in its last local
// state. Tasks that have ended in the slice are forgotten, too, unless keep returns true for them.
// The caller must rename everything that it learned from the net before, and discard walkers.
// Forget needs RequireMutual.
//
// Shared variables are invisible afterwards, because their earlier writes are no longer known.
func (b *Builder) Forget(base []int32, keep func(Task) bool) *Renaming {
	return b.forget(base, keep, b.n.jumps(base), nil)
}

func (b *Builder) forget(base []int32, keep func(Task) bool, stretches [][]stretch, absorbed map[Task]ref) *Renaming {
	old := *b
	old.n = new(Net)
	*old.n = *b.n
	b.restart(&old)
	r := &Renaming{tasks: make([]Task, len(old.n.tasks)), skipped: make([]int32, len(old.n.tasks)),
		stretches: stretches, absorbed: absorbed,
		walkers: make([]*Walker, len(old.n.tasks))}
	copy(r.skipped, base)
	for t := range r.tasks {
		r.tasks[t] = b.inherit(old.n, Task(t), r, keep)
	}
	b.n.lost = old.n.lost
	for t, k := range base {
		b.n.lost += old.n.tasks[t].number(k) - old.n.tasks[t].number(0)
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

// restart empties the builder and its net. It keeps the header and shared variables of old, and
// what old has forgotten.
func (b *Builder) restart(old *Builder) {
	n := old.n
	*b.n = Net{
		header: n.header,
		names:  newInterner(), strs: newInterner(""), vars: n.vars,
		clocks: newClocks(), growing: true, sharedOf: n.sharedOf,
		hasForgotten: true, entersFunctions: n.HasFunctions(), looksBack: n.looksBack,
	}
	for _, v := range n.shared {
		b.n.shared = append(b.n.shared, sharedVariable{name: v.name})
	}
	*b = Builder{
		n: b.n, limit: old.limit, mutual: old.mutual, credit: old.credit, gaveUpCycle: old.gaveUpCycle,
		forgotten: old.forgotten, standIns: old.standIns, err: old.err,
	}
	if b.forgotten == nil {
		b.forgotten, b.standIns = map[uint64]int64{}, map[uint64]event.Ref{}
	}
}

// inherit makes a task that exists in the base an initial one and returns its number, -1 if there
// is no such task.
func (b *Builder) inherit(old *Net, t Task, r *Renaming, keep func(Task) bool) Task {
	was := old.tasks[t]
	if x, absorbed := r.absorbed[t]; absorbed {
		b.forgetTask(was, old.nameOf(x))
		return -1
	}
	if by, spawned := old.SpawnedBy(t); spawned && by.K > r.skipped[by.Task] {
		return -1
	}
	if was.ended && int(r.skipped[t]) == len(was.records) && !keep(t) {
		b.forgetTask(was, event.Ref{})
		return -1
	}
	h := b.task(was.name)
	now := b.n.handles[h]
	now.initial = true
	b.create(h, 0)
	now.start = b.n.remember(old, t, r)
	b.readers[h].resume(now.start.frames)
	return now.rank
}

// forgetTask forgets a task that has ended, except for the event that stands for its events.
func (b *Builder) forgetTask(t *task, standIn event.Ref) {
	key := hash(t.name)
	b.forgotten[key] = t.number(int32(len(t.records)))
	if standIn.K > 0 {
		b.standIns[key] = standIn
	}
}

// nameOf returns the trace's name of an event; one with k 0 has no name.
func (n *Net) nameOf(x ref) event.Ref {
	if x.k == 0 {
		return event.Ref{}
	}
	t := n.handles[x.h]
	return event.Ref{Task: t.name, K: int(t.number(x.k))}
}

// remember returns the beginning to keep of a task.
func (n *Net) remember(old *Net, t Task, r *Renaming) *beginning {
	base := r.skipped[t]
	w := old.Walk(t)
	w.Seek(int(base))
	s := &beginning{skipped: old.tasks[t].number(base), parent: -1, place: old.Place(t, int(base))}
	s.moment = n.momentOf(old, w)
	if earlier := old.tasks[t].start; earlier != nil {
		s.parent, s.creator, s.origin = earlier.parent, earlier.creator, earlier.origin
	} else if by, ok := old.SpawnedBy(t); ok {
		s.parent = by.Task
		s.creator, s.origin, _ = old.Origin(t)
	}
	if s.parent >= 0 {
		s.parent = r.tasks[s.parent] // created earlier, so its new number is known
	}
	return s
}

// Forgotten returns the number of events of a task before its local state 0.
func (n *Net) Forgotten(t Task) int64 {
	if start := n.tasks[t].start; start != nil {
		return start.skipped
	}
	return 0
}

// Number returns the number that a local state has in the whole run: that of the event that led to
// it.
func (n *Net) Number(t Task, k int) int64 { return n.tasks[t].number(int32(k)) }

// Lost returns the number of forgotten events, of all tasks.
func (n *Net) Lost() int64 { return n.lost }

// BeginsWithRun reports whether the net begins where the run began.
func (n *Net) BeginsWithRun() bool { return !n.hasForgotten }

// UnsettledOrder returns how many entries of the recorded order stand before a forgotten event. A
// shorter prefix of that order is no slice that the run passed through.
func (n *Net) UnsettledOrder() int { return n.unsettled }

// Place returns the position of a task when it reached local state k: the last "file.go:line" in
// its events so far, "" if none has one.
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

// Origin returns the name of the task that created t, and the trace's description of the creating
// event; false if t is initial.
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

// reread reads the remaining events again: first those that are part of the net, in the recorded
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
		lost := count[t] <= r.skipped[t]
		if !lost {
			lost = b.rereadScheduled(old, ref{handles[t], count[t]}, r)
		}
		if lost || i < old.n.unsettled {
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
		b.rereadEvent(old, x, r)
	}
}

// rereadScheduled reads an event of the net again. It reports whether the event was part of a
// stretch.
func (b *Builder) rereadScheduled(old *Builder, x ref, r *Renaming) bool {
	t := old.n.handles[x.h].rank
	i := stretchesUpTo(r.stretches[t], x.k)
	if i == 0 || x.k > r.stretches[t][i-1].last {
		b.rereadEvent(old, x, r)
		return false
	}
	if s := r.stretches[t][i-1]; x.k == s.first {
		b.jump(old, x.h, s, r)
	}
	return true
}

// rereadEvent reads an event again.
func (b *Builder) rereadEvent(old *Builder, x ref, r *Renaming) {
	if err := b.read(old.event(x, r)); err != nil && b.err == nil {
		b.err = err
	}
}

// event returns an event that was read, without its forgotten references.
func (b *Builder) event(x ref, r *Renaming) *event.Event {
	n, t := b.n, b.n.handles[x.h]
	rec := &t.records[x.k-1]
	s := n.sites[rec.site]
	e := &event.Event{
		Task: t.name, Op: n.strs.strs[s.op], Obj: n.strs.strs[rec.obj], At: n.strs.strs[s.at],
		Enter: n.strs.strs[s.enter], Exit: n.strs.strs[s.exit],
	}
	if g := b.groups[x]; g != nil {
		e.With = b.references(g.sides, x, r)
	} else if id, ok := t.jointOf(x.k); ok {
		e.With = b.references(n.sidesOf(id), x, r)
	}
	if rec.more == 0 {
		return e
	}
	p := t.parts(rec)
	if p.flags&hasSpawn != 0 && !r.absorbs(n.handles[p.spawn]) {
		e.Spawn = n.handles[p.spawn].name
	}
	e.After = b.references(stdslices.Collect(p.refs), x, r)
	for i, list := range []*[]event.Binding{&e.Set, &e.Global, &e.Write} {
		if p.flags&(hasSet<<i) != 0 {
			p.rest = n.bindings(t.words, p.rest, func(variable uint32, v event.Value) {
				*list = append(*list, event.Binding{Name: n.vars.strs[variable], Value: v})
			})
		}
	}
	return e
}

// references returns references to events, without x itself and without forgotten events.
func (b *Builder) references(to []ref, x ref, r *Renaming) []event.Ref {
	var refs []event.Ref
	for _, y := range to {
		if t := b.n.handles[y.h]; r.absorbs(t) {
			y = r.absorbed[t.rank]
		}
		t, k := b.n.handles[y.h], y.k
		if t.rank >= 0 {
			k = r.event(t.rank, k)
		}
		if y != x && k > 0 {
			refs = append(refs, event.Ref{Task: t.name, K: int(k)})
		}
	}
	return refs
}

// renumbered returns an event with the numbers of the net, without references to forgotten events,
// which all future events know. The next call overwrites the result.
func (b *Builder) renumbered(e *event.Event) (*event.Event, *Error) {
	if b.isForgotten(e.Task) {
		return nil, b.fault(EventAfterEnd, "task %q has ended", e.Task)
	}
	if b.isForgotten(e.Spawn) {
		return nil, b.fault(TaskTwice, "task %q is created, but it was there before", e.Spawn)
	}
	b.renumberedEvent = *e
	var err *Error
	if b.renumberedEvent.After, err = b.renumberRefs("after", e.After); err != nil {
		return nil, err
	}
	if b.renumberedEvent.With, err = b.renumberRefs("with", e.With); err != nil {
		return nil, err
	}
	if len(b.renumberedEvent.With) < len(e.With) {
		return nil, b.fault(BadJoint,
			`"with" names an event that was read before without a "with" that leads here; every side must name another`)
	}
	return &b.renumberedEvent, nil
}

// renumberRefs returns references with the numbers of the net, without those to forgotten events.
// The key says where they stand in the event.
func (b *Builder) renumberRefs(key string, refs []event.Ref) ([]event.Ref, *Error) {
	var counted []event.Ref
	for _, y := range refs {
		if last, gone := b.lastOfForgotten(y.Task); gone && y.K > 0 {
			if int64(y.K) > last {
				return nil, b.fault(Dangling, "%q names event %d of task %q, which has ended with its event %d", key,
					y.K, y.Task, last)
			}
			if y = b.standIn(y); y.K == 0 {
				continue
			}
		}
		if h := b.n.names.find(y.Task); h >= 0 && y.K > 0 {
			if y.K = int(b.n.handles[h].event(int64(y.K))); y.K <= 0 {
				continue
			}
		}
		counted = append(counted, y)
	}
	return counted, nil
}

// unknownEvents stands for the unknown number of events of a forgotten task: snapshots do not
// record it.
const unknownEvents = math.MaxInt64

// isForgotten reports whether a task has ended and is forgotten. The builder keeps only a hash of
// its name, because a long run has any number of such tasks. Among 2³² tasks two have the same hash
// with a probability of one half.
func (b *Builder) isForgotten(task string) bool {
	_, gone := b.lastOfForgotten(task)
	return gone
}

// lastOfForgotten returns the number of events of a forgotten task; false if the task is not
// forgotten.
func (b *Builder) lastOfForgotten(task string) (events int64, gone bool) {
	if len(b.forgotten) == 0 || task == "" || b.n.names.find(task) >= 0 {
		return 0, false
	}
	events, gone = b.forgotten[hash(task)]
	return events, gone
}

// standIn returns the event that stands for another one, with K 0 if every task knows it. The task
// of a stand-in may be forgotten in turn.
func (b *Builder) standIn(x event.Ref) event.Ref {
	for x.K > 0 && b.isForgotten(x.Task) {
		x = b.standIns[hash(x.Task)]
	}
	return x
}

// hash hashes a task's name. It is the same in every process and hard to find collisions for.
func hash(task string) uint64 {
	sum := sha256.Sum256([]byte(task))
	return binary.LittleEndian.Uint64(sum[:])
}

// skipped returns the number of forgotten events of a task.
func (b *Builder) skipped(task string) int64 {
	if h := b.n.names.find(task); h >= 0 {
		return b.number(handle(h), 0)
	}
	return 0
}

// ForgottenTasks returns the number of forgotten tasks.
func (b *Builder) ForgottenTasks() int { return len(b.forgotten) }
