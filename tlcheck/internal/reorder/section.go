package reorder

import (
	"slices"
	"sort"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// lock is a Mutex, an RWMutex, or a channel that is used as a lock.
type lock struct {
	object  op.Object
	open    []*section // that have not ended
	carried []*section // that have begun before what is remembered, and may end in it
	ended   bool       // a section has

	state lockState // of the latest closure that has it
}

// section is one critical section.
type section struct {
	lock  *lock
	use   *use
	task  *task
	k     int32 // the operation of the task that began it
	seq   int64 // in the log
	at    op.Place
	kind  op.Kind  // Lock, RLock, or Send for a channel
	outer *section // that the task was in when this one began, as far as is remembered
	write *section // the last exclusive one of its task on the lock, up to this one

	endTask *task // that ended it, nil if none has
	endK    int32
	endData *clock.Clock
	endKind op.Kind
	endAt   op.Place
	endSeq  int64 // in the log
}

func (s *section) reads() bool { return s.kind == op.RLock }

// excludes reports whether two sections exclude each other.
func (s *section) excludes(o *section) bool { return s.lock == o.lock && !(s.reads() && o.reads()) }

// task is the state of a task.
type task struct {
	id    op.Task
	index int // in History.list
	kept  int // entries of the log about it
	open  []*section
	begun queue[*section]
	uses  []*use
	by    map[*lock]*use
	born  *goStatement

	dropped    entry // the last one of those that are being dropped
	isDropping bool  // there is one

	in      int32 // operations in the set that is being closed
	entered int32 // of these, how many have been looked at
}

// use has the sections that a task has begun on a lock.
type use struct {
	lock   *lock
	begun  queue[*section]
	index  int  // in task.uses
	nested bool // one of them may be open behind a later one: both read, or another task has ended it
}

// goStatement is a go statement.
type goStatement struct {
	parent *task
	k      int32
	seq    int64
	at     op.Place
}

// task returns what is remembered of a task.
func (h *History) task(t op.Task) *task {
	x := h.tasks[t]
	if x == nil {
		x = &task{id: t, index: len(h.list), by: map[*lock]*use{}}
		h.tasks[t] = x
		h.list = append(h.list, x)
	}
	return x
}

// forget forgets a task if nothing refers to it.
func (h *History) forget(t *task) {
	if t.kept > 0 || len(t.open) > 0 || h.tasks[t.id] != t {
		return
	}
	last := h.list[len(h.list)-1]
	h.list[t.index], last.index = last, t.index
	h.list[len(h.list)-1] = nil
	h.list = h.list[:len(h.list)-1]
	delete(h.tasks, t.id)
}

// useOf returns the sections of a lock that the task has begun.
func (t *task) useOf(l *lock) *use {
	u := t.by[l]
	if u == nil {
		u = &use{lock: l, index: len(t.uses)}
		t.by[l] = u
		t.uses = append(t.uses, u)
	}
	return u
}

// unuse forgets a use that is empty.
func (t *task) unuse(u *use) {
	last := t.uses[len(t.uses)-1]
	t.uses[u.index], last.index = last, u.index
	t.uses[len(t.uses)-1] = nil
	t.uses = t.uses[:len(t.uses)-1]
	delete(t.by, u.lock)
}

func (h *History) noteGo(o *op.Op) {
	if o.Other == op.NoTask || o.Other == o.Task {
		return
	}
	child, parent := h.task(o.Other), h.task(o.Task)
	child.born = &goStatement{parent, o.K, h.seq, o.At}
	child.kept++
	h.append(entry{kind: entryGo, task: parent, k: o.K, data: o.Data, child: child})
}

func (h *History) acquire(o *op.Op, reads bool) {
	l := h.locks.At(o.Object)
	if l == nil || l.isExcluded(reads) { // its end would have been reported, so the memory is another lock now
		l = &lock{object: o.Object}
		h.locks.Set(o.Object, l)
	}
	t := h.task(o.Task)
	u := t.useOf(l)
	s := &section{lock: l, use: u, task: t, k: o.K, seq: h.seq, at: o.At, kind: o.Kind}
	if n := len(t.open); n > 0 {
		s.outer = t.open[n-1]
	}
	if before := u.begun.all(); len(before) > 0 {
		last := before[len(before)-1]
		s.write, u.nested = last.write, u.nested || last.endTask == nil
	}
	if !reads {
		s.write = s
	}
	u.begun.push(s)
	t.begun.push(s)
	t.open, l.open = append(t.open, s), append(l.open, s)
	h.append(entry{kind: entryAcquire, task: t, k: o.K, data: o.Data, section: s})
}

// isExcluded reports whether an open section excludes a new one. reads says that the new one only
// reads.
func (l *lock) isExcluded(reads bool) bool {
	return slices.ContainsFunc(l.open, func(s *section) bool { return !reads || !s.reads() })
}

// release ends the last open section of that kind of the task of o. If the task has none, it ends
// that of another task.
func (h *History) release(o *op.Op, reads bool) {
	l := h.locks.At(o.Object)
	if l == nil {
		l = &lock{object: o.Object}
		h.locks.Set(o.Object, l)
	}
	by := h.task(o.Task)
	s := l.sectionEndedBy(by, reads)
	if s == nil {
		if s = l.unseen(by, o.Kind); s == nil {
			h.forget(by)
			return
		}
	}
	l.open = remove(l.open, s)
	s.task.open = remove(s.task.open, s)
	if s.use != nil && s.task != by {
		s.use.nested = true
	}
	l.ended = true
	s.endTask, s.endK, s.endData, s.endKind, s.endAt, s.endSeq = by, o.K, o.Data, o.Kind, o.At, h.seq
	h.append(entry{kind: entryRelease, task: by, k: o.K, data: o.Data, section: s})
	h.forget(s.task)
}

// sectionEndedBy returns the open section that a task ends: its own last one, or else the first
// one.
func (l *lock) sectionEndedBy(by *task, reads bool) *section {
	var found *section
	for _, s := range l.open {
		if s.reads() == reads && (found == nil || s.task == by) {
			found = s
		}
	}
	return found
}

// unseen returns the section that a task ends and that has begun before the run was recorded, so it
// is in every prefix; nil if there can be none.
func (l *lock) unseen(by *task, ends op.Kind) *section {
	s := &section{lock: l, task: by, seq: -1, kind: op.RLock}
	switch {
	case ends == op.Unlock && !l.ended && len(l.open) == 0:
		s.kind = op.Lock
	case ends != op.RUnlock:
		return nil
	}
	l.carried = append(l.carried, s)
	return s
}

// remove takes the last occurrence of a section out of a list.
func remove(list []*section, s *section) []*section {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == s {
			return slices.Delete(list, i, i+1)
		}
	}
	return list
}

// begunBy returns how many of some sections of a task, in order, have begun after done operations.
func begunBy(sections []*section, done int32) int {
	return sort.Search(len(sections), func(i int) bool { return sections[i].k > done })
}

// innermost returns the latest section in which the task is at a point, as far as is remembered,
// nil if it is in none.
func (h *History) innermost(p Point) *section {
	t := h.tasks[p.Task]
	if t == nil {
		return nil
	}
	begun := t.begun.all()
	n := begunBy(begun, p.Done)
	if n == 0 {
		return nil
	}
	return begun[n-1].openAt(p.Done)
}

// openAt returns the innermost of s and its enclosing sections that is still open after so many
// operations of the task, nil if there is none. Sections that another task has ended are left out.
func (s *section) openAt(done int32) *section {
	for s != nil && s.endTask != nil && (s.endTask != s.task || s.endK <= done) {
		s = s.outer
	}
	return s
}

// Outside returns the first point from a on at which its task is in no section any more that
// excludes one of b's. It reports false if such a section has not ended.
func (h *History) Outside(a, b Point) (Point, bool) {
	outside := a
	for s := h.innermost(a); s != nil; s = s.outer.openAt(a.Done) {
		for o := h.innermost(b); o != nil; o = o.outer.openAt(b.Done) {
			switch {
			case !s.excludes(o):
			case s.endTask == nil:
				return a, false
			case s.endK > outside.Done:
				outside.Done, outside.Data = s.endK, s.endData
			}
		}
	}
	return outside, true
}

// Excluded reports whether the tasks at two points are in sections that exclude each other. Then no
// prefix has both. There may be no prefix for other reasons.
func (h *History) Excluded(a, b Point) bool {
	for s := h.innermost(a); s != nil; s = s.outer.openAt(a.Done) {
		for o := h.innermost(b); o != nil; o = o.outer.openAt(b.Done) {
			if s.excludes(o) {
				return true
			}
		}
	}
	return false
}
