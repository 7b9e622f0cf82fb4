package race

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
)

// Races that critical sections hide. Go's memory model orders the sections of a lock. So an access
// before one section and an access after another one are ordered in this run. If the sections can
// come in another order, the two accesses race in that one. Package reorder decides whether they
// can, with each read seeing what it saw in the run.

// Bounds. Each only loses findings.
const (
	maxSectioned = 1 << 14 // pairs of places
	maxRefusals  = 8       // of a pair; after that every second is looked at, and so on
	firstSteps   = 1 << 25 // of closures
	stepsEach    = 8       // more for each operation
)

// sectionedRaces collects conflicts between accesses that nothing but the order of critical
// sections orders.
type sectionedRaces struct {
	history *reorder.History // nil: nothing is known of sections
	steps   int64            // of closures, at most, plus stepsEach for each operation
	pairs   map[racePlaces]*sectionedPair
	found   []rule.Finding
	prefix  []*reorder.Prefix // that leads to each of found

	many    bool // some pairs of places are missing
	skipped int  // pairs of places that were never looked at, as that took too long
	lost    int  // conflicts for which too little was remembered
	refuted int  // prefixes that could not be executed
}

// sectionedPair is what is known of the conflicts at a pair of places.
type sectionedPair struct {
	race    int // index in found, plus 1; 0 is none
	refused int // conflicts that are no races
	next    int // conflicts until one is looked at
	skipped bool
}

// noteConflict handles a conflict at a pair of places.
func (r *sectionedRaces) noteConflict(o *op.Op, key racePlaces) {
	if r.history == nil {
		return
	}
	p := r.pairs[key]
	switch {
	case p != nil && p.race > 0:
		r.found[p.race-1].Count++
		return
	case p == nil && len(r.pairs) == maxSectioned:
		r.many = true
		return
	}
	points := pointsOf(o)
	if r.history.Excluded(points[0], points[1]) {
		return
	}
	if p == nil {
		p = new(sectionedPair)
		if r.pairs == nil {
			r.pairs = map[racePlaces]*sectionedPair{}
		}
		r.pairs[key] = p
	}
	if p.next--; p.next < 0 {
		r.decide(p, o, points[:]...)
	}
}

// decide decides whether a conflict is a race.
func (r *sectionedRaces) decide(p *sectionedPair, o *op.Op, points ...reorder.Point) {
	done := r.history.Work()
	if done.Steps > r.steps+stepsEach*done.Operations {
		if p.refused == 0 && !p.skipped {
			p.skipped = true
			r.skipped++
		}
		return
	}
	prefix := r.history.AnyPrefix(points...)
	r.lost += r.history.Work().Lost - done.Lost
	if prefix == nil || prefix.Verify() != nil {
		if prefix != nil {
			r.refuted++
		}
		p.refused++
		p.next = p.refused / maxRefusals
		return
	}
	if p.skipped {
		p.skipped = false
		r.skipped--
	}
	f := newRace(o)
	f.Sectioned, f.Scope, f.Reverses = true, rule.InCalls, prefix.Reverses()
	f.Schedule = append(prefix.Schedule(), f.Schedule...)
	r.found, r.prefix = append(r.found, f), append(r.prefix, prefix)
	p.race = len(r.found)
}

// prefixOf returns the least prefix in which each read sees what it saw in the run and tasks come
// to points. It returns nil if there is none, or if it takes too long to find out.
func (r *sectionedRaces) prefixOf(points []reorder.Point) *reorder.Prefix {
	if done := r.history.Work(); done.Steps > r.steps+stepsEach*done.Operations {
		return nil
	}
	if p := r.history.Prefix(points...); p != nil && p.Verify() == nil {
		return p
	}
	return nil
}

// findingsAfter returns what was found after the first n findings, with the races known so far. If
// a section comes later than in the run, it may clash with accesses that are not known.
func (r *sectionedRaces) findingsAfter(n int, names op.Names) (found []rule.Finding) {
	for i := n; i < len(r.found); i++ {
		f, prefix := r.found[i], r.prefix[i]
		if prefix.IsOpen() || prefix.Reverses() {
			f.How = rule.Reordered
		}
		isExact := !prefix.Reverses() || !r.history.IsLeftOpen()
		if isExact || rule.IsOwn(names, append(prefix.Last(), f.Parties[0].At, f.Parties[1].At)) {
			found = append(found, f)
		}
	}
	return found
}
