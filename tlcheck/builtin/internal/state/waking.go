package state

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/op"
)

const mainTask op.Task = 0

// Tasks is a set of tasks.
type Tasks map[op.Task]bool

// Question is an assumption about some tasks.
type Question struct {
	Free   Tasks // could go on
	Polled Tasks // are woken by no timer
	Kept   bool  // no task leaves the section of another one that has ended in it; see HasHeir
}

// Verdict says which tasks wait for ever.
type Verdict struct {
	Waiting []op.Task // these, in their order
	Stuck   Tasks     // the same ones
	Running bool      // others could go on

	heirs map[op.Task]int32 // when a task has started the last one that can go on
}

// Stuck returns the tasks that wait for ever at the end of the run.
//
// A task that waits can be woken by what is there already, if it did not get a processor before the
// program ended: a value, a closed channel, a lock that is free (see HasUsers). It can be woken by
// a timer and by something outside the program. A lock is unlocked by its holder. All else any task
// that can go on may do: which references it has is not known, and it may later use an object
// that it has not used so far. (A task that has ended the program, or whose timer was stopped,
// cannot go on. But see awaitsExit, and what a task that calls os.Exit leads to, it may have been
// about to use.) So no task is stuck that some code could still wake. Where
// none can go on, all tasks that wait are stuck: they form a closed group. Where others can go on,
// the garbage collector of the program may have found that nothing leads to what some wait for
// (op.CutOff).
func (r *Run) Stuck(names op.Names, q Question) Verdict {
	v := Verdict{Stuck: Tasks{}, heirs: map[op.Task]int32{}}
	for number, t := range r.Tasks() {
		switch {
		case number == r.Left:
		case t.Waits && !q.Free[number]:
			v.Waiting = append(v.Waiting, number)
			v.Stuck[number] = true
		case !standsAlone(names.Task(number).Function):
			v.Running = true
			r.noteGoing(&v, number)
		}
	}
	e := stuckSearch{r, &v, q, Tasks{}}
	for number := range q.Free {
		e.starters[r.StartedBy(number)] = true
	}
	for again := true; again; {
		again = false
		v.Waiting = slices.DeleteFunc(v.Waiting, func(t op.Task) bool {
			can := e.canWake(t)
			if can {
				again = true
				delete(v.Stuck, t)
				r.noteGoing(&v, t)
				e.starters[r.StartedBy(t)] = true
			}
			return can
		})
		v.Running = v.Running || again
	}
	return v
}

// CanContinue reports whether some task that does not wait for ever is left.
func (r *Run) CanContinue(names op.Names) bool { return r.Stuck(names, Question{}).Running }

// standsAlone reports whether a task of the standard library that runs all the time wakes others
// only by what is known to come from outside.
func standsAlone(function string) bool {
	return strings.HasPrefix(function, "os/signal.") || strings.HasPrefix(function, "testing.(*M).startAlarm")
}

// stuckSearch looks for the tasks that wait for ever. Verdict has those that may do so, as far as
// the search has come.
type stuckSearch struct {
	*Run
	*Verdict
	Question
	starters Tasks // tasks that have started one that waits and could go on
}

// canWake reports whether a waiting task may be woken, assuming that the tasks in Stuck wait for
// ever.
func (e *stuckSearch) canWake(task op.Task) bool {
	b := &e.Task(task).Block
	isLock := b.Kind == op.Lock || b.Kind == op.RLock
	if !isLock && e.awaitsExit(task) {
		return true
	}
	if e.IsCutOff(task) {
		return len(e.Free) > 0 && e.isBehind(b)
	}
	if !isLock && b.Kind != op.Once && e.exited && e.IsReached(task) {
		return true // by the task that called os.Exit, which may have been about to
	}
	if task == mainTask && b.isEmptySelect() {
		return e.Running // so main lets others work until a signal ends the program
	}
	if b.Kind != op.Select {
		return b.Object != 0 && e.canCome(b.Kind, b.Object, task)
	}
	if b.Others > 0 && (e.Running || e.closes > b.closes || e.hasSource()) {
		return true
	}
	return slices.ContainsFunc(b.Cases, func(c op.Case) bool {
		return c.Object != 0 && !(e.Polled[task] && e.IsTimer(c)) && e.canCome(c.Kind(), c.Object, task)
	})
}

// isBehind reports whether a task to whose objects nothing leads waits for one that waits, too, and
// would go on if those that are free did: that one is in a section of the lock, is to write before
// a reader, has used the channel, or was started by one that has added to the WaitGroup.
func (e *stuckSearch) isBehind(b *Block) bool {
	goes := func(t op.Task) bool { return e.Task(t) != nil && e.Task(t).Waits && !e.Verdict.Stuck[t] }
	for kind, o := range b.wants() {
		t := e.Objects.Ensure(o)
		if slices.ContainsFunc(t.Sections(), func(s Section) bool { return goes(s.Task) }) {
			return true
		}
		for w := range t.writers {
			if kind == op.RLock && goes(w) {
				return true
			}
		}
		for _, m := range t.Users.List {
			ends := kind != op.Lock && kind != op.RLock && kind != op.Once && Ends(kind, m.Kind)
			if ends && goes(m.Task) || kind == op.Wait && m.Kind == op.Add && e.starters[m.Task] {
				return true
			}
		}
	}
	return false
}

func (b *Block) isEmptySelect() bool {
	return b.Kind == op.Select && len(b.Cases) == 0 && b.Others == 0
}

// awaitsExit reports whether a task may wait for the task that ended the program by os.Exit: main
// may, and the tasks that have started it, directly or not. So a program waits if its worker fails
// for good, or if a task that answers a signal is the last one.
func (r *Run) awaitsExit(task op.Task) bool {
	if !r.exited || r.Left == mainTask {
		return false
	}
	for t := r.Left; t > mainTask; t = r.StartedBy(t) {
		if t == task {
			return true
		}
	}
	return task == mainTask
}

// MayAwaitExit returns the tasks that may wait, while the run goes on, for another one to end the
// program: main, and those that have started a task that answers a signal, directly or not.
func (r *Run) MayAwaitExit() Tasks {
	may := Tasks{}
	for number, t := range r.Tasks() {
		if !t.Waits || !r.answersSignal(&t.Block) {
			continue
		}
		may[mainTask] = true
		for by := r.StartedBy(number); by > mainTask; by = r.StartedBy(by) {
			may[by] = true
		}
	}
	return may
}

// answersSignal reports whether a wait ends by something outside the program.
func (r *Run) answersSignal(b *Block) bool {
	return slices.ContainsFunc(b.Objects(), func(o op.Object) bool { return r.Objects.Ensure(o).Outside })
}

// hasSource reports whether a timer or something outside the program may send on any channel.
func (r *Run) hasSource() bool {
	for _, t := range r.Objects.All() {
		if t.Armed || t.Outside {
			return true
		}
	}
	return false
}

// canCome reports whether what a task waits for on an object is there or may still come.
func (e *stuckSearch) canCome(kind op.Kind, object op.Object, task op.Task) bool {
	t := e.Objects.Ensure(object)
	closed := t.Closing.Kind == op.Close
	switch kind {
	case op.Recv:
		return e.Running || closed || t.Len > 0 || t.Armed || t.Outside
	case op.Send:
		return e.Running || closed || t.Len < t.Cap
	case op.Lock, op.Once:
		return (e.Running || t.HasUsers()) && !e.isLockedForever(t) &&
			!slices.ContainsFunc(t.Readers, func(s Section) bool { return e.neverReleases(t, &s) })
	case op.RLock:
		return (e.Running || t.HasUsers()) && !e.isLockedForever(t) && !e.writerWaits(t)
	case op.Wait:
		return e.Running || t.Counter <= 0
	case op.CondWait:
		return e.Running || e.Task(task).enlisted != object
	}
	return true
}

// isLockedForever reports whether a writer never unlocks the lock.
func (e *stuckSearch) isLockedForever(t *Object) bool {
	return t.Writer.Kind == op.Lock && e.neverReleases(t, &t.Writer)
}

// HasUsers reports whether some task has locked the lock, or unlocked it. If none has, and a task
// waits for it, it is the copy of a lock that was held.
func (t *Object) HasUsers() bool { return len(t.Users.List) > 0 }

// neverReleases reports whether a section of the lock is never left: its task has ended without
// heirs, or is stuck. If tasks have left sections of others before, any task may do so now.
func (e *stuckSearch) neverReleases(t *Object, s *Section) bool {
	if e.Running && t.Lent {
		return false
	}
	if e.HasEnded(s.Task) {
		return e.Kept || !e.HasHeir(s)
	}
	return e.Verdict.Stuck[s.Task]
}

// HasEnded reports whether a task has ended. One that calls os.Exit may have been about to do more.
func (r *Run) HasEnded(t op.Task) bool {
	if t == r.Left {
		return !r.exited
	}
	return r.Task(t) == nil
}

// writerWaits reports whether a stuck task waits to write, behind which readers wait.
func (e *stuckSearch) writerWaits(t *Object) bool {
	for w := range t.writers {
		if e.Verdict.Stuck[w] {
			return true
		}
	}
	return false
}

// mayContinue returns the tasks that may go on after the end of the run: those that go on, and
// those that such a task may wake, directly or not. A task may wake another one by what it has done
// before, or what one of the same go statement has done: of two workers one has sent its result,
// and the other has not got so far.
//
// Time: the users of the objects that are waited for.
func (r *Run) mayContinue(names op.Names, goOn Tasks) Tasks {
	may := Tasks{}
	var todo []op.Task
	add := func(tasks ...op.Task) {
		for _, t := range tasks {
			if !may[t] {
				may[t] = true
				todo = append(todo, t)
			}
		}
	}
	wakes := map[op.Task][]op.Task{}  // by the waker
	alike := map[op.Place][]op.Task{} // by where that was started
	for number, t := range r.Tasks() {
		switch {
		case goOn[number]:
			add(number)
		case number == r.Left || r.IsCutOff(number) || !t.Waits:
		default:
			for _, by := range r.partners(&t.Block) {
				wakes[by] = append(wakes[by], number)
				if at := names.Task(by).At; at != 0 {
					alike[at] = append(alike[at], number)
				}
			}
		}
	}
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		add(wakes[t]...)
		add(alike[names.Task(t).At]...)
	}
	return may
}

// awaitsOutside reports whether a timer or something outside the program may end a wait.
func (r *Run) awaitsOutside(b *Block) bool {
	for kind, o := range b.wants() {
		t := r.Objects.Ensure(o)
		if kind == op.Recv && (t.Armed || t.Outside || t.Timed && t.Ticks) {
			return true
		}
	}
	return false
}

// enders has, by the operation that a task waits to do, the operations of other tasks that end the
// wait.
var enders = map[op.Kind][]op.Kind{
	op.Send:     {op.Recv, op.Close, WouldReceive},
	op.Recv:     {op.Send, op.Close, WouldSend},
	op.Lock:     {op.Lock, op.RLock, op.Unlock, op.RUnlock},
	op.RLock:    {op.Lock, op.RLock, op.Unlock, op.RUnlock},
	op.Once:     {op.Lock, op.RLock, op.Unlock, op.RUnlock},
	op.Wait:     {op.Done},
	op.CondWait: {op.Signal, op.Broadcast},
}

// Ends reports whether what a task did, or would have done, ends another one's wait to do something
// with the same object.
func Ends(wait, did op.Kind) bool { return slices.Contains(enders[wait], did) }

// partners returns the tasks that have done, with an object for which b waits, what ends such a
// wait.
func (r *Run) partners(b *Block) []op.Task {
	var all []op.Task
	for kind, o := range b.wants() {
		for _, m := range r.Objects.Ensure(o).Users.List {
			if Ends(kind, m.Kind) {
				all = append(all, m.Task)
			}
		}
	}
	return all
}

// IsTimer reports whether a timer sends on the channel of a case, which receives.
func (r *Run) IsTimer(c op.Case) bool {
	return !c.Send && c.Object != 0 && r.Objects.Ensure(c.Object).Timed
}

// AwaitsUnlock returns the task that waits for a lock which others may reach: this one, or the one
// that runs the function of the Once which this one waits for. As long as any goroutine can go on,
// it may unlock what another one has locked.
func (r *Run) AwaitsUnlock(task op.Task) (waits op.Task, ok bool) {
	for seen := (Tasks{}); !seen[task]; {
		seen[task] = true
		t := r.Task(task)
		if t == nil || !t.Waits || r.IsCutOff(task) {
			break
		}
		switch t.Block.Kind {
		case op.Lock, op.RLock:
			return task, true
		case op.Once:
			task = r.Objects.Ensure(t.Block.Object).Writer.Task
		}
	}
	return op.NoTask, false
}

// CauseOf returns where the lock that a task waits for was locked, if the task that did so has
// ended; else 0.
func (r *Run) CauseOf(b *Block) op.Place {
	if b.Kind != op.Lock && b.Kind != op.RLock {
		return 0
	}
	for _, s := range r.Objects.Ensure(b.Object).Sections() {
		if r.HasEnded(s.Task) {
			return s.At
		}
	}
	return 0
}
