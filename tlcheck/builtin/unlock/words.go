package unlock

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

func describe(w candidate.Words, p *candidate.Pair) candidate.Description {
	lock, locked := w.ObjectName(p.Object), "locked"
	if p.Flaw == runlockUnlocked {
		locked = "locked for reading"
	}
	if p.How == rule.Observed {
		return candidate.Description{Text: w.Doer(&p.First) + " unlocks " + lock + ", which is not " + locked, First: "unlocks " + lock}
	}
	return candidate.Description{
		Text: w.Doer(&p.First) + " can unlock " + lock + " when it is not " + locked + ": it does not wait for " +
			w.TaskName(p.Second.Task) + ", which locks it" + w.At(p.Second.At),
		First:    "unlocks " + lock,
		Second:   "locks " + lock,
		Schedule: []candidate.Mark{p.First},
	}
}

func describeKept(w candidate.Words, p *candidate.Pair) candidate.Description {
	if p.First.Kind == op.Send {
		return describePermit(w, p)
	}
	lock, reading, unlocks := w.ObjectName(p.Object), "", "Unlock"
	if p.First.Kind == op.RLock {
		reading, unlocks = " for reading", "RUnlock"
	}
	d := candidate.Description{
		Text: w.TaskName(p.First.Task) + " has ended and never unlocks " + lock + ", which it has locked" + reading +
			w.At(p.First.At) + "; another path from there leads to the " + unlocks + w.At(p.Second.At),
		First:  "has ended without unlocking " + lock + ", which it has locked" + reading,
		Second: "has locked at the same line, and unlocks",
	}
	switch p.Flaw {
	case keptForOthers:
		d.Notes, d.IsDoubted = []string{"a goroutine that can still run may unlock it"}, true
	case keptUnused:
		d.Notes, d.IsDoubted = []string{"in this run no other goroutine can lock it afterwards"}, true
	}
	return d
}

// describePermit describes a permit of a semaphore that a task has kept, and how others have given
// one back.
func describePermit(w candidate.Words, p *candidate.Pair) candidate.Description {
	channel := w.ObjectName(p.Object)
	d := candidate.Description{
		Text: w.TaskName(p.First.Task) + " has ended and never gives back its place in " + channel +
			", which it has taken" + w.At(p.First.At) + "; another path from there leads to the receive" + w.At(p.Second.At),
		First:  "has ended without receiving from " + channel + ", where it has taken a place",
		Second: "has taken a place at the same line, and gives it back",
	}
	d.Notes, d.IsDoubted = []string{"the channel may not be a semaphore, and may keep what was sent on purpose"}, true
	switch p.Flaw {
	case keptForOthers:
		d.Notes = append(d.Notes, "a goroutine that can still run may receive")
	case keptUnused:
		d.Notes = append(d.Notes, "in this run no other goroutine can send afterwards")
	}
	return d
}
