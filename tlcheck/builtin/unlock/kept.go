package unlock

import (
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
// have done so before. So is whether it stays locked, as long as any task can go on: it may unlock
// the lock, which may reach it in a message or by way of a package variable. The same is true of a
// task that calls os.Exit, but not of main in a test binary, which has only run the tests.
type kept struct {
	candidate.Pairs // of a Lock and of the end of another section that began at its line
	run             *state.Run
	// that their tasks have ended, by where they began and ended
	sections map[[2]op.Place]section
	recent   [recentSections][2]op.Place // keys of sections, a small cache in front of it
	lent     map[op.Place]bool           // where sections began that other tasks have ended
	waits    map[op.Place]bool           // of Conds, which unlock
	permits  candidate.Objects[permits]
}

// section is a critical section.
type section struct{ begin, end candidate.Mark }

const (
	maxPlaces      = 1 << 14 // that are known
	recentSections = 16
)

func (k *kept) noteUnlock(o *op.Op) {
	s := &k.run.Released
	if s.Kind == op.None {
		return
	}
	if s.Task != o.Task {
		if k.hasRoom() {
			k.lent[s.At] = true
		}
		return
	}
	k.noteSection(s.Mark, candidate.MarkOf(o, o.Kind))
}

// noteSection keeps a section, unless one between the same places is kept: either shows the way.
func (k *kept) noteSection(begin, end candidate.Mark) {
	places := [2]op.Place{begin.At, end.At}
	recent := &k.recent[(31*places[0]+places[1])%recentSections]
	if *recent == places || !k.hasRoom() {
		return
	}
	*recent = places
	k.sections[places] = section{begin, end}
}

// hasRoom reports whether another place can be kept.
func (k *kept) hasRoom() bool {
	if k.sections == nil {
		k.sections, k.lent = map[[2]op.Place]section{}, map[op.Place]bool{}
	}
	return len(k.sections)+len(k.lent) < maxPlaces
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
	paths, others := k.paths(names), k.othersMayGoOn(names)
	for object, t := range k.run.Objects.All() {
		for _, s := range t.Sections() {
			if t.Lent || s.Tried || s.Task == k.run.Left || !k.run.HasEnded(s.Task) {
				continue
			}
			if end := paths.behind(s.At); end.Kind != op.None {
				k.Observe(flaw(t, &s, others), s.Mark, end, object)
			}
		}
	}
	k.observePermits(paths, others)
	found := k.Findings(names)
	for i := range found {
		found[i].Cause, found[i].AtEnd = found[i].Parties[0].At, true
	}
	return found
}

// flaw says what is wrong with a section that its task has not ended.
func flaw(t *state.Object, s *state.Section, others bool) candidate.Flaw {
	switch {
	case others:
		return keptForOthers
	case !mayFollow(t, s):
		return keptUnused
	}
	return keptLocked
}

// othersMayGoOn reports whether any task could go on at the end of the run, or would have done so
// if it had not ended the program.
func (k *kept) othersMayGoOn(names op.Names) bool {
	by, exited := k.run.ExitedBy()
	return exited && names.Task(by).Test == "" || k.run.CanContinue(names)
}

// mayFollow reports whether a task that has locked the lock need not have done so before the
// section, which would keep it out.
func mayFollow(t *state.Object, s *state.Section) bool {
	return slices.ContainsFunc(t.Users.List, func(m candidate.Mark) bool {
		excludes := m.Kind == op.Lock || m.Kind == op.RLock && s.Kind == op.Lock || m.Kind == op.Send
		return excludes && m.Task != s.Task && !m.Within(s.Free, s.Task, s.K)
	})
}
