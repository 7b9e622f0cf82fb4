package builtin

import (
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/deadlock"
	"github.com/antichain-go/antichain/tlcheck/builtin/reorder"
	"github.com/antichain-go/antichain/tracer/op"
)

// deadlockDetector reports what package deadlock finds.
type deadlockDetector struct{ *deadlock.Detector }

func newDeadlockDetector() detector { return deadlockDetector{deadlock.New()} }

func (d deadlockDetector) kinds() []op.Kind { return d.Kinds() }
func (d deadlockDetector) op(o *op.Op)      { d.Op(o) }

func (d deadlockDetector) reorders(h *reorder.History) { d.Reorders(h) }

func (d deadlockDetector) findings(names op.Names) []Finding { return tellCycles(d.Cycles(), names) }

func (d deadlockDetector) certain(names op.Names) []Finding { return tellCycles(d.Certain(), names) }

func tellCycles(cycles []deadlock.Cycle, names op.Names) []Finding {
	var found []Finding
	w := cycleWords{words{names}}
	for i := range cycles {
		found = append(found, w.finding(&cycles[i]))
	}
	return found
}

// cycleWords tells cycles in words.
type cycleWords struct{ words }

func (w cycleWords) finding(c *deadlock.Cycle) Finding {
	f := Finding{Property: Deadlock, How: Reordered, Count: c.Count, cause: causeOf(c)}
	switch {
	case c.Observed:
		f.How = Observed
	case c.Exact:
		f.How = Predicted
	}
	var clauses []string
	for i := range c.Parties {
		p := &c.Parties[i]
		party := Party{Task: p.Task, Kind: p.Kind, Object: p.Object, At: p.At, Does: "waits " + w.purpose(p), k: p.K}
		for _, h := range p.Held {
			party.Holds = append(party.Holds, HeldLock(h))
		}
		next := w.task(c.Parties[(i+1)%len(c.Parties)].Task)
		if p.Kind == op.End {
			party.Does = "has ended"
			clauses = append(clauses, w.task(p.Task)+" has ended with it")
		} else {
			clauses = append(clauses, w.task(p.Task)+" waits"+w.at(p.At)+" "+w.purpose(p)+", "+because(p, next))
		}
		f.Parties = append(f.Parties, party)
	}
	f.Text = strings.Join(clauses, "; ")
	if c.Assumes {
		f.assumeOthers("unlocks these locks")
	}
	for _, s := range c.Schedule {
		f.Schedule = append(f.Schedule, Step(s))
	}
	return f
}

// purpose says what the party waits for.
func (w cycleWords) purpose(p *deadlock.Party) string {
	name := w.object(p.Object)
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
