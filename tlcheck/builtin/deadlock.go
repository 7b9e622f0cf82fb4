package builtin

import (
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/deadlock"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// deadlockRule reports goroutines that wait for each other.
var deadlockRule = &rule.Rule{
	Name:  Deadlock,
	Doc:   "reports goroutines that wait for each other",
	Kinds: new(deadlock.Detector).Kinds(),
	New:   func() rule.Detector { return &deadlockDetector{Detector: deadlock.New()} },
}

// deadlockDetector reports what package deadlock finds.
type deadlockDetector struct {
	*deadlock.Detector
	progress rule.Progress
}

func (d *deadlockDetector) ObserveProgress(p rule.Progress) { d.progress = p }

func (d *deadlockDetector) Findings(names op.Names) []Finding {
	return d.report(d.Detector.Cycles(), names)
}

func (d *deadlockDetector) Certain(names op.Names) []Finding {
	return d.report(d.Detector.Certain(), names)
}

// report says of deadlocks that happened what they rest on if other tasks could have gone on: any of these may unlock a lock of
// another task, or use a channel that it has not used so far.
func (d *deadlockDetector) report(cycles []deadlock.Cycle, names op.Names) []Finding {
	var found []Finding
	w := cycleWords{candidate.Words{Names: names}}
	for i := range cycles {
		f := w.finding(&cycles[i])
		if f.How == Observed && d.progress.CanContinue(names) {
			f.Assume("uses these channels or unlocks these locks")
		}
		found = append(found, f)
	}
	return found
}

// cycleWords tells cycles in words.
type cycleWords struct{ candidate.Words }

func (w cycleWords) finding(c *deadlock.Cycle) Finding {
	f := Finding{Property: Deadlock, How: Reordered, Count: c.Count, Cause: causeOf(c), AtEnd: true}
	switch {
	case c.Observed:
		f.How = Observed
	case c.Exact:
		f.How = Predicted
	}
	var clauses []string
	for i := range c.Parties {
		p := &c.Parties[i]
		party := Party{Task: p.Task, Kind: p.Kind, Object: p.Object, At: p.At, Does: "waits " + w.purpose(p)}
		if c.Observed {
			party.K = p.K
		}
		for _, h := range p.Held {
			party.Holds = append(party.Holds, HeldLock(h))
		}
		next := w.TaskName(c.Parties[(i+1)%len(c.Parties)].Task)
		if p.Kind == op.End {
			party.Does = "has ended"
			clauses = append(clauses, w.TaskName(p.Task)+" has ended with it")
		} else {
			clauses = append(clauses, w.TaskName(p.Task)+" waits"+w.At(p.At)+" "+w.purpose(p)+", "+because(p, next))
		}
		f.Parties = append(f.Parties, party)
	}
	f.Text = strings.Join(clauses, "; ")
	if c.Assumes {
		f.Assume("unlocks these locks")
	}
	for _, s := range c.Schedule {
		f.Schedule = append(f.Schedule, Step(s))
	}
	return f
}

// purpose says what the party waits for.
func (w cycleWords) purpose(p *deadlock.Party) string {
	name := w.ObjectName(p.Object)
	switch {
	case p.Kind == op.Select:
		return "in a select statement"
	case p.Kind == op.Send:
		return "to send on " + name
	case p.Kind == op.Recv:
		return "to receive from " + name
	case p.Kind == op.RLock:
		return "to read-lock " + name
	case p.RW:
		return "to write-lock " + name
	}
	return "for " + name
}

// because says what the next party has to do with it.
func because(p *deadlock.Party, next string) string {
	switch p.For {
	case op.Lock:
		return "which " + next + " holds"
	case op.RLock:
		return "which " + next + " has read-locked"
	case op.Send:
		return "which " + next + " has filled"
	case op.Block:
		return "behind " + next + ", which waits to write"
	}
	return "until " + next + " goes on"
}

// causeOf returns where a lock was taken with which a party of the cycle has ended, 0 if none has.
func causeOf(c *deadlock.Cycle) op.Place {
	for i := range c.Parties {
		if last := &c.Parties[i]; last.Kind == op.End {
			wanted := c.Parties[(i+len(c.Parties)-1)%len(c.Parties)].Object
			for _, h := range last.Held {
				if h.Object == wanted {
					return h.At
				}
			}
		}
	}
	return 0
}
