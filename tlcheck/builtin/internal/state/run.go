// Package state follows a run: what each task waits for and holds, and what each object can still
// do for the tasks that wait. All rules of a checker share one Run.
//
//	run := state.New()
//	run.Op(&o) // each operation, before the rules receive it
//	verdict := run.Stuck(names, state.Question{})
package state

import (
	"iter"

	"github.com/antichain-go/antichain/internal/freelist"
	"github.com/antichain-go/antichain/internal/sparse"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Kinds are the operations that a Run receives.
var Kinds = []op.Kind{
	op.Go, op.End, op.Main, op.Left, op.MakeChan, op.Send, op.Recv, op.Handoff, op.Close,
	op.RecvClosed, op.Select, op.Lock, op.Unlock, op.RLock, op.RUnlock, op.Add, op.Done, op.Wait,
	op.CondWait, op.Signal, op.Broadcast, op.Once, op.Arm, op.Stop, op.Fire, op.Outside, op.Free,
	op.CutOff, op.Checked,
	op.Block, op.AtomicLoad, op.AtomicStore, op.Misuse,
}

// Run is the state of a run after the last operation.
type Run struct {
	Objects candidate.Objects[Object]
	Left    op.Task // the task that ended the program, or NoTask

	// What the last operation ended, valid until the next one: a task, also one whose timer was
	// stopped; an object that was freed; a section of a lock, of kind None if there is none.
	Ended     *Task
	EndedTask op.Task
	Freed     *Object
	Released  Section

	Outlived []Outlived

	tasks    sparse.Table[*Task]   // nil where ended
	lineages sparse.Table[lineage] // also where ended
	searched int                   // tasks so far, by isAlone
	begun    bool                  // main has initialised all packages
	exited   bool                  // Left has called os.Exit; else it is main, and has returned
	timers   map[op.Object]op.Task
	closes   int        // so far
	checks   int        // so far, for what leads to what tasks wait for
	outcome  op.Outcome // of the latest check
	// a task that was cut off has gone on, since some address was no pointer: so may the others
	refuted bool

	spareTasks freelist.List[Task]
}

// New returns the state of a run that has not begun.
func New() *Run { return &Run{Left: op.NoTask, timers: map[op.Object]op.Task{}} }

// Task is a task that has not ended.
type Task struct {
	Waits  bool
	Block  Block // what it waits for, if it does, or last waited for
	Held   []rule.HeldLock
	Armed  bool         // a timer will start it
	Daemon bool         // it was started before main had initialised all packages
	Know   *clock.Clock // at its last operation, in the full order

	started  int32     // the number of the operation of its parent that started it
	enlisted op.Object // the Cond that it waits for, until that is signalled
	checks   int       // of the run when it began to wait
	found    bool      // what leads to what it waits for: source
	source   op.Source
	foundBy  int // checks before the one that has found that

	met    services // where it has sent to other branches, received from them, or waited for them
	woken  bool     // another branch has ended a wait of it
	Serves bool     // it has come back to one of these
}

// Block is a wait: for an object, or for one of the cases of a select statement.
type Block struct {
	candidate.Mark
	Object op.Object
	Cases  []op.Case
	Others int64        // number of cases that were not recorded
	Full   *clock.Clock // what the task knew
	closes int          // before
}

// Object is what decides whether tasks have to wait for it.
type Object struct {
	Users   candidate.Marks // what tasks did with it; see WouldSend for kinds that are no operations
	Len     int64           // values in the buffer of the channel
	Cap     int64
	Counter int64           // of the WaitGroup
	Closing candidate.Event // of the channel; of kind None if it is open
	Maker   op.Task         // of the channel
	Outside bool            // something outside the program may operate on it
	Armed   bool            // a timer will send on it
	Timed   bool            // a timer sends on the channel or closes it; or one was armed under the lock
	Ticks   bool            // it does so again and again
	OfTimer bool            // it is the channel of a timer

	Writer  Section // of kind None if there is none
	Readers []Section
	Lent    bool             // a task has unlocked what another one had locked
	gave    candidate.Mark   // the last send, close, Done or signal
	took    candidate.Mark   // the last receive
	writers map[op.Task]bool // that wait for the lock
	waiting []op.Task        // for the Cond, in order; some may no longer be enlisted
}

// MaxUsers bounds Users of an object.
const MaxUsers = 32

// Kinds of marks of users, beside those of operations: what a select statement would also have
// done, and TryLock and TryRLock that succeeded.
const (
	WouldSend = op.KindCount + iota
	WouldReceive
	triedLock
	triedRLock
)

// Op receives the next operation of the run.
func (r *Run) Op(o *op.Op) {
	r.recycle()
	r.noteWoken(o)
	if o.Task != op.NoTask {
		r.resume(o.Task).Know = o.Full
	}
	switch o.Kind {
	case op.Go:
		r.start(o)
	case op.Fire:
		r.task(o.Other).Armed = false
		delete(r.timers, o.Object)
	case op.Main:
		r.begun = true
	case op.Left:
		r.Left, r.exited = o.Task, !o.MainReturned()
		r.disarm(o)
	case op.End:
		r.disarm(o)
		r.end(o.Task)
	case op.MakeChan, op.Send, op.Recv, op.Handoff, op.Close, op.RecvClosed:
		r.channel(o)
	case op.Select:
		r.noteOffers(o)
	case op.Lock, op.RLock:
		r.acquire(o)
	case op.Unlock:
		r.unlock(o)
	case op.RUnlock:
		r.runlock(o)
	case op.Add, op.Done:
		t := r.Objects.Ensure(o.Object)
		t.Counter += o.Delta()
		t.noteUse(o, o.Kind)
	case op.CondWait, op.Signal, op.Broadcast:
		r.condition(o)
	case op.Arm:
		t := r.Objects.Ensure(o.Object)
		t.Armed, t.Timed, t.OfTimer, t.Ticks = true, true, true, o.Repeats()
	case op.Stop:
		r.stop(o.Object)
	case op.Outside:
		r.Objects.Ensure(o.Object).Outside = !o.Ends()
	case op.Free:
		if r.Freed = r.Objects.At(o.Object); r.Freed != nil {
			r.Objects.Set(o.Object, nil)
		}
	case op.CutOff:
		if t := r.task(o.Other); t.Waits {
			t.found, t.source, t.foundBy = true, o.Source(), r.checks
		}
	case op.Checked:
		r.check(o.Outcome())
	case op.Block:
		r.block(o)
		if o.Want == op.Select {
			r.noteOffers(o)
		}
	case op.Misuse:
		r.notePanic(o)
	}
}

// recycle reuses the memory of what the last operation ended.
func (r *Run) recycle() {
	if r.Ended != nil {
		*r.Ended = Task{}
		r.spareTasks.Put(r.Ended)
	}
	if r.Freed != nil {
		*r.Freed = Object{Users: r.Freed.Users.Emptied()}
		r.Objects.Spare(r.Freed)
	}
	r.Ended, r.Freed, r.Released = nil, nil, Section{}
}

// Task returns a task, nil for one that has ended or has done nothing so far, and for NoTask.
func (r *Run) Task(t op.Task) *Task {
	if at := r.tasks.At(int(t)); at != nil {
		return *at
	}
	return nil
}

// lineage is where a task comes from.
type lineage struct {
	known  bool
	parent op.Task // that started it
	branch op.Task // see BranchOf
}

// Forget drops what is known of tasks that are gone.
func (r *Run) Forget(s *clock.Sweep) {
	r.recycle()
	gone := func(first int) bool { return s.IsGone(int32(first)) }
	r.tasks.Drop(gone)
	r.lineages.Drop(gone)
}

// StartedBy returns the task that started another one, NoTask if that is unknown.
func (r *Run) StartedBy(t op.Task) op.Task {
	if l := r.lineages.At(int(t)); l != nil && l.known {
		return l.parent
	}
	return op.NoTask
}

// Start returns the go statement of a task that has not ended; of kind None if it is unknown.
func (r *Run) Start(t op.Task, names op.Names) op.Step {
	by, task := r.StartedBy(t), r.Task(t)
	if by == op.NoTask || task == nil || task.Daemon {
		return op.Step{}
	}
	return op.Step{Task: by, Other: t, Kind: op.Go, At: names.Task(t).At, K: task.started}
}

// MayServe reports whether a task may wait for ever on purpose: the initialisation of a package has
// started it, and it waits for nothing, or something may still lead to what it waits for.
func (r *Run) MayServe(t op.Task) bool {
	task := r.Task(t)
	return task.Daemon && !(r.IsCutOff(t) && len(task.Block.Objects()) > 0)
}

// StartsBehind reports whether the task of a marked operation has started another one behind it,
// or one that has started that, and so on. It is not known of tasks that have ended.
func (r *Run) StartsBehind(m *candidate.Mark, t op.Task) bool {
	for at := r.Task(t); at != nil; at = r.Task(t) {
		if t = r.StartedBy(t); t == m.Task {
			return at.started > m.K
		}
	}
	return false
}

func (r *Run) task(t op.Task) *Task {
	at := r.tasks.Ensure(int(t))
	if *at == nil {
		*at = r.spareTasks.Get()
	}
	return *at
}

// resume notes that a task does not wait any more, and returns it.
func (r *Run) resume(t op.Task) *Task {
	task := r.task(t)
	r.refuted = r.refuted || task.found && task.source == op.FromNothing
	task.Waits, task.found = false, false
	return task
}

// check notes that a check has ended. It says all that is known of the tasks that wait, but for
// those to which nothing leads: that stays so, and is found once.
func (r *Run) check(outcome op.Outcome) {
	for _, t := range r.Tasks() {
		if t.foundBy != r.checks && t.source != op.FromNothing {
			t.found = false
		}
	}
	r.checks++
	r.outcome = outcome
}

// start notes that a task starts another one, at once or by a timer.
func (r *Run) start(o *op.Op) {
	t := r.task(o.Other)
	t.started, t.Daemon, t.Armed = o.K, !r.begun, o.ByTimer()
	*r.lineages.Ensure(int(o.Other)) = lineage{known: true, parent: o.Task, branch: r.branchBelow(o.Task, o.Other)}
	t.Know = o.Full
	if o.Task != op.NoTask {
		t.Know = o.Full.With(int32(o.Task), o.K)
	}
	if t.Armed {
		r.timers[o.Object] = o.Other
		for _, h := range r.task(o.Task).Held {
			r.Objects.Ensure(h.Object).Timed = true
		}
	}
}

// disarm notes that a task ends. If it has run at all, its timer has fired.
func (r *Run) disarm(o *op.Op) {
	t := r.task(o.Task)
	t.Armed = t.Armed && o.K == 1
}

func (r *Run) end(t op.Task) {
	at := r.tasks.Ensure(int(t))
	r.Ended, r.EndedTask = *at, t
	*at = nil
}

// stop notes that a timer is stopped: it does not start its task or send on its channel.
func (r *Run) stop(timer op.Object) {
	t, starts := r.timers[timer]
	if !starts {
		r.Objects.Ensure(timer).Armed = false
		return
	}
	delete(r.timers, timer)
	if r.Task(t) != nil {
		r.end(t)
	}
}

// noteUse notes that the task of o has operated on the object.
func (t *Object) noteUse(o *op.Op, kind op.Kind) {
	if o.Task == op.NoTask {
		return
	}
	m := candidate.MarkOf(o, kind)
	t.Users.Add(m, MaxUsers)
	switch kind {
	case op.Send, op.Close, op.Done, op.Signal, op.Broadcast:
		t.gave = m
	case op.Recv:
		t.took = m
	}
}

func (r *Run) channel(o *op.Op) {
	t := r.Objects.Ensure(o.Object)
	switch o.Kind {
	case op.MakeChan:
		t.Cap, t.Maker = o.Capacity(), o.Task
		for _, h := range r.task(o.Task).Held {
			// A timer was armed under the lock. It may close the channel, as that of a context
			// does.
			t.Timed = t.Timed || r.Objects.Ensure(h.Object).Timed
		}
	case op.Send:
		t.Len++
	case op.Recv:
		t.Len = max(t.Len-1, 0)
		t.Armed = t.Armed && t.Ticks // a timer sends once
	case op.Close:
		t.Closing = candidate.EventOf(o)
		r.closes++
	case op.Handoff:
		t.noteUse(o, op.Send)
		if o.Other != op.NoTask {
			r.resume(o.Other)
			r.Task(o.Other).Know = o.Full
			t.Users.Add(candidate.MarkOfOther(o, op.Recv), MaxUsers)
		}
		return
	}
	t.noteUse(o, o.Kind)
}

// noteOffers notes what the cases of a select statement would have sent or received.
func (r *Run) noteOffers(o *op.Op) {
	for _, c := range o.Cases {
		if c.Object != 0 {
			kind := WouldReceive
			if c.Send {
				kind = WouldSend
			}
			r.Objects.Ensure(c.Object).noteUse(o, kind)
		}
	}
}

func (r *Run) condition(o *op.Op) {
	t := r.Objects.Ensure(o.Object)
	switch o.Kind {
	case op.CondWait:
		r.task(o.Task).enlisted = 0
		return
	case op.Signal:
		for !o.Unheard() && len(t.waiting) > 0 {
			first := t.waiting[0]
			t.waiting = t.waiting[1:]
			if r.unenlist(first, o.Object) {
				break
			}
		}
	case op.Broadcast:
		if o.Unheard() {
			break // tasks that began to wait meanwhile do not hear it
		}
		for _, w := range t.waiting {
			r.unenlist(w, o.Object)
		}
		t.waiting = nil
	}
	t.noteUse(o, o.Kind)
}

// unenlist removes a task from those that wait for the Cond, and reports whether it was among them.
func (r *Run) unenlist(task op.Task, cond op.Object) bool {
	t := r.Task(task)
	if t == nil || t.enlisted != cond {
		return false
	}
	t.enlisted = 0
	return true
}

func (r *Run) block(o *op.Op) {
	t := r.task(o.Task)
	r.noteBack(o.Task, t, o.At)
	t.Waits, t.checks = true, r.checks
	cases := append(t.Block.Cases[:0], o.Cases...)
	t.Block = Block{Mark: candidate.MarkOf(o, o.Want), Object: o.Object, Cases: cases, Full: o.Full}
	switch o.Want {
	case op.Select:
		t.Block.Others, t.Block.closes = o.OtherCases(), r.closes
	case op.Lock, op.Once:
		w := r.Objects.Ensure(o.Object)
		if w.writers == nil {
			w.writers = map[op.Task]bool{}
		}
		w.writers[o.Task] = true
	case op.CondWait:
		c := r.Objects.Ensure(o.Object)
		c.waiting = append(c.waiting, o.Task)
		t.enlisted = o.Object
	}
}

// Tasks yields the tasks that have not ended, in order.
func (r *Run) Tasks() iter.Seq2[op.Task, *Task] {
	return func(yield func(op.Task, *Task) bool) {
		for i, t := range r.tasks.All() {
			if *t != nil && !yield(op.Task(i), *t) {
				return
			}
		}
	}
}

// Objects returns what the task waits for, nil channels left out.
func (b *Block) Objects() []op.Object {
	var all []op.Object
	for _, o := range b.wants() {
		all = append(all, o)
	}
	return all
}

// wants yields each object that the task waits for, nil channels left out, and what it would do.
func (b *Block) wants() iter.Seq2[op.Kind, op.Object] {
	return func(yield func(op.Kind, op.Object) bool) {
		if b.Object != 0 && !yield(b.Kind, b.Object) {
			return
		}
		for _, c := range b.Cases {
			if c.Object != 0 && !yield(c.Kind(), c.Object) {
				return
			}
		}
	}
}
