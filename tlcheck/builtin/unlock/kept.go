package unlock

import (
	"math"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// kept looks for locks that tasks have not unlocked when they end:
//
//	mu.Lock()
//	if closed {
//		return
//	}
//	mu.Unlock()
//
// That alone is no mistake: a task may lock for another one, which unlocks, and a lock may be meant
// to stay locked. But here another run of the same line was followed by an Unlock in the same
// function, so this way through it lacks one. Where a function has returned with the lock, for its
// caller to unlock, what it unlocks itself shows nothing about the way on which it does so: then
// the callers are compared. Nothing is said of lines whose locks others have unlocked, and of
// TryLock.
//
// It is in doubt whether the lock is still in use if all others that have locked it are known to
// have done so before. So is whether it stays locked, as long as a task can go on that knows of the
// Lock, and may unlock it, or can still receive what was sent behind the Lock: perhaps the lock.
type kept struct {
	candidate.Pairs // of a Lock and of the end of another section that began at its line
	run             *state.Run
	sections        map[[2]op.Place]section // that their tasks have ended, by where they began and ended
	lent            map[op.Place]bool       // where sections began that other tasks have ended
	waits           map[op.Place]bool       // of Conds, which unlock
}

// section is a critical section.
type section struct{ begin, end candidate.Mark }

// maxPlaces bounds the places that are known.
const maxPlaces = 1 << 14

func (k *kept) noteUnlock(o *op.Op) {
	s := &k.run.Released
	if s.Kind == op.None || len(k.sections)+len(k.lent) == maxPlaces {
		return
	}
	if k.sections == nil {
		k.sections, k.lent = map[[2]op.Place]section{}, map[op.Place]bool{}
	}
	if s.Task != o.Task {
		k.lent[s.At] = true
		return
	}
	k.sections[[2]op.Place{s.At, o.At}] = section{s.Mark, candidate.MarkOf(o, o.Kind)}
}

func (k *kept) noteWait(o *op.Op) {
	if k.waits == nil {
		k.waits = map[op.Place]bool{}
	}
	if len(k.waits) < maxPlaces {
		k.waits[o.At] = true
	}
}

// findings reports the locks that tasks have kept.
func (k *kept) findings(names op.Names) []rule.Finding {
	paths, alive := k.paths(names), k.alive(names)
	queued := k.queued(alive)
	for object, t := range k.run.Objects.All() {
		for _, s := range t.Sections() {
			if t.Lent || s.Tried || s.Task == k.run.Left || !k.run.HasEnded(s.Task) {
				continue
			}
			if end := paths.behind(s.At); end.Kind != op.None {
				flaw := k.flaw(t, &s, alive)
				if queued[s.Task] > s.K {
					flaw = keptForOthers
				}
				k.Observe(flaw, s.Mark, end, object)
			}
		}
	}
	found := k.Findings(names)
	for i := range found {
		found[i].Cause, found[i].AtEnd = found[i].Parties[0].At, true
	}
	return found
}

// flaw says what is wrong with a section that its task has not ended.
func (k *kept) flaw(t *state.Object, s *state.Section, alive []op.Task) candidate.Flaw {
	knows := func(x op.Task) bool { return s.Within(k.run.Task(x).Know, x, math.MaxInt32) }
	switch {
	case slices.ContainsFunc(alive, knows):
		return keptForOthers
	case !mayFollow(t, s):
		return keptUnused
	}
	return keptLocked
}

// alive returns the tasks that can go on.
func (k *kept) alive(names op.Names) []op.Task {
	stuck := k.run.Stuck(names, state.Question{}).Stuck
	var all []op.Task
	for t := range k.run.Tasks() {
		if t != k.run.Left && !stuck[t] {
			all = append(all, t)
		}
	}
	return all
}

// queued returns for each task its last send on a channel that is not empty, and from which a task
// that can go on has received.
func (k *kept) queued(alive []op.Task) map[op.Task]int32 {
	sent := map[op.Task]int32{}
	for _, c := range k.run.Objects.All() {
		isServed := c.Len > 0 && slices.ContainsFunc(c.Users.List, func(m candidate.Mark) bool {
			return m.Kind == op.Recv && slices.Contains(alive, m.Task)
		})
		if !isServed {
			continue
		}
		for _, m := range c.Users.List {
			if m.Kind == op.Send {
				sent[m.Task] = max(sent[m.Task], m.K)
			}
		}
	}
	return sent
}

// mayFollow reports whether a task that has locked the lock need not have done so before the
// section, which would keep it out.
func mayFollow(t *state.Object, s *state.Section) bool {
	return slices.ContainsFunc(t.Users.List, func(m candidate.Mark) bool {
		excludes := m.Kind == op.Lock || m.Kind == op.RLock && s.Kind == op.Lock
		return excludes && m.Task != s.Task && !m.Within(s.Free, s.Task, s.K)
	})
}
