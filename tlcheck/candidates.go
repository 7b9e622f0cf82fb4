package tlcheck

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// candidates returns the tasks that the slot can stand for, ascending: one if a condition
// determines it, the children of a task if a condition says so, else those that are in a span of
// the core.
func (s *search) candidates(b *branch, slot int) []san.Task {
	tasks := s.tasks
	if w := b.tracks[slot]; w != nil {
		tasks = w.tasks
	}
	for _, c := range b.conds {
		if c.Caller && !c.Differ && c.Right == slot && c.Left != slot && s.assigned[c.Left] {
			return intersectTasks(s.createdBy(s.env[c.Left]), tasks)
		}
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

// createdBy returns the tasks that a task created, ascending.
func (s *search) createdBy(task san.Task) []san.Task {
	if s.children == nil {
		s.children = make([][]san.Task, s.net.Tasks())
		for child := range san.Task(s.net.Tasks()) {
			if parent, ok := s.net.Parent(child); ok {
				s.children[parent] = append(s.children[parent], child)
			}
		}
	}
	return s.children[task]
}

// intersectTasks returns the tasks that are in two ascending lists.
func intersectTasks(few, many []san.Task) []san.Task {
	var in []san.Task
	for _, t := range few {
		if _, ok := stdslices.BinarySearch(many, t); ok {
			in = append(in, t)
		}
	}
	return in
}

// fixed returns the only task with which the slot meets the condition, -1 if there is none; false
// if there may be several.
func (s *search) fixed(c formula.Cond, slot int) (san.Task, bool) {
	switch {
	case c.Differ || c.Left == c.Right:
		return 0, false
	case c.Left == slot && s.assigned[c.Right] && c.Caller:
		if parent, ok := s.net.Parent(s.env[c.Right]); ok {
			return parent, true
		}
		return -1, true
	case c.Left == slot && s.assigned[c.Right]:
		return s.env[c.Right], true
	case c.Right == slot && s.assigned[c.Left] && !c.Caller:
		return s.env[c.Left], true
	}
	return 0, false
}

// isFixed reports whether a condition determines the task of the slot.
func (s *search) isFixed(b *branch, slot int) bool {
	return stdslices.ContainsFunc(b.conds, func(c formula.Cond) bool {
		_, fixed := s.fixed(c, slot)
		return fixed
	})
}
