package state

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Section is a section of a lock, in which a task is.
type Section struct {
	candidate.Mark
	Free  *clock.Clock // what the task knew when it came in, or when it panicked: see notePanic
	Tried bool         // it would have gone on without the lock
}

// Sections returns the sections that tasks are in.
func (t *Object) Sections() []Section {
	all := slices.Clone(t.Readers)
	if t.Writer.Kind == op.Lock {
		all = append(all, t.Writer)
	}
	return all
}

// IsLocked reports whether a task is in a section of the lock.
func (t *Object) IsLocked() bool { return t.Writer.Kind == op.Lock || len(t.Readers) > 0 }

// Outermost returns the step with which a task has entered the section that it is in, the first one
// if there are several; of kind None if there is none.
func (r *Run) Outermost(t op.Task) op.Step {
	task := r.Task(t)
	if task == nil || len(task.Held) == 0 {
		return op.Step{}
	}
	object := task.Held[0].Object
	lock := r.Objects.At(object)
	if lock == nil {
		return op.Step{}
	}
	for _, s := range lock.Sections() {
		if s.Task == t {
			return s.Step(object)
		}
	}
	return op.Step{}
}

func (r *Run) acquire(o *op.Op) {
	t, task := r.Objects.Ensure(o.Object), r.task(o.Task)
	r.overwritten(o, t)
	s := Section{candidate.MarkOf(o, o.Kind), o.Free, o.Tries()}
	if o.Kind == op.Lock {
		t.Writer = s
		delete(t.writers, o.Task)
	} else {
		t.Readers = append(t.Readers, s)
	}
	t.noteUse(o, acquisitionKind(o))
	task.Held = append(task.Held, rule.HeldLock{Object: o.Object, Kind: o.Kind, At: o.At})
}

// acquisitionKind returns the kind of mark for an acquisition: those by TryLock and TryRLock
// differ.
func acquisitionKind(o *op.Op) op.Kind {
	switch {
	case !o.Tries():
		return o.Kind
	case o.Kind == op.RLock:
		return triedRLock
	}
	return triedLock
}

// overwritten forgets sections that exclude the one that begins. Their ends would have been
// reported before, so a new lock has overwritten this one.
func (r *Run) overwritten(o *op.Op, t *Object) {
	if t.Writer.Kind == op.Lock {
		r.drop(o.Object, &t.Writer)
		t.Writer = Section{}
	}
	if o.Kind == op.RLock {
		return
	}
	for i := range t.Readers {
		r.drop(o.Object, &t.Readers[i])
	}
	t.Readers = t.Readers[:0]
}

func (r *Run) unlock(o *op.Op) {
	t := r.Objects.Ensure(o.Object)
	if t.Writer.Kind != op.Lock {
		t.noteUse(o, op.Unlock)
		return
	}
	r.release(o, t, t.Writer)
	t.Writer = Section{}
}

// runlock ends the section of the task, or of another task if it has none.
func (r *Run) runlock(o *op.Op) {
	t := r.Objects.Ensure(o.Object)
	if len(t.Readers) == 0 {
		t.noteUse(o, op.RUnlock)
		return
	}
	i := len(t.Readers) - 1
	for j := i; j >= 0; j-- {
		if t.Readers[j].Task == o.Task {
			i = j
			break
		}
	}
	r.release(o, t, t.Readers[i])
	t.Readers = slices.Delete(t.Readers, i, i+1)
}

func (r *Run) release(o *op.Op, t *Object, s Section) {
	r.Released = s
	t.Lent = t.Lent || s.Task != o.Task
	r.drop(o.Object, &s)
}

// drop removes a section from those that its task is in.
func (r *Run) drop(object op.Object, s *Section) {
	task := r.Task(s.Task)
	if task == nil {
		return
	}
	for i, h := range slices.Backward(task.Held) {
		if h.Object == object && h.Kind == s.Kind {
			task.Held = slices.Delete(task.Held, i, i+1)
			return
		}
	}
}

// notePanic notes that a task panics, and so may never unlock what it holds. It does so because of
// what it knows by then, such as the close of the channel on which it sends.
func (r *Run) notePanic(o *op.Op) {
	for _, held := range r.task(o.Task).Held {
		t := r.Objects.Ensure(held.Object)
		if t.Writer.Task == o.Task {
			t.Writer.Free = o.Free
		}
		for i := range t.Readers {
			if t.Readers[i].Task == o.Task {
				t.Readers[i].Free = o.Free
			}
		}
	}
}
