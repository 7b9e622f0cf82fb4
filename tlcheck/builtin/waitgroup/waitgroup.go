// Package waitgroup looks for WaitGroups whose counter can become negative, see package counter,
// and for an Add that can start from zero while a Wait can return, or has returned, without an
// order between them.
//
// The latter is a slice in which the counter is 0, an Add is next and a task is about to Wait, or
// does so, or has done so, where the Add does not come before the task came there, nor after the
// Wait. That the return of a Wait comes after every Done so far does not count here: it need not
// have waited for them.
//
// If the counter was 0 in the run when the Add came, after a Wait that it does not come after, the
// run itself has shown the slice. For an Add that came before the Wait returned, it is decided
// exactly, among the operations that are remembered (see counter.CanBeZero): those since the last
// Add from zero behind a Wait, which are a bounded number besides the Adds that are not matched
// with a Done. Of an Add, the last Wait of each task and place is looked at, of 16 of those.
package waitgroup

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/counter"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Rule reports counters of WaitGroups that become negative, and an Add that a Wait may miss.
var Rule = &rule.Rule{
	Name:  "waitgroup",
	Doc:   "reports counters of WaitGroups that become negative, and an Add that a Wait may miss",
	Kinds: []op.Kind{op.Add, op.Done, op.Wait, op.Misuse, op.Free},
	New: func() rule.Detector {
		return &detector{Pairs: candidate.Pairs{Describe: describe, Misuses: misuses}}
	},
}

type detector struct {
	candidate.Pairs
	groups candidate.Objects[waitGroup]
}

type waitGroup struct {
	counter.Counter
	waits    []candidate.Event // the last of each task and place, with what was known before
	next     int               // the wait to go next
	asked    int               // waits that suspects were looked for, since the counter forgot
	suspects []suspect
}

// suspect is an Add and a Wait that have no order. Whether the counter can be zero is decided
// later.
type suspect struct {
	add, wait candidate.Event
}

const (
	negative candidate.Flaw = iota
	addAtWait
	waitReused
)

var misuses = map[op.Mistake]candidate.Misuse{
	op.NegativeCounter: {Flaw: negative, Kind: op.Done},
	op.WaitReuse:       {Flaw: waitReused, Kind: op.Wait},
}

const (
	maxWaits    = 16
	maxSuspects = 64
	maxAlike    = 4 // suspects at the same two places
)

func (d *detector) Op(o *op.Op) {
	switch o.Kind {
	case op.Add:
		d.add(o)
	case op.Done:
		d.done(o)
	case op.Wait:
		d.groups.Of(o.Object).wait(o)
	case op.Misuse:
		d.AddMisuse(o, candidate.Mark{})
	case op.Free:
		if g := d.groups.At(o.Object); g != nil {
			d.judge(o.Object, g)
			g.empty()
			d.groups.Recycle(o.Object, g)
		}
	}
}

// empty makes g an unused one, with the memory that it has, if that is not much.
func (g *waitGroup) empty() {
	g.Counter.Empty()
	clear(g.waits)
	*g = waitGroup{Counter: g.Counter, waits: g.waits[:0]}
}

func (d *detector) add(o *op.Op) {
	g := d.groups.Of(o.Object)
	if g.Sum == 0 && (g.asked > 0 || g.IsLong()) {
		// What has been so far is a slice in which the counter is 0. What comes now is looked at in
		// the slices behind that one.
		d.judge(o.Object, g)
		g.Forget()
		g.asked = 0
	}
	e := candidate.EventOf(o)
	for i := range g.waits {
		w := &g.waits[i]
		switch {
		case w.Before(o):
		case g.Sum == 0:
			d.Predict(addAtWait, e.Mark, w.Mark, o.Object)
		default:
			g.suspect(suspect{e, *w})
		}
	}
	g.Counter.Add(e, o.Delta())
}

func (d *detector) done(o *op.Op) {
	g := d.groups.Of(o.Object)
	e := candidate.Event{Mark: candidate.MarkOf(o, op.Done), Full: o.Begin}
	if g.Sub(e, -o.Delta()) > 0 && !g.Blurred && g.Sum >= 0 { // else it panics, which is reported
		d.Predict(negative, e.Mark, g.Unknown(), o.Object)
	}
}

func (g *waitGroup) wait(o *op.Op) {
	w := candidate.Event{Mark: candidate.MarkOf(o, op.Wait), Full: o.Begin}
	if g.FreeBefore(&w) != 0 {
		// The Wait cannot have returned: this is another WaitGroup at the address of an earlier
		// one, which was not freed.
		*g = waitGroup{}
	}
	if g.asked < maxWaits {
		g.asked++
		for add := range g.Unguarded(&w) {
			g.suspect(suspect{add, w})
		}
	}
	i := slices.IndexFunc(g.waits, func(x candidate.Event) bool {
		return x.Task == w.Task && x.At == w.At
	})
	switch {
	case i >= 0:
		g.waits[i] = w
	case len(g.waits) < maxWaits:
		g.waits = append(g.waits, w)
	default:
		g.waits[g.next] = w
		g.next = (g.next + 1) % maxWaits
	}
}

// suspect keeps a suspect, if there are not many like it.
func (g *waitGroup) suspect(s suspect) {
	if len(g.suspects) == maxSuspects {
		return
	}
	alike := 0
	for i := range g.suspects {
		if x := &g.suspects[i]; x.add.At == s.add.At && x.wait.At == s.wait.At {
			alike++
		}
	}
	if alike < maxAlike {
		g.suspects = append(g.suspects, s)
	}
}

// judge decides what is suspected so far.
func (d *detector) judge(object op.Object, g *waitGroup) {
	for i := range g.suspects {
		if s := &g.suspects[i]; g.CanBeZero(&s.add, &s.wait) {
			d.Predict(addAtWait, s.add.Mark, s.wait.Mark, object)
		}
	}
	g.suspects = nil
}

func (d *detector) Findings(names op.Names) []rule.Finding {
	for object, g := range d.groups.All() {
		d.judge(object, g)
	}
	return d.Pairs.Findings(names)
}
