package deadlock

import (
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
)

// words describes cycles.
type words struct{ candidate.Words }

func (w words) finding(c *Cycle) rule.Finding {
	f := rule.Finding{How: rule.Reordered, Count: c.Count, Cause: causeOf(c), AtEnd: true, Schedule: c.Schedule}
	switch {
	case c.Observed:
		f.How = rule.Observed
	case c.Exact:
		f.How = rule.Predicted
	default:
		w.doubt(&f, c.ahead)
		w.doubtEnabled(&f, c.enabled)
	}
	var clauses []string
	for i := range c.Parties {
		p := &c.Parties[i]
		waits := "waits " + w.purpose(p)
		party := rule.Party{Task: p.Task, Kind: p.Kind, Object: p.Object, At: p.At, Does: waits, Holds: p.Held}
		if c.Observed {
			party.K = p.K
		}
		next := w.TaskName(c.Parties[(i+1)%len(c.Parties)].Task)
		if p.Kind == op.End {
			party.Does = "has ended"
			clauses = append(clauses, w.TaskName(p.Task)+" has ended with it")
		} else {
			clause := w.TaskName(p.Task) + " waits" + w.At(p.At) + " " + w.purpose(p) + ", "
			clauses = append(clauses, clause+reason(p, next))
		}
		f.Parties = append(f.Parties, party)
	}
	f.Text = strings.Join(clauses, "; ")
	if c.Assumes {
		f.Assume("unlocks these locks")
	}
	return f
}

// doubt makes a finding possible if a read on the way there sees something else than in the run, as
// the program may then go another way. To count something in one line does not decide the way.
func (w words) doubt(f *rule.Finding, otherwise []reorder.Sight) {
	for _, s := range otherwise {
		if s.Rewritten != 0 && w.Place(s.Rewritten).At == w.Place(s.At).At {
			continue
		}
		f.How = rule.Possible
		const note = "on the way there %s reads%s what %s has written%s in this run, but not yet in this order; " +
			"it may then do something else"
		f.Notes = append(f.Notes, fmt.Sprintf(note,
			w.TaskName(s.Task), w.At(s.At), w.TaskName(s.Of), w.At(s.OfAt)))
		return
	}
}

// doubtEnabled makes a finding possible if a task may wait for a Cond on the way there.
func (w words) doubtEnabled(f *rule.Finding, by *enabling) {
	if by == nil {
		return
	}
	f.How = rule.Possible
	const note = "on the way there %s locks %s%s. In this run %s had locked it before%s and then signalled a Cond, " +
		"but in this order it has not: the first may wait for that"
	f.Notes = append(f.Notes, fmt.Sprintf(note, w.TaskName(by.after.Task), w.ObjectName(by.lock),
		w.At(by.after.At), w.TaskName(by.before.Task), w.At(by.before.At)))
}

// purpose returns what the party waits for, in words.
func (w words) purpose(p *Party) string {
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

// reason returns the words after what p waits for, which say how next, the following party, keeps p
// waiting.
func reason(p *Party, next string) string {
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
