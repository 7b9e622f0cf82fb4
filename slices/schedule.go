package slices

import (
	"container/heap"

	"github.com/antichain-go/antichain/san"
)

// Happened reports whether the run passed through slice i, which means that i is a prefix of its
// recorded order.
func (l *Lattice) Happened(i Ideal) bool {
	if !l.settled(i) {
		return false
	}
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

// settled reports whether the slice contains every action that was recorded before a forgotten one:
// all slices contain that.
func (l *Lattice) settled(i Ideal) bool {
	count := make(map[san.Task]int)
	for _, t := range l.net.Recorded(0)[:l.net.UnsettledOrder()] {
		if count[t]++; count[t] > i.At(t) {
			return false
		}
	}
	return true
}

// Schedule returns the actions of to \ from (from ⊆ to) by canonical name, in an order that the net
// allows, with few task switches. A joint action belongs to all its tasks and is listed once.
//
// The algorithm is greedy: it stays with a task as long as possible, then takes the task that can
// run longest. That length changes only when an event happens that the task waits for. So thousands
// of tasks need not be examined again after each turn.
func (l *Lattice) Schedule(from, to Ideal) []san.Action {
	n := l.net.Tasks()
	s := scheduler{l: l, to: to, at: make([]int32, n), length: make([]int, n), waiting: make(map[san.Action][]san.Task)}
	for t := range s.at {
		s.at[t] = int32(from.At(san.Task(t)))
	}
	for t := range s.at {
		s.updateLength(san.Task(t))
	}
	var current []san.Action
	for {
		t, ok := s.longestOf(current)
		if !ok {
			if t, ok = s.longest(); !ok {
				return s.done
			}
		}
		s.takeTurn(t)
		current = l.net.Sides(s.done[len(s.done)-1])
	}
}

// scheduler builds a schedule.
type scheduler struct {
	l    *Lattice
	to   Ideal
	at   []int32 // number of events that have happened, by task
	done []san.Action

	length []int // by task: how many actions it can take without other tasks
	// by event: the tasks that can run longer once it has happened
	waiting  map[san.Action][]san.Task
	runnable turns // the tasks that can run; a turn is outdated if it has not its task's length
}

// turn is a task that can take some actions.
type turn struct {
	task   san.Task
	length int
}

// turns is a heap: the longest turn first, then the lowest task.
type turns []turn

func (ts turns) Len() int { return len(ts) }
func (ts turns) Less(i, j int) bool {
	if ts[i].length != ts[j].length {
		return ts[i].length > ts[j].length
	}
	return ts[i].task < ts[j].task
}
func (ts turns) Swap(i, j int) { ts[i], ts[j] = ts[j], ts[i] }
func (ts *turns) Push(x any)   { *ts = append(*ts, x.(turn)) }
func (ts *turns) Pop() any {
	last := (*ts)[len(*ts)-1]
	*ts = (*ts)[:len(*ts)-1]
	return last
}

// longestOf returns the task among an action's sides that can run longest; false if none can.
func (s *scheduler) longestOf(sides []san.Action) (best san.Task, ok bool) {
	for _, side := range sides {
		if n := s.length[side.Task]; n > 0 && (!ok || n > s.length[best]) {
			best, ok = side.Task, true
		}
	}
	return best, ok
}

// longest returns the task that can run longest; false if none can.
func (s *scheduler) longest() (san.Task, bool) {
	for len(s.runnable) > 0 {
		if first := s.runnable[0]; s.length[first.task] == first.length {
			return first.task, true
		}
		heap.Pop(&s.runnable)
	}
	return 0, false
}

// updateLength computes how long the task can run.
func (s *scheduler) updateLength(t san.Task) {
	before := len(s.done)
	awaited, waits := s.run(t)
	s.length[t] = len(s.done) - before
	s.undo(before)
	if waits {
		s.waiting[awaited] = append(s.waiting[awaited], t)
	}
	if s.length[t] > 0 {
		heap.Push(&s.runnable, turn{t, s.length[t]})
	}
}

// takeTurn runs the task, and updates the tasks that can run longer because of it.
func (s *scheduler) takeTurn(t san.Task) {
	before := len(s.done)
	s.run(t)
	changed := map[san.Task]bool{t: true}
	for _, a := range s.done[before:] {
		for _, side := range s.l.net.Sides(a) {
			changed[side.Task] = true
			for _, u := range s.waiting[side] {
				changed[u] = true
			}
			delete(s.waiting, side)
		}
	}
	for u := range changed {
		s.updateLength(u)
	}
}

// run runs the task as far as possible; waits reports that it could continue if another event had
// happened.
func (s *scheduler) run(t san.Task) (awaited san.Action, waits bool) {
	for int(s.at[t]) < s.to.At(t) {
		a := san.Action{Task: t, K: s.at[t] + 1}
		if awaited, waits = s.awaits(a); waits {
			return awaited, true
		}
		s.move(a, 1)
		s.done = append(s.done, s.l.net.Canonical(a))
	}
	return san.Action{}, false
}

// awaits returns an event that must happen before the action, which is next in its task; false if
// there is none.
func (s *scheduler) awaits(a san.Action) (san.Action, bool) {
	for _, side := range s.l.net.Sides(a) {
		if s.at[side.Task] < side.K-1 {
			return san.Action{Task: side.Task, K: side.K - 1}, true
		}
		if spawn, ok := s.l.net.SpawnedBy(side.Task); ok && s.at[spawn.Task] < spawn.K {
			return spawn, true
		}
		for _, c := range s.l.net.Causes(side) {
			if s.at[c.Task] < c.K {
				return c, true
			}
		}
	}
	return san.Action{}, false
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
	for _, side := range s.l.net.Sides(a) {
		s.at[side.Task] += by
	}
}
