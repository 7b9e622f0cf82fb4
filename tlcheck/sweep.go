package tlcheck

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// A conjunction of local predicates is true in the slices in which every task is in one of certain
// spans. These slices are closed under union and intersection, so there is a least and a greatest
// one. The sweep of Garg and Waldecker (1994) finds them without trying combinations: a span that
// ends before another one begins is also compatible with no later span of that task, and is
// skipped. So each span is left at most once.

// track is a task with the local states that a conjunction requires of it.
type track struct {
	task  san.Task
	spans []span // ascending
}

func (t track) empty() bool { return len(t.spans) == 0 }

// least returns the least slice above lo in which every task is in one of its spans; false if there
// is none. If no two spans exclude each other, the slice that lo and the entries of all of them
// generate lies in all of them. It is the least, because no earlier span was possible.
func least(b slices.Budget, lat *slices.Lattice, tracks []track, lo slices.Ideal) (slices.Ideal, bool, error) {
	if len(tracks) >= manyTracks {
		return leastOfMany(b, lat, tracks, lo)
	}
	at := make([]int, len(tracks))
	for i, t := range tracks {
		if lo.Events() > 0 {
			state := stateIn(lat, lo, t.task)
			for at[i] < len(t.spans) && t.spans[at[i]].to < state {
				at[i]++
			}
		}
		if at[i] == len(t.spans) {
			return slices.Ideal{}, false, nil
		}
	}
	if !advanceUntilCompatible(lat.Net(), tracks, at, 1) {
		return slices.Ideal{}, false, nil
	}
	net := lat.Net()
	ideal := lo
	for i, t := range tracks {
		if e, ok := entry(net, t.task, t.spans[at[i]].from); ok {
			ideal = ideal.Join(lat.Down(e))
		}
	}
	return ideal, true, nil
}

// greatest returns the greatest slice below hi in which every task is in one of its spans; false if
// there is none. It is dual to least.
func greatest(b slices.Budget, lat *slices.Lattice, tracks []track, hi slices.Ideal) (slices.Ideal, bool, error) {
	if len(tracks) >= manyTracks {
		return greatestOfMany(b, lat, tracks, hi)
	}
	at := make([]int, len(tracks))
	for i, t := range tracks {
		state := stateIn(lat, hi, t.task)
		at[i] = len(t.spans) - 1
		for at[i] >= 0 && t.spans[at[i]].from > state {
			at[i]--
		}
		if at[i] < 0 {
			return slices.Ideal{}, false, nil
		}
	}
	if !advanceUntilCompatible(lat.Net(), tracks, at, -1) {
		return slices.Ideal{}, false, nil
	}
	net := lat.Net()
	ideal := hi
	for i, t := range tracks {
		if e, ok := exit(net, t.task, t.spans[at[i]].to); ok {
			ideal = ideal.Meet(lat.NotAbove(e))
		}
	}
	return ideal, true, nil
}

// manyTracks is the number from which tracks are not compared pairwise.
const manyTracks = 64

// advanceUntilCompatible moves the tracks, from their spans at at, by step 1 or -1, until no two
// exclude each other; false if one has no further span.
func advanceUntilCompatible(net *san.Net, tracks []track, at []int, step int) bool {
	n := len(tracks)
	todo := make([]int, n) // those that have moved since they were compared with all others
	queued := make([]bool, n)
	for i := range todo {
		todo[i], queued[i] = i, true
	}
	for len(todo) > 0 {
		j := todo[len(todo)-1]
		todo, queued[j] = todo[:len(todo)-1], false
		for i := range n {
			if i == j {
				continue
			}
			before := at[i]
			for mustAdvance(net, tracks, at, i, j, step) {
				if at[i] += step; at[i] < 0 || at[i] == len(tracks[i].spans) {
					return false
				}
			}
			if at[i] != before && !queued[i] {
				todo, queued[i] = append(todo, i), true
			}
		}
	}
	return true
}

// mustAdvance reports whether the span of track i excludes that of j and all further ones of j in
// the direction of step.
func mustAdvance(net *san.Net, tracks []track, at []int, i, j, step int) bool {
	if step < 0 {
		i, j = j, i
	}
	return endsBefore(net, tracks[i].task, tracks[i].spans[at[i]], tracks[j].task, tracks[j].spans[at[j]])
}

// endsBefore reports whether span a of one task is left before span b of another
// is entered, in every order of the run.
func endsBefore(net *san.Net, t san.Task, a span, u san.Task, b span) bool {
	out, ok := exit(net, t, a.to)
	if !ok {
		return false
	}
	in, ok := entry(net, u, b.from)
	return ok && net.Known(in, out.Task) >= int(out.K)
}

// withTrack adds the requirement that a task is in one of the spans. A track of the task that is
// there already is intersected with it.
func withTrack(tracks []track, task san.Task, spans []span) []track {
	out := make([]track, 0, len(tracks)+1)
	for _, t := range tracks {
		if t.task == task {
			spans = intersectSpans(t.spans, spans)
			continue
		}
		out = append(out, t)
	}
	return append(out, track{task, spans})
}

// withTracks is withTrack for several tracks of different tasks.
func withTracks(tracks, more []track) []track {
	out := stdslices.Grow(stdslices.Clone(tracks), len(more))
	at := make(map[san.Task]int, len(tracks))
	for i, t := range tracks {
		at[t.task] = i
	}
	for _, t := range more {
		if i, ok := at[t.task]; ok {
			out[i].spans = intersectSpans(out[i].spans, t.spans)
			continue
		}
		out = append(out, t)
	}
	return out
}

// conjoin adds the tracks of a node that is a conjunction of local predicates; false if it is none.
// A node that is true nowhere has a track without spans.
func (e *evaluator) conjoin(tracks []track, n *formula.Node, env []san.Task) ([]track, bool) {
	switch {
	case n.Local:
		task := env[n.Free[0]]
		return withTrack(tracks, task, e.spans(n, task)), true
	case n.Kind == formula.And:
		for _, k := range n.Kids {
			var ok bool
			if tracks, ok = e.conjoin(tracks, k, env); !ok {
				return nil, false
			}
		}
		return tracks, true
	case n.Kind == formula.If:
		if stdslices.ContainsFunc(n.Conds, func(c formula.Cond) bool { return !e.holds(c, env) }) {
			return withTrack(tracks, 0, nil), true
		}
		return e.conjoin(tracks, n.Kids[0], env)
	case isUniversal(n):
		every := make([]track, len(e.tasks))
		for i, task := range e.tasks {
			every[i] = track{task, complementSpans(e.net, task, e.spans(n.Kids[0], task))}
		}
		return withTracks(tracks, every), true
	}
	return nil, false
}

// isUniversal reports whether the node requires of every task a local state: no task is in a state
// in which the local child is true.
func isUniversal(n *formula.Node) bool {
	return n.Kind == formula.Exists && n.Complement && n.Kids[0].Local && n.Kids[0].Free[0] == n.Slot
}

// Comparing each of many tracks with all others takes time quadratic in them. With many tasks the
// sweep maintains the slice itself instead: a track whose span the slice has left moves to its next
// span, whose entry the slice takes in, until no track is behind. That is linear in the actions of
// the slice, and has the same result.

// sweeper performs a sweep that maintains its slice.
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

// queueTrack queues the track of a task whose state in the slice has changed.
func (s *sweeper) queueTrack(a san.Action) {
	if i := s.of[a.Task]; i > 0 {
		s.todo = append(s.todo, i-1)
	}
	if child, ok := s.net.Spawns(a); ok && child >= 0 && s.of[child] > 0 {
		s.todo = append(s.todo, s.of[child]-1)
	}
}

// settle calls step with each queued track until no track is queued, and returns the slice then. It
// returns false if a step does, since its track has no further span.
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
			s.slice.Add(e, s.queueTrack)
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
			s.slice.Remove(e, s.queueTrack)
		}
		return true
	})
}
