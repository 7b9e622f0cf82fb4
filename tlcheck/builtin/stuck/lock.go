package stuck

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

func (s *state) lock(o *op.Op) {
	t, task := s.resources.Of(o.Object), s.task(o.Task)
	if o.Kind == op.Unlock || o.Kind == op.RUnlock {
		task.unlocked = o.K
	}
	switch o.Kind {
	case op.Lock:
		s.overwritten(o, t)
		t.writer = holder{candidate.MarkOf(o, op.Lock), o.Free}
		delete(t.writers, o.Task)
		t.used(o, acquiring(o))
	case op.RLock:
		s.overwritten(o, t)
		t.readers = append(t.readers, holder{candidate.MarkOf(o, op.RLock), o.Free})
		t.used(o, acquiring(o))
	case op.Unlock:
		if t.writer.Kind == op.Lock {
			t.lent = t.lent || t.writer.Task != o.Task
			s.release(o.Object, t.writer.Task, op.Lock)
		} else {
			t.used(o, op.Unlock)
		}
		t.writer = holder{}
		return
	case op.RUnlock:
		s.runlock(o, t)
		return
	}
	task.held = append(task.held, rule.HeldLock{Object: o.Object, Kind: o.Kind, At: o.At})
}

// acquiring is what has been done to a lock: one that would not have waited differs.
func acquiring(o *op.Op) op.Kind {
	switch {
	case !o.Tries():
		return o.Kind
	case o.Kind == op.RLock:
		return triedRLock
	}
	return triedLock
}

// overwritten forgets the sections that exclude the one which begins. Their ends would have come
// before, so the lock has been overwritten by a new one.
func (s *state) overwritten(o *op.Op, t *resource) {
	if t.writer.Kind == op.Lock {
		s.release(o.Object, t.writer.Task, op.Lock)
		t.writer = holder{}
	}
	if o.Kind == op.RLock {
		return
	}
	for _, h := range t.readers {
		s.release(o.Object, h.Task, op.RLock)
	}
	t.readers = t.readers[:0]
}

// runlock ends the section of the task, or of another one if it has none.
func (s *state) runlock(o *op.Op, t *resource) {
	if len(t.readers) == 0 {
		t.used(o, op.RUnlock)
		return
	}
	i := len(t.readers) - 1
	for j := i; j >= 0; j-- {
		if t.readers[j].Task == o.Task {
			i = j
			break
		}
	}
	t.lent = t.lent || t.readers[i].Task != o.Task
	s.release(o.Object, t.readers[i].Task, op.RLock)
	t.readers = slices.Delete(t.readers, i, i+1)
}

// fails notes that a task panics. That it does, and so may never give back the locks that it holds,
// rests on what it knows by then: of the close of the channel on which it sends.
func (s *state) fails(o *op.Op) {
	for _, held := range s.task(o.Task).held {
		t := s.resources.Of(held.Object)
		if t.writer.Task == o.Task {
			t.writer.free = o.Free
		}
		for i := range t.readers {
			if t.readers[i].Task == o.Task {
				t.readers[i].free = o.Free
			}
		}
	}
}

// release takes the lock from those that the task holds.
func (s *state) release(object op.Object, task op.Task, kind op.Kind) {
	if int(task) >= len(s.tasks) || s.tasks[task] == nil {
		return
	}
	held := s.tasks[task].held
	for i := len(held) - 1; i >= 0; i-- {
		if held[i].Object == object && held[i].Kind == kind {
			s.tasks[task].held = slices.Delete(held, i, i+1)
			return
		}
	}
}

// holders returns the tasks in sections of the lock.
func (t *resource) holders() []holder {
	all := slices.Clone(t.readers)
	if t.writer.Kind == op.Lock {
		all = append(all, t.writer)
	}
	return all
}
