package tlcheck

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// counted is a task with a number of its events that a slice has at least.
type counted struct {
	task   san.Task
	events int
}

// atLeast returns a lower bound for the number of actions of a violation in which the
// tracks' tasks, and others in the open slots, are where the branch wants them. It
// looks at few tasks where the exact number takes all of them, and it looks ahead at
// the open slots: with one violation found, most of the tasks of a large run
// need not be paired with all others.
func (s *search) atLeast(b *branch, env []san.Task, open []int, tracks []track) int {
	counts := s.counts(tracks)
	sum, most := 0, 0
	for _, c := range counts {
		sum, most = sum+c.events, max(most, c.events)
	}
	if s.joint {
		return most // the events of two tasks may be one action
	}
	extra := 0
	for _, slot := range open {
		if b.core[slot] != nil {
			extra = max(extra, s.extra(b, env, slot, open[0], counts))
		}
	}
	return sum + extra
}

// counts returns how many events of the tracks' tasks and of those that created them
// are in every slice in which the tracks' tasks are in spans.
func (s *search) counts(tracks []track) []counted {
	counts := make([]counted, 0, 2*len(tracks))
	count := func(t san.Task) {
		if stdslices.ContainsFunc(counts, func(c counted) bool { return c.task == t }) {
			return
		}
		c := counted{task: t}
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

// extra returns how many events a slot from the first open one on adds at least: those
// that a task not counted must have had, or what one of the counted lacks, if the
// conditions let it be the one.
func (s *search) extra(b *branch, env []san.Task, slot, open int, counts []counted) int {
	extra := b.floor[slot]
	outer := env[slot]
	for _, c := range counts {
		env[slot] = c.task
		if spans := b.spans[slot][c.task]; len(spans) > 0 && s.admitted(b, env, slot, open) {
			extra = min(extra, max(0, spans[0].from-c.events))
		}
	}
	env[slot] = outer
	return extra
}

// admitted reports whether the conditions hold between the slot, with the slots before
// the first open one, and itself.
func (s *search) admitted(b *branch, env []san.Task, slot, open int) bool {
	for _, c := range b.conds {
		low, high := min(c.left, c.right), max(c.left, c.right)
		if high == slot && (low == slot || low < open) && !s.holds(c, env) {
			return false
		}
	}
	return true
}
