package tlcheck

import (
	"math"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// An action moves a task by at most one state. So if next^k requires that a task is in a span k
// actions later, it is now at most k states before that span; and a task that is in a span now is
// then at most k states after it. For each slice to which next refers this yields a conjunction of
// local predicates, weaker than the branch. A sweep finds its least slice without any set, and the
// violation has at most k actions less.

// point is a slice to which a branch refers: the violation, or a slice some actions after another
// point, or any number of actions after it. A point is below another one only if it is on the way
// to it: (next p) and (next q) refer to two unrelated slices.
type point struct {
	from     *point // nil for the violation
	distance int    // from the violation
}

// unbounded is the distance to a slice that is at or above the point from which it is reached, any
// number of actions away.
const unbounded = math.MaxInt

// next returns the point that many actions above p.
func (p *point) next(actions int) *point { return &point{p, addSaturating(p.distance, actions)} }

// onWayTo reports whether p is q, or q is reached from it.
func (p *point) onWayTo(q *point) bool {
	for q != p && q != nil {
		q = q.from
	}
	return q != nil
}

// lastCommon returns the last point on the way to both.
func (p *point) lastCommon(q *point) *point {
	for !p.onWayTo(q) {
		p = p.from
	}
	return p
}

// lookahead has the requirements of a branch on the local states of its tasks in a slice some
// actions above the violation.
type lookahead struct {
	distance int
	tracks   map[int]*requirement // by slot
}

// maxLookaheads bounds the points to which branches look ahead.
const maxLookaheads = 16

// demand is a local predicate that must be true at a point.
type demand struct {
	node *formula.Node
	at   *point
}

// demands returns predicates that must be true if the nodes are true at a point.
func demands(nodes []*formula.Node, at *point) []demand {
	var all []demand
	for _, n := range nodes {
		further := at
		switch {
		case n.Local:
			all = append(all, demand{n, at})
			continue
		case n.Complement:
			continue
		case n.Kind == formula.Next:
			further = at.next(n.K)
		case n.Kind == formula.Sometime, n.Kind == formula.Eventually:
			further = at.next(unbounded)
		case n.Kind == formula.Until:
			all = append(all, demands(n.Kids[1:], at.next(unbounded))...)
			continue
		case n.Kind != formula.And && n.Kind != formula.If:
			continue
		}
		all = append(all, demands(n.Kids, further)...)
	}
	return all
}

// lookaheads returns one lookahead for each point at a known distance that has demands, none if
// only the violation has.
func (b *branch) lookaheads(e *evaluator) ([]lookahead, error) {
	violation := new(point)
	all := demands(b.items, violation)
	points := []*point{violation}
	for _, d := range all {
		if d.at.distance < unbounded && !stdslices.Contains(points, d.at) && len(points) < maxLookaheads {
			points = append(points, d.at)
		}
	}
	if len(points) == 1 {
		return nil, nil
	}
	var aheads []lookahead
	for _, p := range points {
		a := lookahead{p.distance, map[int]*requirement{}}
		for _, slot := range stdslices.Concat(b.outer, b.inner) {
			own := stdslices.DeleteFunc(stdslices.Clone(all), func(d demand) bool { return d.node.Free[0] != slot })
			if len(own) == 0 {
				continue
			}
			w, err := e.requirement(func(t san.Task) []span { return e.possibleStates(own, p, t) })
			if err != nil {
				return nil, err
			}
			a.tracks[slot] = w
		}
		aheads = append(aheads, a)
	}
	return aheads, nil
}

// possibleStates returns the states in which the task can be at a point.
func (e *evaluator) possibleStates(demands []demand, p *point, t san.Task) []span {
	var out []span
	for i, d := range demands {
		from := p.lastCommon(d.at).distance
		spans := widen(e.net, t, e.spans(d.node, t), d.at.distance-from, p.distance-from)
		if i > 0 {
			spans = intersectSpans(out, spans)
		}
		out = spans
	}
	return out
}

// widen returns the states that are at most before states before a span, or behind states after it.
func widen(net *san.Net, t san.Task, spans []span, before, behind int) []span {
	first := uncreated
	if net.Initial(t) {
		first = 0
	}
	var out []span
	for _, s := range spans {
		wide := span{first, min(addSaturating(s.to, behind), net.Len(t))}
		if s.from-first > before {
			wide.from = s.from - before
		}
		if n := len(out); n > 0 && wide.from <= out[n-1].to+1 {
			out[n-1].to = wide.to
			continue
		}
		out = append(out, wide)
	}
	return out
}

// passesLookaheads reports whether the lookaheads admit a violation better than the best with the
// tasks in the assigned slots.
func (s *search) passesLookaheads(b *branch) (bool, error) {
	for i := range b.aheads {
		a := &b.aheads[i]
		var tracks []track
		for slot, w := range a.tracks {
			if !s.assigned[slot] {
				continue
			}
			if tracks = withTrack(tracks, s.env[slot], w.spans[s.env[slot]]); tracks[len(tracks)-1].empty() {
				return false, nil
			}
		}
		if s.best != nil && !s.better(max(s.atLeast(b, a.tracks, tracks)-a.distance, 0)) {
			return false, nil
		}
		slice, ok, err := least(s.budget, s.lat, tracks, s.lat.Bottom())
		if !ok || err != nil || s.best != nil && !s.better(max(slice.Size()-a.distance, 0)) {
			return false, err
		}
	}
	return true, nil
}

// tooFar reports whether t alone, in the slot, needs too many actions for a violation that beats
// the best one. It is cheaper than the checks of several tasks together, so it comes first.
func (s *search) tooFar(b *branch, slot int, t san.Task) bool {
	if s.best == nil {
		return false
	}
	for i := range b.aheads {
		a := &b.aheads[i]
		if w := a.tracks[slot]; w != nil && len(w.spans[t]) > 0 && s.firstSize(w, t)-a.distance > s.best.size {
			return true
		}
	}
	return false
}

// mayCompleteBetter reports whether some tasks in the remaining slots may give a violation better
// than the best.
func (s *search) mayCompleteBetter(b *branch, slots []int) (found bool, err error) {
	if len(slots) == 0 {
		return true, nil
	}
	w := b.aheads[0].tracks[slots[0]]
	if w == nil {
		return s.mayCompleteBetter(b, slots[1:])
	}
	slot := slots[0]
	s.assigned[slot] = true
	defer func() { s.assigned[slot], s.env[slot] = false, 0 }()
	for _, t := range s.candidates(b, slot) {
		s.env[slot] = t
		if s.tooFar(b, slot, t) || !s.condsHold(b, slot) {
			continue
		}
		if ok, err := s.passesLookaheads(b); err != nil {
			return false, err
		} else if !ok {
			continue
		}
		if found, err := s.mayCompleteBetter(b, slots[1:]); found || err != nil {
			return found, err
		}
	}
	return false, nil
}
