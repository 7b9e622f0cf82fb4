package tlcheck

import (
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// region has the slices of an interval that are not at or above a ceiling. If not is set, it also
// lacks the slices one action before a goal.
type region struct {
	slices.Interval
	ceiling *slices.Ideal // excludes those at or above it; may be nil
	not     bool          // excludes those one action before a goal
	goals   []mark
}

// has reports whether a slice is in the region's interval and not above its ceiling.
func (r *region) has(slice slices.Ideal) bool {
	return r.Contains(slice) && (r.ceiling == nil || !r.ceiling.Leq(slice))
}

// restSet returns the set of the branch's rest; all slices if there is no rest. Slices that are no
// better than the best violation may be missing.
func (s *search) restSet(b *branch) (set slices.Set, err error) {
	if len(b.rest) == 0 {
		return s.all, nil
	}
	err = s.withRanks(s.wantedRanks(), func() error {
		set, err = s.and(s.restWithCore(b), s.env)
		return err
	})
	return set, err
}

// restWithCore returns the rest and, if sets are subtracted from others or computed within others,
// also the core of the outer slots: operands become smaller early.
func (s *search) restWithCore(b *branch) []*formula.Node {
	if !stdslices.ContainsFunc(b.rest, func(n *formula.Node) bool { return n.Complement || n.Kind == formula.Until }) {
		return b.rest
	}
	var nodes []*formula.Node
	for _, slot := range b.outer {
		nodes = append(nodes, b.core[slot]...)
	}
	return append(nodes, b.rest...)
}

// assignInner assigns the remaining inner slots, for the slices of a region.
func (s *search) assignInner(b *branch, slots []int, tracks []track, r region) error {
	if len(slots) == 0 {
		return s.offerLeast(tracks, r)
	}
	slot := slots[0]
	w := b.tracks[slot]
	if w != nil && len(b.rest) > 0 && len(s.candidates(b, slot)) > s.net.Tasks()/8 {
		r.Lo.Events() // computes all counts at once, which is faster than for most tasks one by one
		r.Hi.Events()
	}
	return s.each(b, slot, func(t san.Task) error {
		if w == nil { // only conditions refer to it
			return s.assignInner(b, slots[1:], tracks, r)
		}
		if len(b.rest) > 0 && !crosses(w.spans[t], r.Interval, t) {
			return nil
		}
		next := withTrack(tracks, t, w.spans[t])
		if next[len(next)-1].empty() {
			return nil
		}
		if s.best != nil &&
			!s.better(max(s.atLeast(b, b.tracks, next), r.Lowest(), r.Lo.Size()+eventsUntilSpan(w.spans[t], r.Lo, t))) {
			return nil
		}
		if s.best != nil && !s.better(s.firstSize(w, t)) {
			return nil
		}
		if s.tooFar(b, slot, t) {
			return nil
		}
		if ok, err := s.passesLookaheads(b); !ok || err != nil {
			return err
		}
		slice, ok, err := s.leastIn(next, r)
		if !ok || s.best != nil && !s.better(slice.Size()) {
			return err
		}
		return s.assignInner(b, slots[1:], next, r)
	})
}

// eventsUntilSpan returns how many events of its own the task must have beyond a slice to be in one
// of its spans.
func eventsUntilSpan(spans []span, slice slices.Ideal, t san.Task) int {
	at := slice.At(t)
	i := sort.Search(len(spans), func(i int) bool { return spans[i].to >= at })
	if i == len(spans) {
		return 0
	}
	return max(0, spans[i].from-at)
}

// crosses reports whether the task is in some span in slices of the interval.
func crosses(spans []span, iv slices.Interval, t san.Task) bool {
	return overlaps(spans, span{iv.Lo.At(t), iv.Hi.At(t)})
}

// leastIn returns the least slice within the region's interval in which the tracks' tasks are in
// their spans; false if the region has no such slice.
func (s *search) leastIn(tracks []track, r region) (slices.Ideal, bool, error) {
	slice, ok, err := s.least(tracks, r.Lo)
	ok = ok && slice.Leq(r.Hi) && (!r.Ranked() || slice.Size() <= r.Highest())
	return slice, ok && (r.ceiling == nil || !r.ceiling.Leq(slice)), err
}

// offerLeast offers the least slice of the region in which the tracks' tasks are in their spans.
func (s *search) offerLeast(tracks []track, r region) error {
	if r.not {
		return s.offerFar(tracks, r)
	}
	slice, ok, err := s.leastIn(tracks, r)
	switch {
	case !ok:
		return err
	case r.Contains(slice):
		s.offer(slice)
		return nil
	}
	// It has too few actions; others may have enough.
	set, err := s.slicesInSpans(tracks, r.Interval)
	if err != nil {
		return err
	}
	if slice, ok := set.Least(); ok {
		s.offer(slice)
	}
	return nil
}

// slicesInSpans returns the slices of the interval in which the tracks' tasks are in their spans.
func (s *search) slicesInSpans(tracks []track, iv slices.Interval) (slices.Set, error) {
	set := s.lat.Set(iv)
	for _, t := range tracks {
		var err error
		if set, err = set.Intersect(s.budget, s.lat.Set(s.intervals(t)...)); err != nil {
			return set, err
		}
		if err := s.check(set); err != nil {
			return set, err
		}
	}
	return set, nil
}

// intervals returns the slices in which the track's task is in one of its spans.
func (s *search) intervals(t track) []slices.Interval {
	var ivs []slices.Interval
	for _, sp := range t.spans {
		if sp.from == uncreated {
			ivs = append(ivs, s.lat.Uncreated(t.task).Intervals()...)
			sp.from = 0
		}
		if sp.from <= sp.to {
			ivs = append(ivs, s.lat.Containing(t.task, sp.from, sp.to))
		}
	}
	return ivs
}
