package closed

import (
	"slices"

	"github.com/antichain-go/antichain/internal/freelist"
	"github.com/antichain-go/antichain/internal/sparse"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// guardedFlags looks for channels that can be closed twice, because a plain variable that says
// whether the channel is closed is looked at and set in two critical sections:
//
//	mu.Lock()
//	done := closed
//	mu.Unlock()
//	if done {
//		return
//	}
//	mu.Lock()
//	closed = true
//	mu.Unlock()
//	close(c)
//
// A task left a section of a lock, entered another one of that lock and closed a channel, in either
// order, and did hardly anything else meanwhile. Another task came to the first section later.
// Until then it knew nothing that the first task had done behind that: only the lock orders the
// two. So there is a slice in which both are behind their first sections.
//
// A program that looks once more in its second section does the same, and is correct. So this is a
// candidate. Where accesses to memory are recorded, the other task must have read in its section
// what the first one has written behind its own.
type guardedFlags struct {
	tasks    sparse.Table[*visits] // nil where there were none, or the task has ended
	spare    freelist.List[visits]
	closers  candidate.Objects[[]guardedCloser] // by the lock
	suspects []guardedSuspect
}

// visits are the last two sections of a task, of one lock. The previous one is of kind None if the
// task did more in between.
type visits struct {
	lock              op.Object
	previous, current visit
	looks             int // the suspect in the current section, from 1; 0: none
}

// visit is a section, and a close right behind it.
type visit struct {
	candidate.Mark       // begins it
	end            int32 // the operation that ends it, 0 while the task is in it
	close          candidate.Mark
	channel        op.Object
}

// guardedCloser is a task that left a section, and did what else it takes to close a channel.
type guardedCloser struct {
	look    visit
	next    candidate.Mark // its first operation behind the section
	close   candidate.Mark
	channel op.Object
}

// guardedSuspect is a task that came to such a section later.
type guardedSuspect struct {
	guardedCloser
	later candidate.Mark
	lock  op.Object
	sees  bool // what the first task has written behind its section
}

const (
	maxBetween = 4 // operations between two sections, or between one and the close
	maxClosers = 4 // of a lock
)

// isBehind reports whether operation k comes right behind the section.
func (v *visit) isBehind(k int32) bool {
	return v.Kind != op.None && v.end != 0 && k <= v.end+maxBetween
}

func (s *guardedFlags) noteLock(o *op.Op) {
	at := s.tasks.Ensure(int(o.Task))
	if *at == nil {
		*at = s.spare.Get()
	}
	v := *at
	mark := candidate.MarkOf(o, o.Kind)
	isNext := v.lock == o.Object && v.current.isBehind(o.K)
	if c := &v.current; isNext && c.close.Kind == op.Close {
		s.noteCloser(o.Object, guardedCloser{*c, c.close, c.close, c.channel})
	}
	previous := visit{}
	if isNext {
		previous = v.current
	}
	*v = visits{lock: o.Object, previous: previous, current: visit{Mark: mark}}
	if closers := s.closers.At(o.Object); closers != nil && !o.Tries() {
		for _, c := range *closers {
			if c.look.Task != o.Task && !c.next.Within(o.Free, o.Task, o.K) {
				v.looks = s.suspect(guardedSuspect{guardedCloser: c, later: mark, lock: o.Object})
			}
		}
	}
}

// suspect keeps a suspect, and returns its number, from 1; 0 if there are too many.
func (s *guardedFlags) suspect(x guardedSuspect) int {
	i := slices.IndexFunc(s.suspects, func(y guardedSuspect) bool {
		return y.later.At == x.later.At && y.look.At == x.look.At && y.close.At == x.close.At
	})
	switch {
	case i >= 0 && !s.suspects[i].sees:
		s.suspects[i] = x
	case i < 0 && len(s.suspects) < maxSuspects:
		s.suspects, i = append(s.suspects, x), len(s.suspects)
	}
	return i + 1
}

func (s *guardedFlags) noteUnlock(o *op.Op) {
	if v := s.of(o.Task); v != nil && v.lock == o.Object {
		v.current.end, v.looks = o.K, 0
	}
}

// of returns the sections of a task, nil if it had none.
func (s *guardedFlags) of(t op.Task) *visits {
	if at := s.tasks.At(int(t)); at != nil {
		return *at
	}
	return nil
}

func (s *guardedFlags) noteClose(o *op.Op) {
	v := s.of(o.Task)
	if v == nil {
		return
	}
	c, mark := &v.current, candidate.MarkOf(o, op.Close)
	isBehind := c.isBehind(o.K)
	if v.previous.Kind != op.None && (c.end == 0 || isBehind) {
		s.noteCloser(v.lock, guardedCloser{v.previous, c.Mark, mark, o.Object})
	}
	if isBehind {
		c.close, c.channel = mark, o.Object
	}
}

// noteCloser keeps what a task has done to close a channel, in place of another one at the same
// places.
func (s *guardedFlags) noteCloser(lock op.Object, c guardedCloser) {
	all := s.closers.Ensure(lock)
	isLike := func(x guardedCloser) bool { return x.look.At == c.look.At && x.close.At == c.close.At }
	switch i := slices.IndexFunc(*all, isLike); {
	case i >= 0:
		(*all)[i] = c
	case len(*all) < maxClosers:
		*all = append(*all, c)
	}
}

// noteRead notes what a task sees in its section.
func (s *guardedFlags) noteRead(o *op.Op) {
	v := s.of(o.Task)
	if v == nil || v.looks == 0 {
		return
	}
	x := &s.suspects[v.looks-1]
	x.sees = x.sees || o.Other == x.look.Task && o.OtherMoment >= x.look.end
}

func (s *guardedFlags) end(task op.Task) {
	if v := s.of(task); v != nil {
		*s.tasks.At(int(task)), *v = nil, visits{}
		s.spare.Put(v)
	}
}

// candidates returns the suspects that have come to the section in the same way. If accesses are
// recorded, they must have seen that the channel was closed.
func (s *guardedFlags) candidates(names op.Names, recorded bool) []rule.Finding {
	var all []rule.Finding
	for i := range s.suspects {
		x := &s.suspects[i]
		way := wayToClose(names, x.look.At, x.close.At)
		if len(way) == 0 {
			way = callsOf(names, x.look.At) // as far as they are known
		}
		if (x.sees || !recorded) && isBelow(way, callsOf(names, x.later.At)) {
			all = append(all, x.candidate(names))
		}
	}
	return all
}

// candidate returns the suspect as a candidate: both tasks leave their first sections before one of
// them goes on.
func (x *guardedSuspect) candidate(names op.Names) rule.Finding {
	pair := candidate.Pair{First: x.later, Second: x.close, Object: x.channel, Count: 1}
	d := describeGuarded(candidate.Words{Names: names}, &pair, x.lock)
	next := x.lock
	if x.next.Kind == op.Close {
		next = x.channel
	}
	f := d.Candidate(&pair, x.look.Step(x.lock), x.later.Step(x.lock), x.next.Step(next))
	f.Parties[0].Object = x.lock
	return f
}
