package state

import (
	"github.com/antichain-go/antichain/tracer/op"
)

// Judgement says what becomes of the tasks that wait at the end of the run.
type Judgement struct {
	Verdict // those that wait for ever

	GoOn Tasks // go on by themselves, by a timer, or by something outside the program
	May  Tasks // these, and those that they may wake

	// Possible tasks wait for what only package variables lead to, and no task of May has used it.
	Possible []op.Task
	// Inherited tasks wait for ever if no heir leaves the section of a task that has ended.
	Inherited []op.Task
	// Left tasks are of tests that have ended. Only other tests could end their waits.
	Left []op.Task
	Open []op.Task // that wait for what a task of GoOn may bring
}

// Judge says what becomes of the tasks that wait at the end of the run. All rules ask it.
//
//   - A task waits for ever if nothing can end its wait (Stuck).
//   - It may do so if only package variables lead to what it waits for, and none of the tasks that
//     may go on has used that. Code may name a package variable at any time: this is not certain.
//     Nothing is said of it while main may go on, if the program was ended from outside: main may
//     do so, and start others.
//   - It may do so, too, if a task has ended in the section of a lock, but has started another one
//     there (HasHeir).
//   - It may do so, too, if only tasks of other tests could end its wait (see judgeByTest).
//   - All others wait for what another task may bring, unless it is there already.
func (r *Run) Judge(names op.Names) *Judgement {
	j := &Judgement{Verdict: r.Stuck(names, Question{}), GoOn: r.goOn(names)}
	if !j.Running {
		return j
	}
	j.May = r.mayContinue(names, j.GoOn)
	kept := j.Verdict
	if r.awaitsHeir(&j.Verdict) {
		kept = r.Stuck(names, Question{Kept: true})
	}
	isKnown := !r.wakesKept(j.May) && !(r.Left == op.NoTask && j.May[mainTask])
	for number, t := range r.Tasks() {
		switch {
		case !t.Waits || number == r.Left || j.Stuck[number] || j.GoOn[number] || r.awaitsExit(number):
		case number == mainTask && t.Block.isEmptySelect():
		case kept.Stuck[number]:
			j.Inherited = append(j.Inherited, number)
		case isKnown && r.isKept(number, j.May):
			j.Possible = append(j.Possible, number)
		default:
			j.Open = append(j.Open, number)
		}
	}
	r.judgeByTest(names, j)
	return j
}

// goOn returns the tasks that go on by themselves, or for what is there or comes from a timer or
// from outside the program.
func (r *Run) goOn(names op.Names) Tasks {
	all := Tasks{}
	for number, t := range r.Tasks() {
		switch {
		case number == r.Left || r.IsCutOff(number):
		case !t.Waits && !standsAlone(names.Task(number).Function),
			t.Waits && (r.awaitsOutside(&t.Block) || r.isReady(number)):
			all[number] = true
		}
	}
	return all
}

// isReady reports whether what a task waits for is there. It did not get a processor before the
// program ended.
func (r *Run) isReady(task op.Task) bool {
	for kind, o := range r.Task(task).Block.wants() {
		t := r.Objects.Ensure(o)
		ready := false
		switch kind {
		case op.Recv:
			ready = t.Closing.Kind == op.Close || t.Len > 0
		case op.Send:
			ready = t.Closing.Kind == op.Close || t.Len < t.Cap
		case op.Lock, op.Once:
			ready = t.HasUsers() && t.Writer.Kind == op.None && len(t.Readers) == 0
		case op.RLock:
			ready = t.HasUsers() && t.Writer.Kind == op.None && len(t.writers) == 0
		case op.Wait:
			ready = t.Counter <= 0
		case op.CondWait:
			ready = r.Task(task).enlisted != o
		}
		if ready {
			return true
		}
	}
	return false
}

// wakesKept reports whether one of the tasks waits for what only package variables lead to. When it
// goes on, it may use all that it has.
func (r *Run) wakesKept(may Tasks) bool {
	for t := range may {
		if r.IsFound(t, op.FromGlobals) {
			return true
		}
	}
	return false
}

// isKept reports whether only package variables lead to what a task waits for, which is none of
// those that may go on. None of these is to be done with the WaitGroup, and none has put something
// into the full buffer, as into a semaphore that it leaves later.
func (r *Run) isKept(task op.Task, may Tasks) bool {
	if !r.IsFound(task, op.FromGlobals) {
		return false
	}
	for kind, o := range r.Task(task).Block.wants() {
		t := r.Objects.Ensure(o)
		if len(t.Users.List) == MaxUsers {
			return false // others may have used it
		}
		for _, m := range t.Users.List {
			isOwed := kind == op.Wait && m.Kind == op.Add && r.hasStarted(m.Task, may)
			isEntered := kind == op.Send && t.Cap > 0 && m.Kind == op.Send && may[m.Task]
			if isOwed || isEntered {
				return false
			}
		}
	}
	return true
}

// hasStarted reports whether a task has started one of those.
func (r *Run) hasStarted(by op.Task, tasks Tasks) bool {
	for t := range tasks {
		if r.StartedBy(t) == by {
			return true
		}
	}
	return false
}

// ExitedBy returns the task that has ended the program by os.Exit.
func (r *Run) ExitedBy() (t op.Task, ok bool) { return r.Left, r.exited }

// IsFound reports whether that is what leads to what a task waits for.
func (r *Run) IsFound(task op.Task, source op.Source) bool {
	t := r.Task(task)
	return t != nil && t.found && t.source == source && !r.refuted
}

// IsCutOff reports whether nothing leads to what a task waits for. Main is not in an empty select,
// where it lets others work for ever.
func (r *Run) IsCutOff(task op.Task) bool {
	return r.IsFound(task, op.FromNothing) && !(task == mainTask && r.Task(task).Block.isEmptySelect())
}

// IsReached reports whether it was found that a goroutine, a timer or the like leads to what a task
// waits for.
func (r *Run) IsReached(task op.Task) bool {
	t := r.Task(task)
	return t != nil && t.Waits && t.checks < r.checks && !t.found && !r.IsUndecided(task)
}

// IsUndecided reports whether it was not found out what leads to what a task waits for. Without a
// check in the run nothing is.
func (r *Run) IsUndecided(task op.Task) bool {
	return r.checks > 0 && (r.refuted || r.outcome == op.Missed || r.outcome == op.NoPreemption) ||
		r.IsFound(task, op.FromUnknown)
}

// WhyUndecided says why it was not found out what leads to what tasks wait for, if it was not.
func (r *Run) WhyUndecided() string {
	switch {
	case r.refuted:
		return "a goroutine has gone on although nothing led to what it waited for, so the program has ways " +
			"that its garbage collector does not see"
	case r.outcome == op.TookTooLong:
		return "that would have taken too long"
	case r.outcome == op.NoPreemption:
		return "GODEBUG=asyncpreemptoff=1 does not let the garbage collector find out"
	case r.outcome == op.Profiled:
		return "they are in the goroutine leak profile that the program has made"
	}
	return "the garbage collector did not find out before the program ended"
}
