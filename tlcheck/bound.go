package tlcheck

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// eventCount is a lower bound on the events of a task in a slice.
type eventCount struct {
	task   san.Task
	events int
}

// atLeast returns a lower bound on the actions of a slice in which the tracks' tasks are in their
// spans, and other tasks, in the slots not yet assigned, are in theirs. It examines few tasks,
// where the exact number takes all of them. It also looks ahead at the open slots: once a violation
// is known, most tasks of a large run need not be paired with all others.
func (s *search) atLeast(b *branch, wanted map[int]*requirement, tracks []track) int {
	counts := s.counts(tracks)
	sum, most := 0, 0
	for _, c := range counts {
		sum, most = sum+c.events, max(most, c.events)
	}
	if s.joint {
		return most // an action may be an event of two tasks
	}
	extra := 0
	for slot, w := range wanted {
		if !s.assigned[slot] {
			extra = max(extra, s.extraEvents(b, slot, w, tracks, counts))
		}
	}
	return sum + extra
}

// counts returns how many events of the tracks' tasks, and of their creators, are in every slice in
// which these tasks are in spans.
func (s *search) counts(tracks []track) []eventCount {
	counts := make([]eventCount, 0, 2*len(tracks))
	count := func(t san.Task) {
		if stdslices.ContainsFunc(counts, func(c eventCount) bool { return c.task == t }) {
			return
		}
		c := eventCount{task: t}
		for i := range tracks {
			if e, ok := entry(s.net, tracks[i].task, tracks[i].spans[0].from); ok {
				c.events = max(c.events, s.net.Known(e, t))
			}
		}
		counts = append(counts, c)
	}
	for i := range tracks {
		count(tracks[i].task)
		if parent, ok := s.net.Parent(tracks[i].task); ok {
			count(parent)
		}
	}
	return counts
}

// extraEvents returns how many events an open slot adds at least: those of a new task, or those
// that a counted one lacks, if the conditions admit it.
func (s *search) extraEvents(b *branch, slot int, w *requirement, tracks []track, counts []eventCount) int {
	extra := w.floor
	outer := s.env[slot]
	s.assigned[slot] = true
	for _, c := range counts {
		s.env[slot] = c.task
		if len(w.spans[c.task]) == 0 || !s.admitted(b, slot) {
			continue
		}
		if both := withTrack(tracks, c.task, w.spans[c.task]); !both[len(both)-1].empty() {
			extra = min(extra, max(0, both[len(both)-1].spans[0].from-c.events))
		}
	}
	s.assigned[slot], s.env[slot] = false, outer
	return extra
}

// firstSize returns the number of actions of the least slice in which the task is in one of its
// spans. It examines all tasks, but once for each; the least slice of a pair would take that for
// each pair.
func (s *search) firstSize(w *requirement, t san.Task) int {
	if w.sizes == nil {
		w.sizes = make([]int32, s.net.Tasks())
	}
	if w.sizes[t] == 0 {
		w.sizes[t] = 1
		if e, ok := entry(s.net, t, w.spans[t][0].from); ok {
			w.sizes[t] += int32(s.lat.Down(e).Size())
		}
	}
	return int(w.sizes[t]) - 1
}
