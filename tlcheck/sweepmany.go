package tlcheck

import (
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// Comparing each of many tracks with all others takes time quadratic in them. With many tasks the
// sweep maintains the slice itself instead: a track whose span the slice has left moves to its next
// span, whose entry the slice takes in, until no track is behind. That is linear in the actions of
// the slice, and has the same result.

// sweeper performs such a sweep.
type sweeper struct {
	net    *san.Net
	slice  *slices.Growth
	tracks []track
	of     []int32 // by task: one more than the number of its track; 0 is none
	at     []int   // by track: its span
	todo   []int32 // tracks that may have to move
}

func newSweeper(lat *slices.Lattice, tracks []track, from slices.Ideal) *sweeper {
	s := &sweeper{net: lat.Net(), slice: lat.Grow(from), tracks: tracks, of: make([]int32, lat.Net().Tasks()),
		at: make([]int, len(tracks))}
	for i, t := range tracks {
		s.of[t.task] = int32(i + 1)
		s.todo = append(s.todo, int32(i))
	}
	return s
}

// state returns the state of a task in the slice.
func (s *sweeper) state(t san.Task) int {
	k := s.slice.At(t)
	if k > 0 {
		return k
	}
	if spawn, ok := s.net.SpawnedBy(t); ok && !s.slice.Has(spawn) {
		return uncreated
	}
	return 0
}

// changed queues the track of a task whose state in the slice has changed.
func (s *sweeper) changed(a san.Action) {
	if i := s.of[a.Task]; i > 0 {
		s.todo = append(s.todo, i-1)
	}
	if child, ok := s.net.Spawns(a); ok && child >= 0 && s.of[child] > 0 {
		s.todo = append(s.todo, s.of[child]-1)
	}
}

// settle moves tracks, each by step, until none is behind; false if one has no further span.
func (s *sweeper) settle(b slices.Budget, step func(i int32) bool) (slices.Ideal, bool, error) {
	for n := 0; len(s.todo) > 0; n++ {
		if n%statesPerPoll == 0 {
			if err := b.Err(); err != nil {
				return slices.Ideal{}, false, err
			}
		}
		i := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if !step(i) {
			return slices.Ideal{}, false, nil
		}
	}
	return s.slice.Ideal(), true, nil
}

// leastOfMany is least for many tracks.
func leastOfMany(b slices.Budget, lat *slices.Lattice, tracks []track, lo slices.Ideal) (slices.Ideal, bool, error) {
	s := newSweeper(lat, tracks, lo)
	return s.settle(b, func(i int32) bool {
		t := &s.tracks[i]
		state := s.state(t.task)
		for s.at[i] < len(t.spans) && t.spans[s.at[i]].to < state {
			s.at[i]++
		}
		if s.at[i] == len(t.spans) {
			return false
		}
		if e, ok := entry(s.net, t.task, t.spans[s.at[i]].from); ok && !s.slice.Has(e) {
			s.slice.Add(e, s.changed)
		}
		return true
	})
}

// greatestOfMany is greatest for many tracks.
func greatestOfMany(b slices.Budget, lat *slices.Lattice, tracks []track, hi slices.Ideal) (slices.Ideal, bool, error) {
	s := newSweeper(lat, tracks, hi)
	for i, t := range tracks {
		s.at[i] = len(t.spans) - 1
	}
	return s.settle(b, func(i int32) bool {
		t := &s.tracks[i]
		state := s.state(t.task)
		for s.at[i] >= 0 && t.spans[s.at[i]].from > state {
			s.at[i]--
		}
		if s.at[i] < 0 {
			return false
		}
		if e, ok := exit(s.net, t.task, t.spans[s.at[i]].to); ok && s.slice.Has(e) {
			s.slice.Remove(e, s.changed)
		}
		return true
	})
}
