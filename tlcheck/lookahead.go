package tlcheck

import (
	"math"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// An action moves a task by one state at most. So if next^k says that a task is in a span k actions later, it is at most k states before that span
// now, and a task that is in a span now is at most k states behind it then. At each distance from the violation this gives a conjunction of
// local predicates, wider than what the branch says. A sweep finds its least slice without any set, and the violation has at most k
// actions less.

// lookahead is what a branch asks of the local states of its tasks in a slice that is some actions above the violation.
type lookahead struct {
	distance int
	tracks   map[int]*requirement // by slot
}

// unbounded is the distance to a slice of which nothing is known but that it is the violation or lies above it.
const unbounded = math.MaxInt

// demand is a local predicate that is to be true at a distance from the violation.
type demand struct {
	node     *formula.Node
	distance int
}

// demands returns what must be true if the nodes are.
func demands(nodes []*formula.Node, distance int) []demand {
	var all []demand
	for _, n := range nodes {
		further := distance
		switch {
		case n.Local:
			all = append(all, demand{n, distance})
			continue
		case n.Complement:
			continue
		case n.Kind == formula.Next:
			further = add(distance, n.K)
		case n.Kind == formula.Sometime, n.Kind == formula.Eventually:
			further = unbounded
		case n.Kind == formula.Until:
			all = append(all, demands(n.Kids[1:], unbounded)...)
			continue
		case n.Kind != formula.And && n.Kind != formula.If:
			continue
		}
		all = append(all, demands(n.Kids, further)...)
	}
	return all
}

// lookaheads returns one for each distance at which something is asked, none if that is so only in the violation.
func (b *branch) lookaheads(e *evaluator) ([]lookahead, error) {
	all := demands(b.items, 0)
	if !stdslices.ContainsFunc(all, func(d demand) bool { return d.distance > 0 && d.distance < unbounded }) {
		return nil, nil
	}
	distances := []int{0}
	for _, d := range all {
		if d.distance < unbounded && !stdslices.Contains(distances, d.distance) {
			distances = append(distances, d.distance)
		}
	}
	var aheads []lookahead
	for _, distance := range distances {
		a := lookahead{distance, map[int]*requirement{}}
		for _, slot := range stdslices.Concat(b.outer, b.inner) {
			own := stdslices.DeleteFunc(stdslices.Clone(all), func(d demand) bool { return d.node.Free[0] != slot })
			if len(own) == 0 {
				continue
			}
			w, err := e.requirement(func(t san.Task) []span { return e.seen(own, distance, t) })
			if err != nil {
				return nil, err
			}
			a.tracks[slot] = w
		}
		aheads = append(aheads, a)
	}
	return aheads, nil
}

// seen returns the states in which the task can be at a distance from the violation.
func (e *evaluator) seen(demands []demand, distance int, t san.Task) []span {
	var out []span
	for i, d := range demands {
		behind := max(distance-d.distance, 0)
		if d.distance == unbounded { // it may be true nearer, too
			behind = distance
		}
		spans := widen(e.net, t, e.spans(d.node, t), max(d.distance-distance, 0), behind)
		if i > 0 {
			spans = common(out, spans)
		}
		out = spans
	}
	return out
}

// widen returns the states that are at most so many states before a span, or behind it.
func widen(net *san.Net, t san.Task, spans []span, before, behind int) []span {
	first := uncreated
	if net.Initial(t) {
		first = 0
	}
	var out []span
	for _, s := range spans {
		wide := span{first, min(add(s.to, behind), net.Len(t))}
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

// foreseen reports whether the tasks in the assigned slots can give a violation better than the best as far as the lookaheads tell.
func (s *search) foreseen(b *branch) (bool, error) {
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

// tooFar reports whether a task alone, in a slot, takes more actions than a violation better than the best has. That is known for each task
// sooner than for tasks together.
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

// promising reports whether some tasks in the slots that are left may give a violation better than the best.
func (s *search) promising(b *branch, slots []int) (found bool, err error) {
	if len(slots) == 0 {
		return true, nil
	}
	w := b.aheads[0].tracks[slots[0]]
	if w == nil {
		return s.promising(b, slots[1:])
	}
	slot := slots[0]
	s.assigned[slot] = true
	defer func() { s.assigned[slot], s.env[slot] = false, 0 }()
	for _, t := range s.candidates(b, slot) {
		s.env[slot] = t
		if s.tooFar(b, slot, t) || !s.admitted(b, slot) {
			continue
		}
		if ok, err := s.foreseen(b); err != nil {
			return false, err
		} else if !ok {
			continue
		}
		if found, err := s.promising(b, slots[1:]); found || err != nil {
			return found, err
		}
	}
	return false, nil
}
