package slices

import "github.com/antichain-go/antichain/san"

// Happened reports whether the recorded order of the run passed through slice i: whether
// i is a prefix of that order.
func (l *Lattice) Happened(i Ideal) bool {
	left := i.Size()
	if left == 0 {
		return true
	}
	for a := range l.net.Order() {
		if !i.Has(a) {
			return false
		}
		if left--; left == 0 {
			return true
		}
	}
	return false
}

// Schedule returns the actions of to \ from (from ⊆ to) by canonical name, in an order
// that the net allows, with few changes from one task to another. A joint action belongs to all its
// tasks and stands once.
//
// It is greedy: it stays with a task as long as that can go on, and then takes the task that can
// go on longest.
func (l *Lattice) Schedule(from, to Ideal) []san.Action {
	s := scheduler{l: l, to: to, at: make([]int32, l.net.Tasks())}
	for t := range s.at {
		s.at[t] = int32(from.At(san.Task(t)))
	}
	all := make([]san.Task, l.net.Tasks())
	for t := range all {
		all[t] = san.Task(t)
	}
	var current []san.Task
	for {
		t, ok := s.longest(current)
		if !ok {
			if t, ok = s.longest(all); !ok {
				return s.done
			}
		}
		s.run(t)
		current = s.tasks(s.done[len(s.done)-1])
	}
}

// scheduler is a schedule that grows.
type scheduler struct {
	l    *Lattice
	to   Ideal
	at   []int32 // events that have happened, by task
	done []san.Action
}

// longest returns the task that can go on longest without another one; false if none can.
func (s *scheduler) longest(tasks []san.Task) (best san.Task, ok bool) {
	length := 0
	for _, t := range tasks {
		before := len(s.done)
		s.run(t)
		if n := len(s.done) - before; n > length {
			best, length = t, n
		}
		s.undo(before)
	}
	return best, length > 0
}

// run lets the task go on as far as it can.
func (s *scheduler) run(t san.Task) {
	for int(s.at[t]) < s.to.At(t) {
		a := san.Action{Task: t, K: s.at[t] + 1}
		if !s.l.isEnabled(func(u san.Task) int { return int(s.at[u]) }, a) {
			return
		}
		s.move(a, 1)
		s.done = append(s.done, s.l.net.Canonical(a))
	}
}

// undo takes back all but the first n actions.
func (s *scheduler) undo(n int) {
	for len(s.done) > n {
		last := len(s.done) - 1
		s.move(s.done[last], -1)
		s.done = s.done[:last]
	}
}

func (s *scheduler) move(a san.Action, by int32) {
	for _, t := range s.tasks(a) {
		s.at[t] += by
	}
}

// tasks returns the tasks of an action.
func (s *scheduler) tasks(a san.Action) []san.Task {
	sides := s.l.net.Joint(a)
	if sides == nil {
		return []san.Task{a.Task}
	}
	tasks := make([]san.Task, len(sides))
	for i, side := range sides {
		tasks[i] = side.Task
	}
	return tasks
}
