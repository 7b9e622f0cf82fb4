package state

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tracer/op"
)

// A test that leaves a task behind has leaked it, also if a later test happens to end its wait, or
// if a server that another test has forgotten could. So waits are judged by test as well: a test
// has ended, and none of its tasks goes on by itself. It does nothing of that which other tests do
// then.
//
// Tests may share a task on purpose: one starts it, and others use it. It serves them if it has
// come back to wait where another test has ended its wait.
//
// In the binary of a test, main starts the tests. Names are known only when findings are reported,
// so until then a branch stands for a test: a task that main has started, and all those that come
// from it.

// Outlived is a wait of a task whose branch had ended, but for tasks that waited. A task of another
// branch has ended it, and none of a third branch could.
type Outlived struct {
	Block
	By     candidate.Mark // what ended it
	On     op.Object
	Serves bool // another branch has ended a wait of the task of By, too
}

// These limit them, and those at one place.
const (
	maxOutlived     = 200
	maxOutlivedHere = 16
)

// maxSearched limits the tasks that isAlone looks at.
const maxSearched = 10_000_000

// services are the first places where a task has met other branches.
type services [4]op.Place

func (s *services) note(at op.Place) {
	for i := range s {
		if s[i] == at || s[i] == 0 {
			s[i] = at
			return
		}
	}
}

func (s *services) has(at op.Place) bool { return at != 0 && slices.Contains(s[:], at) }

// BranchOf returns the ancestor of a task that main has started, the task itself if that is it, and
// NoTask for main and where it is unknown.
func (r *Run) BranchOf(t op.Task) op.Task {
	if l := r.lineages.At(int(t)); l != nil && l.known {
		return l.branch
	}
	return op.NoTask
}

// branchBelow returns the branch of a new task that is started by another one.
func (r *Run) branchBelow(by, t op.Task) op.Task {
	if by == mainTask {
		return t
	}
	return r.BranchOf(by)
}

// noteWoken notes who ends the waits that end with an operation, and who has met whom.
func (r *Run) noteWoken(o *op.Op) {
	if t := r.Task(o.Task); t != nil {
		r.noteDone(o, o.Task, t, o.At, r.wakerOf(o))
	}
	if o.Kind == op.Handoff {
		if t := r.Task(o.Other); t != nil {
			r.noteDone(o, o.Other, t, o.OtherAt, candidate.MarkOf(o, op.Send))
		}
	}
}

// noteDone notes what a task has done together with another branch, and which wait that has ended.
func (r *Run) noteDone(o *op.Op, number op.Task, t *Task, at op.Place, by candidate.Mark) {
	switch {
	case t.Waits:
		at = t.Block.At
	case isMeeting(o.Kind):
		r.noteBack(number, t, at)
	default:
		return
	}
	own, other := r.BranchOf(number), r.BranchOf(by.Task)
	if by.Kind == op.None || own == other || own == op.NoTask || other == op.NoTask {
		return
	}
	t.met.note(at)
	if t.Waits {
		r.noteWaker(number, t, o.Object, by)
	}
}

// wakerOf returns what has ended the wait of the task of o, of kind None if that is unknown.
func (r *Run) wakerOf(o *op.Op) candidate.Mark {
	switch o.Kind {
	case op.Handoff:
		return candidate.MarkOfOther(o, op.Recv)
	case op.Recv, op.RecvClosed, op.Wait, op.CondWait:
		return r.Objects.Ensure(o.Object).gave
	case op.Send:
		return r.Objects.Ensure(o.Object).took
	}
	return candidate.Mark{}
}

// isMeeting reports whether tasks meet by an operation, and at times need not wait for it.
func isMeeting(k op.Kind) bool {
	return k == op.Handoff || k == op.Send || k == op.Recv || k == op.RecvClosed
}

// noteWaker notes that another branch has ended the wait of a task.
func (r *Run) noteWaker(number op.Task, t *Task, on op.Object, by candidate.Mark) {
	t.woken = true
	own := r.BranchOf(number)
	if t.Serves || r.Task(own) != nil || r.hasManyOutlived(t.Block.At) ||
		!r.isOnly(&t.Block, on, r.BranchOf(by.Task)) || !r.isAlone(number, own) {
		return
	}
	b := t.Block
	b.Cases = slices.Clone(b.Cases)
	waker := r.Task(by.Task)
	r.Outlived = append(r.Outlived, Outlived{b, by, on, waker != nil && waker.woken})
}

// hasManyOutlived reports whether no more of them are kept, of this place or at all.
func (r *Run) hasManyOutlived(at op.Place) bool {
	here := 0
	for i := range r.Outlived {
		if r.Outlived[i].At == at {
			here++
		}
	}
	return here == maxOutlivedHere || len(r.Outlived) == maxOutlived
}

// noteBack notes that a task is again where it has met another branch: it serves others.
func (r *Run) noteBack(number op.Task, t *Task, at op.Place) {
	if t.Serves || !t.met.has(at) {
		return
	}
	t.Serves = true
	r.Outlived = slices.DeleteFunc(r.Outlived, func(x Outlived) bool { return x.Task == number })
}

// isAlone reports whether no other task of a branch goes on by itself, but those that another
// branch has woken.
//
// Time: the tasks of the run. So it is bounded for all calls together; behind that none is alone.
func (r *Run) isAlone(task, branch op.Task) bool {
	if r.searched += r.tasks.Held(); r.searched > maxSearched {
		return false
	}
	for number, t := range r.Tasks() {
		if number != task && r.BranchOf(number) == branch && !t.woken &&
			(!t.Waits || r.awaitsOutside(&t.Block) || r.isReady(number)) {
			return false
		}
	}
	return true
}

// isOnly reports whether one branch alone has done what could end a wait on an object, and has done
// nothing that makes others wait there.
func (r *Run) isOnly(b *Block, on op.Object, branch op.Task) bool {
	t := r.Objects.Ensure(on)
	if t.Timed || t.Outside || len(t.Users.List) == MaxUsers {
		return false
	}
	for kind, object := range b.wants() {
		if object != on {
			continue
		}
		if kind == op.Lock || kind == op.RLock || kind == op.Once {
			return false // whoever locks it unlocks it
		}
		for _, m := range t.Users.List {
			of := r.BranchOf(m.Task)
			isOther := Ends(kind, m.Kind) && of != branch && of != r.BranchOf(b.Task) && r.Task(m.Task) != nil
			if isOther || of == branch && t.isContended(kind, m.Kind) {
				return false
			}
		}
	}
	return true
}

// isContended reports whether one task keeps another one waiting for a while by what it did: it has
// a place in a buffer, as in a semaphore, or has taken what is there for all, or lets others wait
// for it.
func (t *Object) isContended(wait, did op.Kind) bool {
	return wait == op.Wait && did == op.Add || t.Cap > 0 && wait == did
}

// Test returns the name of the test that a task belongs to, without that of a part; "" if it is in
// none.
func Test(names op.Names, t op.Task) string {
	name := names.Task(t).Test
	if name == op.OutsideTests {
		return ""
	}
	name, _, _ = strings.Cut(name, "/")
	return name
}

// ServesTests reports whether a task that waits serves several tests, and may be meant to until the
// program ends. A task that each test starts anew is not meant to, though others may use it, too.
func (r *Run) ServesTests(names op.Names, task op.Task) bool {
	if !r.Task(task).Serves || r.IsCutOff(task) || Test(names, task) == "" {
		return false
	}
	own := names.Task(task)
	line := names.Place(own.At).At
	for number := range r.Tasks() {
		other := names.Task(number)
		isLike := other.Function == own.Function && names.Place(other.At).At == line
		if isLike && Test(names, number) != Test(names, task) {
			return false
		}
	}
	return true
}

// judgeByTest finds the tasks among Open whose wait only other tests could end, and says nothing of
// those that serve several tests.
func (r *Run) judgeByTest(names op.Names, j *Judgement) {
	if r.Left != mainTask || names.Task(mainTask).Test == "" {
		return // no test, or not all have ended
	}
	goOn := map[string]Tasks{} // by test; "" for those that may be meant for all
	for t := range j.GoOn {
		test := Test(names, t)
		if r.Task(t).Serves {
			test = ""
		}
		if goOn[test] == nil {
			goOn[test] = Tasks{}
		}
		goOn[test][t] = true
	}
	may := map[string]Tasks{}
	mayOf := func(test string) Tasks {
		if goOn[test] == nil {
			test = "" // the same for all of these
		}
		if may[test] == nil {
			own := Tasks{}
			for _, of := range []string{"", test} {
				for t := range goOn[of] {
					own[t] = true
				}
			}
			may[test] = r.mayContinue(names, own)
		}
		return may[test]
	}
	j.Possible = slices.DeleteFunc(j.Possible, func(t op.Task) bool {
		serves := r.ServesTests(names, t)
		if serves {
			j.Open = append(j.Open, t)
		}
		return serves
	})
	j.Open = slices.DeleteFunc(j.Open, func(t op.Task) bool {
		test := Test(names, t)
		left := test != "" && !r.ServesTests(names, t) && r.isLeft(names, t, test, mayOf(test))
		if left {
			j.Left = append(j.Left, t)
		}
		return left
	})
}

// isLeft reports whether only other tests could end the wait of a task of a test: none of the tasks
// that may go on otherwise has used what it waits for, if only package variables lead there, or no
// such task is left.
func (r *Run) isLeft(names op.Names, task op.Task, test string, may Tasks) bool {
	for kind, o := range r.Task(task).Block.wants() {
		if kind == op.Lock || kind == op.RLock || kind == op.Once {
			return false
		}
		t := r.Objects.Ensure(o)
		if len(t.Users.List) == MaxUsers || slices.ContainsFunc(t.Users.List, func(m candidate.Mark) bool {
			return t.isContended(kind, m.Kind) && Test(names, m.Task) != test
		}) {
			return false
		}
	}
	if r.IsReached(task) {
		return len(may) == 0
	}
	return !may[task] && !r.wakesKept(may) && r.isKept(task, may)
}
