package state

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// A goroutine may end in a section of a lock because another one, or a timer, that it has started
// in the section is to unlock the lock. As long as such an heir can go on, it is not certain that
// the lock was forgotten.

// HasHeir reports whether a task that has ended in a section of a lock has started another one in
// it that can go on.
func (v *Verdict) HasHeir(s *Section) bool { return v.heirs[s.Task] > s.K }

// noteGoing notes that a task can go on.
func (r *Run) noteGoing(v *Verdict, t op.Task) {
	by := r.StartedBy(t)
	v.heirs[by] = max(v.heirs[by], r.Task(t).started)
}

// Inherited returns the section of a lock in which a task has ended with heirs, nil if there is
// none.
func (r *Run) Inherited(lock op.Object, v *Verdict) *Section {
	t := r.Objects.At(lock)
	if t == nil {
		return nil
	}
	for _, s := range t.Sections() {
		if r.HasEnded(s.Task) && v.HasHeir(&s) {
			return &s
		}
	}
	return nil
}

// DoubtUnlock makes a finding possible, since an heir of a section may unlock the lock.
func (r *Run) DoubtUnlock(f *rule.Finding, lock op.Object, s *Section, v *Verdict, w candidate.Words) {
	heir := op.NoTask
	for number, t := range r.Tasks() {
		if r.StartedBy(number) == s.Task && t.started > s.K && number != r.Left && !v.Stuck[number] {
			heir = number
			break
		}
	}
	name := w.ObjectName(lock)
	f.How = rule.Possible
	f.Guess = &rule.Guess{Text: "no other goroutine unlocks " + name}
	f.Notes = append(f.Notes, w.TaskName(s.Task)+" has started "+w.TaskName(heir)+" while it held "+name+
		"; the report assumes that neither that one nor another goroutine unlocks it")
}

// awaitsHeir reports whether a task waits for a lock that an heir may unlock.
func (r *Run) awaitsHeir(v *Verdict) bool {
	for number, t := range r.Tasks() {
		if !t.Waits || number == r.Left {
			continue
		}
		for _, o := range t.Block.Objects() {
			if r.Inherited(o, v) != nil {
				return true
			}
		}
	}
	return false
}
