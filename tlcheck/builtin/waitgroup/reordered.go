package waitgroup

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// prefixes looks for prefixes of the run that show candidates, with each read seeing what it saw in
// the run. There the counter is the sum of what the prefix has of its changes. Where that is too
// much, tasks that are done in the run may be done there, too.
type prefixes struct {
	history *reorder.History // nil: nothing is known of sections
	steps   int64            // of closures, that are left
}

// change is an Add or a Done.
type change struct {
	candidate.Mark
	delta int64
	data  *clock.Clock
}

// changes are those of a WaitGroup, in the order of the run. Those of the past add up to 0.
type changes struct {
	list []change
	past map[op.Task]int32 // the last one of each task
	lost bool              // some are not known
}

// Bounds. Each only loses findings.
const (
	maxChanges = 1 << 10
	maxTries   = 16      // Dones that are added to a prefix
	maxSteps   = 1 << 25 // of closures
)

func (c *changes) note(o *op.Op) {
	if len(c.list) == maxChanges {
		c.list, c.lost = nil, true
	}
	if !c.lost {
		c.list = append(c.list, change{candidate.MarkOf(o, o.Kind), o.Delta(), o.Data})
	}
}

// settle notes that the counter is 0.
func (c *changes) settle() {
	if len(c.list) > 0 && c.past == nil {
		c.past = map[op.Task]int32{}
	}
	for _, x := range c.list {
		c.past[x.Task] = max(c.past[x.Task], x.K)
	}
	c.list = c.list[:0]
}

// in returns the counter in a prefix. It reports false if that is not known.
func (c *changes) in(p *reorder.Prefix) (sum int64, ok bool) {
	for t, k := range c.past {
		if !p.Has(t, k) {
			return 0, false
		}
	}
	for _, x := range c.list {
		if p.Has(x.Task, x.K) {
			sum += x.delta
		}
	}
	return sum, !c.lost
}

// dataOf returns what a task knew at a change.
func (c *changes) dataOf(m *candidate.Mark) *clock.Clock {
	i := slices.IndexFunc(c.list, func(x change) bool { return x.Task == m.Task && x.K == m.K })
	if i < 0 {
		return nil
	}
	return c.list[i].data
}

// find returns a prefix in which tasks stand at points, and the counter is at most some value; nil
// if none is found.
func (f *prefixes) find(c *changes, most int64, points ...reorder.Point) *reorder.Prefix {
	p, sum := f.prefix(c, points)
	tries := 0
	for i := range c.list {
		d := &c.list[i]
		isAtPoint := func(x reorder.Point) bool { return x.Task == d.Task }
		if p == nil || sum <= most || tries == maxTries {
			break
		}
		if d.delta > 0 || p.Has(d.Task, d.K) || slices.ContainsFunc(points, isAtPoint) {
			continue
		}
		tries++
		more := append(slices.Clone(points), reorder.Point{Task: d.Task, Done: d.K, Data: d.data})
		if larger, less := f.prefix(c, more); larger != nil && less < sum {
			p, sum, points = larger, less, more
		}
	}
	if p == nil || sum > most {
		return nil
	}
	return p
}

// prefix returns a prefix in which tasks stand at points, nil if there is none, and the counter
// there.
func (f *prefixes) prefix(c *changes, points []reorder.Point) (*reorder.Prefix, int64) {
	if f.steps <= 0 {
		return nil, 0
	}
	before := f.history.Work().Steps
	p := f.history.AnyPrefix(points...)
	f.steps -= f.history.Work().Steps - before
	if p == nil || p.Verify() != nil {
		return nil, 0
	}
	sum, ok := c.in(p)
	if !ok {
		return nil, 0
	}
	return p, sum
}

// findings returns the candidates that a prefix shows.
func (s *sectioned) findings(names op.Names) []rule.Finding {
	s.decideAll()
	var all []rule.Finding
	for i := range s.found {
		x := &s.found[i]
		if x.prefix == nil {
			continue
		}
		places := append(x.prefix.Last(), x.First.At, x.Second.At)
		if !s.prefixes.history.IsLeftOpen() || rule.IsOwn(names, places) {
			all = append(all, x.finding(names))
		}
	}
	return all
}

func (x *candidatePair) finding(names op.Names) rule.Finding {
	pair, d := x.Pair, x.describe(names)
	pair.How, pair.Count = rule.Predicted, 1
	if x.prefix.Reverses() || x.prefix.IsOpen() {
		pair.How = rule.Reordered
	}
	f := d.Finding(&pair)
	f.Reverses, f.Sectioned = x.prefix.Reverses(), true
	f.Schedule = append(x.prefix.Schedule(), f.Schedule...)
	return f
}
