package tlcheck

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// candidates returns the tasks that the slot can stand for, ascending: one if a condition
// says which, else those that are ever where the core wants them.
func (s *search) candidates(b *branch, slot int) []san.Task {
	tasks := s.tasks
	if w := b.tracks[slot]; w != nil {
		tasks = w.tasks
	}
	for _, c := range b.conds {
		only, fixed := s.fixed(c, slot)
		if !fixed {
			continue
		}
		if i, ok := stdslices.BinarySearch(tasks, only); ok {
			return tasks[i : i+1]
		}
		return nil
	}
	return tasks
}

// fixed returns the only task with which the slot meets the condition, -1 if there is none;
// false if there are others.
func (s *search) fixed(c cond, slot int) (san.Task, bool) {
	switch {
	case c.Differ || c.left == c.right:
		return 0, false
	case c.left == slot && s.assigned[c.right] && c.Caller:
		if parent, ok := s.net.Parent(s.env[c.right]); ok {
			return parent, true
		}
		return -1, true
	case c.left == slot && s.assigned[c.right]:
		return s.env[c.right], true
	case c.right == slot && s.assigned[c.left] && !c.Caller:
		return s.env[c.left], true
	}
	return 0, false
}

// isFixed reports whether a condition says which task the slot stands for.
func (s *search) isFixed(b *branch, slot int) bool {
	return stdslices.ContainsFunc(b.conds, func(c cond) bool {
		_, fixed := s.fixed(c, slot)
		return fixed
	})
}
