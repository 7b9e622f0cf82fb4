package tlcheck

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// The search for the violation with the most actions is dual to that for the fewest: it uses the
// greatest slices of intervals and sweeps instead of the least.

// runLast first looks for the violation with the fewest actions, because a search from below finds
// much sooner that there is none. If there is one, it is the first candidate.
func (s *search) runLast() error {
	branches := s.branches
	s.branches = stdslices.Concat(branches, branches) // each is decided twice
	s.last = false
	err := s.search(branches)
	s.last = true
	if err == nil && s.best != nil {
		err = s.search(branches)
	}
	return err
}

// betterWitness says how a better witness would differ from one that is not known to be the best.
func (s *search) betterWitness() string {
	if s.last {
		return "larger"
	}
	return "smaller"
}

// follow adds the core's requirement on the task in the slot to the tracks; false if no slice of
// the interval that remains can be better than the best.
func (s *search) follow(b *branch, slot int, t san.Task, tracks []track, iv slices.Interval) ([]track, bool, error) {
	w := b.tracks[slot]
	if w == nil {
		return tracks, true, nil
	}
	if s.best != nil && !s.better(s.atMost(tracks, t, w.spans[t])) {
		return tracks, false, nil
	}
	tracks = withTrack(tracks, t, w.spans[t])
	slice, ok, err := s.greatestIn(tracks, iv)
	return tracks, ok && s.better(slice.Size()), err
}

// atMost returns an upper bound on the actions of a slice in which the tracks' tasks, and one more,
// are in their spans: each lacks its events after its last span. Like atLeast it examines few
// tasks, where the exact number takes all of them.
func (s *search) atMost(tracks []track, t san.Task, spans []span) int {
	size := s.lat.Top().Size()
	if s.hasJointAction {
		return size // an action may be an event of two tasks
	}
	lacks := func(t san.Task, spans []span) int { return s.net.Len(t) - max(spans[len(spans)-1].to, 0) }
	for i := range tracks {
		if tracks[i].empty() {
			return -1
		}
		if tracks[i].task != t {
			size -= lacks(tracks[i].task, tracks[i].spans)
		}
	}
	return size - lacks(t, spans)
}

// searchLast computes the set of the rest and searches it.
func (s *search) searchLast(b *branch, tracks []track) error {
	set, err := s.restSet(b)
	if err != nil {
		return err
	}
	for _, iv := range set.Intervals() {
		if s.best != nil && !s.better(iv.Highest()) {
			continue
		}
		if err := s.sweepLast(b, b.inner, tracks, iv); err != nil {
			return err
		}
	}
	return nil
}

// sweepLast assigns the remaining inner slots, for the slices of an interval.
func (s *search) sweepLast(b *branch, slots []int, tracks []track, iv slices.Interval) error {
	if len(slots) == 0 {
		return s.offerGreatest(tracks, iv)
	}
	return s.each(b, slots[0], func(t san.Task) error {
		next, ok, err := s.follow(b, slots[0], t, tracks, iv)
		if !ok {
			return err
		}
		return s.sweepLast(b, slots[1:], next, iv)
	})
}

// greatestIn returns the greatest slice within the bounds of the interval in which the tracks'
// tasks are in their spans; false if the interval has no such slice.
func (s *search) greatestIn(tracks []track, iv slices.Interval) (slices.Ideal, bool, error) {
	slice, ok, err := greatest(s.budget, s.lat, tracks, iv.Hi)
	return slice, ok && iv.Lo.Leq(slice) && slice.Size() >= iv.Lowest(), err
}

// offerGreatest offers the greatest slice of the interval in which the tracks' tasks are in their
// spans.
func (s *search) offerGreatest(tracks []track, iv slices.Interval) error {
	slice, ok, err := s.greatestIn(tracks, iv)
	switch {
	case !ok:
		return err
	case iv.Contains(slice):
		s.offer(slice)
		return nil
	}
	// It has too many actions; others may have few enough.
	set, err := s.slicesInSpans(tracks, iv)
	if err != nil {
		return err
	}
	if slice, ok := set.Greatest(); ok {
		s.offer(slice)
	}
	return nil
}
