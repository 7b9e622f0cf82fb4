package waitgroup

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/counter"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// sectioned looks for what only the order of critical sections excludes: an Add that they put
// before a Wait, and the additions that they put before a Done. It counts in the order Free, in
// which sections have no order. So it finds more than can happen, since what a section does may
// depend on those before it: these are candidates. Where accesses to memory are recorded, package
// reorder decides whether they can happen with each read seeing what it saw in the run. Then they
// are findings. Those that it does not find are still candidates.
//
// As long as sections have no part in the order of a WaitGroup's operations, the counter in the
// order of the run serves both orders.
type sectioned struct {
	run      *state.Run
	groups   candidate.Objects[sectionedGroup]
	found    []candidatePair
	prefixes prefixes
}

// sectionedGroup is a WaitGroup, counted in the order Free.
type sectionedGroup struct {
	counter.Counter
	outer    map[marked]op.Step // of additions: what begins the outermost section around them
	suspects []sectionedSuspect
	changes  changes
}

// sectionedSuspect is a suspect that only sections exclude.
type sectionedSuspect struct {
	suspect
	data *clock.Clock // what the task that waits knew before
}

// marked identifies an operation.
type marked struct {
	task op.Task
	k    int32
}

// candidatePair is a pair of operations, and the order that leads there. In that, tasks enter the
// outermost sections that they are in, as far as there are any.
type candidatePair struct {
	candidate.Pair
	order  []op.Step
	prefix *reorder.Prefix // shows it; nil if none is known
}

// Bounds. Each only loses candidates.
const (
	maxCandidates = 64
	maxOuter      = 1 << 12 // sections of one WaitGroup
)

// note notes an operation. counted are all WaitGroups in the order of the run, before it.
func (s *sectioned) note(o *op.Op, counted *candidate.Objects[waitGroup]) {
	if s.groups.At(o.Object) == nil && !s.isSectioned(o) && !s.prefixes.history.Remembers() {
		return
	}
	switch o.Kind {
	case op.Add:
		s.add(o, s.group(o.Object, counted))
	case op.Done:
		s.done(o, s.group(o.Object, counted))
	case op.Wait:
		s.wait(o, s.group(o.Object, counted))
	case op.Free:
		if g := s.groups.At(o.Object); g != nil {
			s.decide(o.Object, g)
			g.reset()
			s.groups.Recycle(o.Object, g)
		}
	}
}

// reset empties g. It keeps its memory if that is little.
func (g *sectionedGroup) reset() {
	g.Counter.Empty()
	*g = sectionedGroup{Counter: g.Counter}
}

// isSectioned reports whether an addition is in a section, or sections may have a part in what
// comes before an operation. Orders that agree have one clock.
func (s *sectioned) isSectioned(o *op.Op) bool {
	switch o.Kind {
	case op.Add:
		return o.Free != o.Full || s.run.Outermost(o.Task).Kind != op.None
	case op.Done, op.Wait:
		return o.Before != o.Begin
	}
	return false
}

// group returns what is known of a WaitGroup: what was counted, if it is a new one.
func (s *sectioned) group(object op.Object, counted *candidate.Objects[waitGroup]) *sectionedGroup {
	if g := s.groups.At(object); g != nil {
		return g
	}
	g := s.groups.Ensure(object)
	if c := counted.At(object); c != nil {
		g.Counter = c.Counter.Clone()
	}
	return g
}

func (s *sectioned) add(o *op.Op, g *sectionedGroup) {
	if g.Sum == 0 && (len(g.suspects) > 0 || g.IsLong()) {
		s.decide(o.Object, g)
		g.Forget()
		g.changes.settle()
		clear(g.outer)
	}
	if g.Sum == 0 && len(g.changes.list) > maxChanges/2 {
		g.changes.settle()
	}
	e := candidate.Event{Mark: candidate.MarkOf(o, op.Add), Full: o.Free}
	if outer := s.run.Outermost(o.Task); outer.Kind != op.None && len(g.outer) < maxOuter {
		if g.outer == nil {
			g.outer = map[marked]op.Step{}
		}
		g.outer[marked{o.Task, o.K}] = outer
	}
	g.Counter.Add(e, o.Delta())
	s.noteChange(g, o)
}

// noteChange notes an Add or a Done for package reorder.
func (s *sectioned) noteChange(g *sectionedGroup, o *op.Op) {
	if s.prefixes.history.Remembers() {
		g.changes.note(o)
	}
}

func (s *sectioned) done(o *op.Op, g *sectionedGroup) {
	e := candidate.Event{Mark: candidate.MarkOf(o, op.Done), Full: o.Before}
	if g.Sub(e, -o.Delta()) > 0 && !g.Blurred && g.Sum >= 0 {
		add := g.Unknown()
		x := s.addCandidate(
			candidate.Pair{Flaw: negative, First: e.Mark, Second: add, Object: o.Object},
			s.run.Outermost(o.Task), e.Step(o.Object), g.outermost(&add), add.Step(o.Object),
		)
		if x != nil && s.prefixes.history.Remembers() {
			next := reorder.Point{Task: o.Task, Done: o.K - 1, Data: o.BeforeData}
			x.prefix = s.prefixes.find(&g.changes, -o.Delta()-1, next)
		}
	}
	s.noteChange(g, o)
}

// wait looks for additions that only sections put before the Wait.
func (s *sectioned) wait(o *op.Op, g *sectionedGroup) {
	w := candidate.Event{Mark: candidate.MarkOf(o, op.Wait), Full: o.Before}
	for add := range g.Unguarded(&w) {
		if len(g.suspects) == maxSuspects {
			break
		}
		if add.Within(o.Begin, o.Task, o.K) {
			g.suspects = append(g.suspects, sectionedSuspect{suspect{add, w}, o.BeforeData})
		}
	}
}

// decide makes candidates of the suspects for which the counter can be 0.
func (s *sectioned) decide(object op.Object, g *sectionedGroup) {
	for i := range g.suspects {
		if x := &g.suspects[i]; g.CanBeZero(&x.add, &x.wait) {
			c := s.addCandidate(
				candidate.Pair{Flaw: addAtWait, First: x.add.Mark, Second: x.wait.Mark, Object: object},
				x.wait.Step(object), g.outermost(&x.add.Mark), x.add.Step(object),
			)
			if c != nil && s.prefixes.history.Remembers() {
				c.prefix = s.prefixes.find(&g.changes, 0, x.points(&g.changes)...)
			}
		}
	}
	g.suspects = nil
}

// decideAll decides the suspects of all WaitGroups.
func (s *sectioned) decideAll() {
	for object, g := range s.groups.All() {
		s.decide(object, g)
	}
}

// points returns the points at which the Add and the Wait come next.
func (x *sectionedSuspect) points(c *changes) []reorder.Point {
	return []reorder.Point{
		{Task: x.add.Task, Done: x.add.K - 1, Data: c.dataOf(&x.add.Mark)},
		{Task: x.wait.Task, Done: x.wait.K - 1, Data: x.data},
	}
}

// outermost returns what begins the outermost section around an addition, of kind None if there is
// none.
func (g *sectionedGroup) outermost(add *candidate.Mark) op.Step {
	return g.outer[marked{add.Task, add.K}]
}

// addCandidate keeps a candidate and returns the kept one, which is valid until the next call. It
// returns nil if there are too many of the same flaw at the same places, or in all. It keeps some
// of these, because tasks that do the same may each have another reason to. order has the steps
// that lead to the candidate.
func (s *sectioned) addCandidate(x candidate.Pair, order ...op.Step) *candidatePair {
	alike := 0
	for i := range s.found {
		if y := &s.found[i]; y.Flaw == x.Flaw && y.First.At == x.First.At && y.Second.At == x.Second.At {
			alike++
		}
	}
	if alike == maxAlike || len(s.found) == maxCandidates {
		return nil
	}
	x.How = rule.Possible
	s.found = append(s.found, candidatePair{Pair: x, order: order})
	return &s.found[len(s.found)-1]
}

func (s *sectioned) candidates(names op.Names) []rule.Finding {
	s.decideAll()
	var all []rule.Finding
	for i := range s.found {
		x := &s.found[i]
		d := x.describe(names)
		all = append(all, d.Candidate(&x.Pair, x.order...))
	}
	return all
}

// describe returns the candidate in words.
func (x *candidatePair) describe(names op.Names) candidate.Description {
	d := describe(candidate.Words{Names: names}, &x.Pair)
	note := "in this run critical sections kept the Add before the Wait"
	if x.Flaw == negative {
		note = "in this run critical sections kept the Add before the Done"
	}
	d.Notes = append(d.Notes, note)
	return d
}
