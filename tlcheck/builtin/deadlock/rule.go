package deadlock

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
)

// Rule reports goroutines that wait for each other.
var Rule = &rule.Rule{
	Name:  "deadlock",
	Doc:   "reports goroutines that wait for each other",
	Kinds: new(Detector).Kinds(),
	New:   func() rule.Detector { return &reporter{Detector: New()} },
}

// reporter makes findings of cycles.
type reporter struct {
	*Detector
	run *state.Run // nil if the detector is used alone
}

func (d *reporter) Reorders(h *reorder.History) { d.Detector.reorders(h) }

func (d *reporter) ObserveState(r *state.Run) { d.run = r }

func (d *reporter) Findings(names op.Names) []rule.Finding {
	return d.report(d.Detector.Cycles(), names)
}

func (d *reporter) Certain(names op.Names) []rule.Finding {
	isPossible := func(f rule.Finding) bool { return f.How == rule.Possible }
	return slices.DeleteFunc(d.report(d.Detector.Certain(), names), isPossible)
}

// report returns findings. If other tasks can go on, a deadlock that happened is none if one of
// them may end a wait at a channel. Else it rests on an assumption, unless nothing leads there: any
// task may unlock a lock of another one, or use a channel for the first time. If something is known
// to lead to such a channel, the deadlock is only possible.
func (d *reporter) report(cycles []Cycle, names op.Names) []rule.Finding {
	var found []rule.Finding
	w := words{candidate.Words{Names: names}}
	// the end of the run matters if it has happened, or if a party has ended with a lock
	atEnd := func(c Cycle) bool { return c.Observed || heldAtEnd(&c) != nil }
	var end state.Judgement
	if d.run != nil && slices.ContainsFunc(cycles, atEnd) {
		end = *d.run.Judge(names)
	}
	var doubted []*Cycle // that happened; they are predicted, too
	for i := range cycles {
		c := &cycles[i]
		if !c.Observed && (slices.ContainsFunc(doubted, c.isAlike) || d.isLent(heldAtEnd(c))) {
			continue
		}
		isMet := func(p Party) bool { return end.May[p.Task] && !d.awaitsHolder(&p) }
		if c.Observed && slices.ContainsFunc(c.Parties, isMet) {
			doubted = append(doubted, c)
			continue
		}
		f := w.finding(c)
		if f.How == rule.Observed && end.Running && !d.isCutOff(&f) {
			f.Assume("uses these channels or unlocks these locks")
			if slices.ContainsFunc(c.Parties, d.isReachable) {
				f.How, f.Guess.OfThisRun = rule.Possible, true
				doubted = append(doubted, c)
			}
		}
		d.doubtUnlock(&f, c, &end.Verdict, w)
		found = append(found, f)
	}
	return found
}

// isAlike reports whether two cycles are of the same tasks at the same places.
func (c *Cycle) isAlike(other *Cycle) bool {
	isIn := func(of *Cycle, p Party) bool {
		return slices.ContainsFunc(of.Parties, func(q Party) bool { return q.Task == p.Task && q.At == p.At })
	}
	return len(c.Parties) == len(other.Parties) &&
		!slices.ContainsFunc(c.Parties, func(p Party) bool { return !isIn(other, p) })
}

// doubtUnlock makes a finding possible if a party has ended with a lock held, and another task may
// unlock it.
func (d *reporter) doubtUnlock(f *rule.Finding, c *Cycle, end *state.Verdict, w words) {
	if d.run == nil || heldAtEnd(c) == nil {
		return
	}
	for i := range c.Parties {
		lock := c.Parties[i].Object
		if s := d.run.Inherited(lock, end); s != nil && c.Parties[(i+1)%len(c.Parties)].Task == s.Task {
			d.run.DoubtUnlock(f, lock, s, end, w.Words)
			return
		}
	}
}

// awaitsHolder reports whether a party waits for a lock that has always been unlocked by the task
// that had locked it.
func (d *reporter) awaitsHolder(p *Party) bool {
	return (p.Kind == op.Lock || p.Kind == op.RLock) && !d.run.Objects.Ensure(p.Object).Lent
}

// isReachable reports whether a task other than the holder may end the wait of a party, as
// something is known to lead to what the party waits for.
func (d *reporter) isReachable(p Party) bool {
	return !d.awaitsHolder(&p) && (d.run.IsReached(p.Task) || d.run.IsFound(p.Task, op.FromGlobals))
}

func (d *reporter) isCutOff(f *rule.Finding) bool {
	return !slices.ContainsFunc(f.Parties, func(p rule.Party) bool { return !d.run.IsCutOff(p.Task) })
}

// isLent reports whether others have unlocked the lock of a section for its task before. They may
// do so again, also when that task has ended.
func (d *reporter) isLent(h *rule.HeldLock) bool {
	return d.run != nil && h != nil && d.run.Objects.Ensure(h.Object).Lent
}

// heldAtEnd returns the lock of the cycle with which a party has ended, nil if none has.
func heldAtEnd(c *Cycle) *rule.HeldLock {
	for i := range c.Parties {
		if last := &c.Parties[i]; last.Kind == op.End {
			wanted := c.Parties[(i+len(c.Parties)-1)%len(c.Parties)].Object
			for j := range last.Held {
				if last.Held[j].Object == wanted {
					return &last.Held[j]
				}
			}
		}
	}
	return nil
}

// causeOf returns where that lock was taken, 0 if there is none.
func causeOf(c *Cycle) op.Place {
	if h := heldAtEnd(c); h != nil {
		return h.At
	}
	return 0
}
