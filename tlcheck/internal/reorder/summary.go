package reorder

import (
	"iter"
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Limits of a summary. If one is exceeded, Reach may answer no where the answer is yes, but never
// yes where it is no.
const (
	maxUsers     = 8       // of a lock: tasks that are distinguished
	maxLeft      = 16      // sections that a task has left while it was in another one
	maxSpans     = 32      // of a task: sections in which it synchronised otherwise
	maxRetired   = 1 << 12 // tasks that have ended and have such sections
	maxForgotten = 1 << 20 // such tasks after that
)

// Acquisition is an operation that begins a section.
type Acquisition struct {
	Lock *Users
	Free *clock.Clock // what the task knew
	Data *clock.Clock // also by reading
	Seq  int64        // among all acquisitions of the run, in the order in which they happened
	Task op.Task
	K    int32
	At   op.Place
	Kind op.Kind

	Alone bool // its task was in no section, and waited for the lock if another one had it
}

// Excludes reports whether the sections of a and b exclude each other.
func (a *Acquisition) Excludes(b *Acquisition) bool {
	return a.Lock == b.Lock && Excludes(a.Kind, b.Kind)
}

// Excludes reports whether operations of those kinds on one lock exclude each other.
func Excludes(a, b op.Kind) bool { return a != op.RLock || b != op.RLock }

// WantedBy returns the first acquisition of a task that came later in the run and excludes a. It is
// nil if there is one, but it is not known which.
func (a *Acquisition) WantedBy(task op.Task) (first *Acquisition, found bool) {
	if a.Lock.lost > a.Seq {
		return nil, true
	}
	for i := range a.Lock.users {
		u := &a.Lock.users[i]
		if u.newest().Task != task || u.newest().Seq <= a.Seq {
			continue
		}
		if u.older > a.Seq {
			return nil, true
		}
		for _, next := range [...]*Acquisition{u.second(), u.newest()} {
			if next.Seq > a.Seq && Excludes(next.Kind, a.Kind) {
				return next, true
			}
		}
	}
	return nil, false
}

// Span is a section with its end.
type Span struct {
	Acquisition
	By     op.Task // that released it
	ByK    int32
	ByFree *clock.Clock
}

// Users are the tasks that acquired a lock last.
type Users struct {
	users []user
	lost  int64 // the newest acquisition of others
}

// user is a task that acquired a lock, with its last two acquisitions.
type user struct {
	latest [2]Acquisition
	last   int   // of these
	older  int64 // the newest before these
}

func (u *user) newest() *Acquisition { return &u.latest[u.last] }

// second is the one before, without a lock if there is none.
func (u *user) second() *Acquisition { return &u.latest[1-u.last] }

// Has reports whether a task is one of them.
func (l *Users) Has(task op.Task) bool {
	return slices.ContainsFunc(l.users, func(u user) bool { return u.newest().Task == task })
}

// Overtaken returns a section in an ideal, and one that excludes it, came before it in the run, and
// does not belong to the ideal, if it is one of those meant. Only the last two of each task are
// looked at.
func (l *Users) Overtaken(ideal *clock.Clock, isMeant func(*Acquisition) bool) (before, after Acquisition, found bool) {
	isIn := func(a *Acquisition) bool { return a.K <= ideal.At(int32(a.Task)) }
	for a := range l.latest() {
		for b := range l.latest() {
			if b.Seq < a.Seq && b.Excludes(a) && isIn(a) && !isIn(b) && isMeant(b) {
				return *b, *a, true
			}
		}
	}
	return Acquisition{}, Acquisition{}, false
}

// latest yields the last two acquisitions of each task.
func (l *Users) latest() iter.Seq[*Acquisition] {
	return func(yield func(*Acquisition) bool) {
		for i := range l.users {
			for j := range l.users[i].latest {
				if a := &l.users[i].latest[j]; a.Lock != nil && !yield(a) {
					return
				}
			}
		}
	}
}

// Add notes an acquisition of the lock.
func (l *Users) Add(a *Acquisition) {
	for i := range l.users {
		if u := &l.users[i]; u.latest[0].Task == a.Task {
			u.older = u.second().Seq
			u.last = 1 - u.last
			u.latest[u.last] = *a
			return
		}
	}
	if len(l.users) < maxUsers {
		l.users = append(l.users, user{latest: [2]Acquisition{*a}})
		return
	}
	oldest := 0
	for i := range l.users {
		if l.users[i].newest().Seq < l.users[oldest].newest().Seq {
			oldest = i
		}
	}
	l.lost = max(l.lost, l.users[oldest].newest().Seq)
	l.users[oldest] = user{latest: [2]Acquisition{*a}}
}

// Holder has the sections of a task that matter to others.
type Holder struct {
	Since Known  // its first acquisition since it held nothing; K is 0 if it never held a lock
	Left  []Span // that it has left since then
	Many  bool   // some are missing in Left, or it is in more sections than are looked at

	last  int32 // number of its last operation
	other int32 // of the last one that was no lock operation

	// The last sections in which the task synchronised otherwise, or left such a section, or
	// which another task left. Only they can be open in an ideal that is made of what others
	// know: clocks name operations that hand on knowledge, which in Free lock operations do not,
	// and ends of such sections.
	spans   []Span
	leftAt  int32 // number of the last release among spans
	cut     int32 // number of the last release that is missing in spans
	crossed bool  // another task has left a section of this one
}

// Step counts operation k; other is true if it is no lock operation. A number that is missing
// belongs to one that was left out.
func (h *Holder) Step(k int32, other bool) {
	if other || k != h.last+1 {
		h.other = k
	}
	h.last = k
}

// Begin notes that the task, which held nothing, acquires a lock.
func (h *Holder) Begin(a *Acquisition) {
	h.Since, h.Left, h.Many = Known{a.Task, a.K, a.Free}, h.Left[:0], false
}

// End notes that a section of the task has been left, and whether it still is in another one.
func (h *Holder) End(s *Span, holds bool) {
	if s.By != s.Task {
		h.crossed = true
	}
	if s.By != s.Task || max(h.other, h.leftAt) > s.K {
		h.keep(s)
	}
	switch {
	case !holds:
	case len(h.Left) == maxLeft:
		h.Many = true
	default:
		h.Left = append(h.Left, *s)
	}
}

// keep remembers a section that may be open in an ideal.
func (h *Holder) keep(s *Span) {
	if len(h.spans) == maxSpans {
		h.cut = max(h.cut, h.spans[0].ByK)
		copy(h.spans, h.spans[1:])
		h.spans = h.spans[:maxSpans-1]
	}
	h.spans = append(h.spans, *s)
	h.leftAt = h.last
}

// Reset empties it. It keeps its memory.
func (h *Holder) Reset() {
	clear(h.Left[:cap(h.Left)])
	*h = Holder{Left: h.Left[:0]}
}

// Summary is what is remembered of all sections of a run, however long it is: little of each task
// and lock. It answers whether tasks can come to points with sections in another order, whatever
// is read then (Reach).
type Summary struct {
	retired   []*Holder       // ended, with sections
	forgotten []forgottenTask // before these
	blind     bool
	clocks    clock.Memory // of the clocks that ideals learn
}

// forgottenTask has ended, and released its last section at k.
type forgottenTask struct {
	task op.Task
	k    int32
}

// IsBlind reports whether there was too much to remember. Then every answer is no.
func (s *Summary) IsBlind() bool { return s.blind }

// Retire keeps the holder of a task that has ended, if it has sections that matter. It reports
// whether it has.
func (s *Summary) Retire(h *Holder) bool {
	if len(h.spans) == 0 {
		return false
	}
	s.retired = append(s.retired, h)
	if len(s.retired) < 2*maxRetired {
		return true
	}
	for _, h := range s.retired[:maxRetired] {
		s.forgotten = append(s.forgotten, forgottenTask{h.spans[0].Task, h.lastEnd()})
	}
	s.retired = slices.Delete(s.retired, 0, maxRetired)
	if len(s.forgotten) > maxForgotten {
		s.blind, s.forgotten = true, nil
	}
	return true
}

func (h *Holder) lastEnd() int32 {
	last := h.cut
	for i := range h.spans {
		last = max(last, h.spans[i].ByK)
	}
	return last
}
