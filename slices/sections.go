package slices

import (
	"iter"
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/san"
)

// Sections has the critical sections of a run's locks, for the lattice of a net in which they order
// nothing: a lock is an event of a task and comes after no unlock by others. A slice of such a net
// is valid if the run's order, restricted to it, respects mutual exclusion: if two conflicting
// sections have begun in it, the one that came first in the run has ended in it.
//
// Valid slices are closed under intersection, but not under union. Each slice has a least valid one
// above it, or none. So an interval has a valid slice if and only if the least one above its lower
// end is in it, as in sync-preserving prediction (Mathur, Pavlogiannis and Viswanathan, POPL 2021).
//
// Sections cache intermediate results, so they are not safe for concurrent use.
type Sections struct {
	lat     *Lattice
	locks   []*lock
	tasks   []sectionTask // by task
	crossed []*lock       // those with a section that another task has ended
	round   int           // numbers the slices examined; see lock.latest
}

// lock has the sections of one lock.
type lock struct {
	number   int
	sections []section // in the order of the run
	open     []int32   // indices of those that have not ended so far, ascending
	tasks    []lockTask
	crossed  bool // another task has ended a section

	// Results of latest for the slice with that number.
	round              int
	lastAny, lastWrite int32
}

// section is one critical section.
type section struct {
	acquire, release san.Action
	ended            bool // there is a release
	reads            bool // it does not exclude other reading sections
}

// lockTask has the sections that a task has begun on a lock.
type lockTask struct {
	task  san.Task
	begun []int32 // indices of sections, ascending
	// by place in begun: the last section up to there that excludes all others, -1 if none does
	write []int32
}

// sectionTask has the sections that a task has begun on any lock.
type sectionTask struct {
	begun []sectionStart
	open  []int32 // places in begun of those that have not ended so far, ascending
}

// sectionStart is the point where a task begins a section. Every section that is open there is on
// the chain of before links, and none is before the oldest one.
type sectionStart struct {
	lock    *lock
	section int32
	k       int32
	before  int32 // place of the last open one; -1 if there is none
	oldest  int32 // place of the first open one; this one if there is none
}

// NewSections finds the sections in the events of the lattice's net, whose recorded order is that
// of the run. In that order sections of one lock exclude each other. If a section begins while a
// conflicting one is open, the memory of a former lock was reused: the open section excludes no
// later one.
func NewSections(l *Lattice) *Sections {
	s := &Sections{lat: l, tasks: make([]sectionTask, l.net.Tasks())}
	found, effects := map[string]*lock{}, l.net.Sections()
	count := make([]int32, l.net.Tasks())
	for _, t := range l.net.Recorded(0) {
		count[t]++
		a := san.Action{Task: t, K: count[t]}
		info := l.net.Event(a)
		does := effects.Of(info.Op, info.Obj)
		if !does.Begins && !does.Ends {
			continue
		}
		of := found[info.Obj]
		if of == nil || does.Begins && of.isTaken(does.Reads) {
			of = &lock{number: len(s.locks)} // a new lock uses the memory of the old one
			found[info.Obj] = of
			s.locks = append(s.locks, of)
		}
		if does.Begins {
			s.begin(of, a, does.Reads)
		} else {
			s.end(of, a, does.Reads)
		}
	}
	place := make([]int32, l.net.Tasks())
	for _, of := range s.locks {
		of.group(place)
		if of.crossed {
			s.crossed = append(s.crossed, of)
		}
	}
	return s
}

// isTaken reports whether an open section excludes one that begins now.
func (l *lock) isTaken(reads bool) bool {
	return len(l.open) > 0 && !(reads && l.sections[l.open[0]].reads)
}

// begin adds a section.
func (s *Sections) begin(l *lock, a san.Action, reads bool) {
	n := int32(len(l.sections))
	l.sections = append(l.sections, section{acquire: a, reads: reads})
	l.open = append(l.open, n)
	t := &s.tasks[a.Task]
	self := int32(len(t.begun))
	b := sectionStart{lock: l, section: n, k: a.K, before: -1, oldest: self}
	if last := len(t.open) - 1; last >= 0 {
		b.before, b.oldest = t.open[last], t.open[0]
	}
	t.open, t.begun = append(t.open, self), append(t.begun, b)
}

// group finds the sections of each task after all have begun. place has a zero for each task,
// before and after the call.
func (l *lock) group(place []int32) {
	for i := range l.sections {
		t := l.sections[i].acquire.Task
		if place[t]++; place[t] == 1 {
			l.tasks = append(l.tasks, lockTask{task: t})
		}
	}
	begun, write := make([]int32, len(l.sections)), make([]int32, len(l.sections))
	for i := range l.tasks {
		t := &l.tasks[i]
		n := place[t.task]
		t.begun, begun = begun[:0:n], begun[n:]
		t.write, write = write[:0:n], write[n:]
		place[t.task] = int32(i)
	}
	for i := range l.sections {
		x := &l.sections[i]
		l.tasks[place[x.acquire.Task]].add(int32(i), x.reads)
	}
	for i := range l.tasks {
		place[l.tasks[i].task] = 0
	}
}

func (t *lockTask) add(n int32, reads bool) {
	last := n
	if reads {
		last = -1
		if m := len(t.write); m > 0 {
			last = t.write[m-1]
		}
	}
	t.begun, t.write = append(t.begun, n), append(t.write, last)
}

// end ends the task's last open section of that kind, else the first open one of another task.
func (s *Sections) end(l *lock, a san.Action, reads bool) {
	open := -1
	for i := len(l.open) - 1; i >= 0; i-- {
		x := &l.sections[l.open[i]]
		if x.reads != reads {
			continue
		}
		open = i
		if x.acquire.Task == a.Task {
			break
		}
	}
	if open < 0 {
		return // it began before the recording
	}
	n := l.open[open]
	l.open = stdslices.Delete(l.open, open, open+1)
	x := &l.sections[n]
	x.release, x.ended = a, true
	l.crossed = l.crossed || x.acquire.Task != a.Task
	s.tasks[x.acquire.Task].end(x.acquire.K)
}

// end removes the section that the task began with its k-th event from the open ones.
func (t *sectionTask) end(k int32) {
	for i := len(t.open) - 1; i >= 0; i-- {
		if t.begun[t.open[i]].k == k {
			t.open = stdslices.Delete(t.open, i, i+1)
			return
		}
	}
}

// begunIn returns how many sections the task has begun in a slice with these numbers of events.
func (t *lockTask) begunIn(l *lock, at []int32) int {
	n := at[t.task]
	if n == 0 {
		return 0
	}
	return sort.Search(len(t.begun), func(m int) bool { return l.sections[t.begun[m]].acquire.K > n })
}

// Hold is a lock, by its number, that a task holds. Excludes says whether no other task can hold
// it.
type Hold struct {
	Lock     int
	Excludes bool
}

// Held appends the locks that a task holds throughout its local states from one to another. It
// leaves out those that another task unlocks.
func (s *Sections) Held(t san.Task, from, to int, holds []Hold) []Hold {
	for b := range s.tasks[t].openAt(from) {
		if x := &b.lock.sections[b.section]; !x.ended || x.release.Task == t && int(x.release.K) > to {
			holds = append(holds, Hold{b.lock.number, !x.reads})
		}
	}
	return holds
}

// openAt yields, last first, the sections that are open when a task has n events, and perhaps
// others that it began earlier.
func (t *sectionTask) openAt(n int) iter.Seq[*sectionStart] {
	return func(yield func(*sectionStart) bool) {
		last := int32(sort.Search(len(t.begun), func(m int) bool { return int(t.begun[m].k) > n })) - 1
		if last < 0 {
			return
		}
		for m, oldest := last, t.begun[last].oldest; m >= oldest; m = t.begun[m].before {
			if !yield(&t.begun[m]) {
				return
			}
		}
	}
}

// Closure returns the least valid slice above i; false if there is none.
func (s *Sections) Closure(i Ideal) (Ideal, bool) {
	var missing []san.Action
	for i.reps != nil {
		var ok bool
		if missing, ok = s.appendMissing(i.all().at, missing[:0]); !ok {
			return i, false
		}
		if len(missing) == 0 {
			return i, true
		}
		for _, a := range missing {
			i = i.Join(s.lat.Down(a))
		}
	}
	return i, true
}

// appendMissing appends the ends of sections that the slice with these numbers of events needs to
// become valid. It fails if one of them never ends. It examines only locks of tasks that are in a
// section, and locks with sections that another task ends.
func (s *Sections) appendMissing(at []int32, to []san.Action) ([]san.Action, bool) {
	s.round++
	ok := true
	for t := range s.tasks {
		if to, ok = s.tasks[t].missing(s.round, at, at[t], to); !ok {
			return to, false
		}
	}
	for _, l := range s.crossed {
		if to, ok = l.missing(s.round, at, to); !ok {
			return to, false
		}
	}
	return to, true
}

// missing appends the ends of the task's sections that are open in a slice and must end there.
func (t *sectionTask) missing(round int, at []int32, n int32, to []san.Action) ([]san.Action, bool) {
	for b := range t.openAt(int(n)) {
		x := &b.lock.sections[b.section]
		if x.ended && at[x.release.Task] >= x.release.K || b.section >= b.lock.excluded(round, at, x) {
			continue
		}
		if !x.ended {
			return to, false
		}
		to = append(to, x.release)
	}
	return to, true
}

// missing appends the ends of all sections of the lock that must be in a slice.
func (l *lock) missing(round int, at []int32, to []san.Action) ([]san.Action, bool) {
	for i := range l.tasks {
		t := &l.tasks[i]
		for _, n := range t.begun[:t.begunIn(l, at)] {
			x := &l.sections[n]
			switch {
			case n >= l.excluded(round, at, x):
			case !x.ended:
				return to, false
			case at[x.release.Task] < x.release.K:
				to = append(to, x.release)
			}
		}
	}
	return to, true
}

// excluded returns the last section in a slice with which x must not overlap; -1 if there is none.
func (l *lock) excluded(round int, at []int32, x *section) int32 {
	if l.round != round {
		l.round = round
		l.lastAny, l.lastWrite = l.latest(at)
	}
	if x.reads {
		return l.lastWrite
	}
	return l.lastAny
}

// latest returns the last section that has begun in a slice, and the last of those that exclude all
// others; -1 if there is none.
func (l *lock) latest(at []int32) (lastAny, lastWrite int32) {
	lastAny, lastWrite = -1, -1
	for i := range l.tasks {
		t := &l.tasks[i]
		if m := t.begunIn(l, at); m > 0 {
			lastAny, lastWrite = max(lastAny, t.begun[m-1]), max(lastWrite, t.write[m-1])
		}
	}
	return lastAny, lastWrite
}

// InRunOrder reports whether a valid slice is also one of the net in which the run orders sections:
// with each section it has all conflicting ones that came before.
func (s *Sections) InRunOrder(i Ideal) bool {
	if i.reps == nil {
		return true
	}
	at := i.all().at
	for _, l := range s.locks {
		lastAny, lastWrite := l.latest(at)
		for n := range l.sections[:max(lastAny, 0)] {
			x := &l.sections[n]
			if (!x.reads || n < int(lastWrite)) && (!x.ended || at[x.release.Task] < x.release.K) {
				return false
			}
		}
	}
	return true
}

// Schedule returns the actions of a valid slice, by canonical name, in the order of the run. That
// order respects mutual exclusion.
func (s *Sections) Schedule(i Ideal) []san.Action {
	var order []san.Action
	count := make([]int32, s.lat.net.Tasks())
	for _, t := range s.lat.net.Recorded(0) {
		count[t]++
		if a := (san.Action{Task: t, K: count[t]}); i.Has(a) && s.lat.net.Canonical(a) == a {
			order = append(order, a)
		}
	}
	return order
}
