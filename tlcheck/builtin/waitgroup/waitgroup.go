// Package waitgroup looks for WaitGroups whose counter can become negative, see package counter,
// and for an Add that can start from zero while a Wait can return, or has returned, without an
// order between them.
//
// The latter is a slice in which the counter is 0, an Add is next and a task is about to Wait,
// waits or has waited. Nothing orders the Add with the beginning of the Wait. The order of the
// Wait's return after the Dones before it does not count here: it need not have waited for them.
//
// If the Add came when the counter was 0, with no order after a Wait, the run itself has shown the
// slice. For an Add that came before the Wait returned, counter.CanBeZero decides exactly, among
// the remembered operations: those since the last Add from zero after a Wait. Their number is
// bounded, apart from Adds that are not matched with a Done. For an Add, the last Waits of 16 tasks
// and places are considered.
//
// Where only the order of critical sections excludes either, it is a candidate; see sectioned. With
// accesses to memory, package reorder decides some of them.
package waitgroup

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/counter"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
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
	groups    candidate.Objects[waitGroup]
	sectioned sectioned
}

type waitGroup struct {
	counter.Counter
	waits    []candidate.Event // the last of each task and place, with what was known before
	next     int               // index of the next wait to be replaced
	asked    int               // waits for which suspects were looked for, since the counter forgot
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

// Reorders receives the history of the run.
func (d *detector) Reorders(h *reorder.History) { d.sectioned.prefixes = prefixes{h, maxSteps} }

// ObserveState receives the state of the run, for the sections that tasks are in.
func (d *detector) ObserveState(r *state.Run) { d.sectioned.run = r }

func (d *detector) Op(o *op.Op) {
	d.sectioned.note(o, &d.groups)
	switch o.Kind {
	case op.Add:
		d.add(o)
	case op.Done:
		d.done(o)
	case op.Wait:
		d.groups.Ensure(o.Object).wait(o)
	case op.Misuse:
		d.AddMisuse(o, candidate.Mark{})
	case op.Free:
		if g := d.groups.At(o.Object); g != nil {
			d.decideSuspects(o.Object, g)
			g.reset()
			d.groups.Recycle(o.Object, g)
		}
	}
}

// reset empties g. It keeps its memory if that is little.
func (g *waitGroup) reset() {
	g.Counter.Empty()
	clear(g.waits)
	*g = waitGroup{Counter: g.Counter, waits: g.waits[:0]}
}

func (d *detector) add(o *op.Op) {
	g := d.groups.Ensure(o.Object)
	if g.Sum == 0 && (g.asked > 0 || g.IsLong()) {
		// All operations so far are a slice in which the counter is 0. Later ones are considered in
		// the slices after that one.
		d.decideSuspects(o.Object, g)
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
			g.addSuspect(suspect{e, *w})
		}
	}
	g.Counter.Add(e, o.Delta())
}

func (d *detector) done(o *op.Op) {
	g := d.groups.Ensure(o.Object)
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
			g.addSuspect(suspect{add, w})
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

// addSuspect keeps a suspect, unless there are many like it.
func (g *waitGroup) addSuspect(s suspect) {
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

// decideSuspects decides the suspects so far.
func (d *detector) decideSuspects(object op.Object, g *waitGroup) {
	for i := range g.suspects {
		if s := &g.suspects[i]; g.CanBeZero(&s.add, &s.wait) {
			d.Predict(addAtWait, s.add.Mark, s.wait.Mark, object)
		}
	}
	g.suspects = nil
}

func (d *detector) Findings(names op.Names) []rule.Finding {
	for object, g := range d.groups.All() {
		d.decideSuspects(object, g)
	}
	return append(d.Pairs.Findings(names), d.sectioned.findings(names)...)
}

// Candidates implements rule.Suspecting.
func (d *detector) Candidates(names op.Names) []rule.Finding { return d.sectioned.candidates(names) }
