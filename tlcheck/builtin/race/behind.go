package race

import (
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Races behind races. Nothing orders two accesses, so they race. But a goroutine may reach its
// access only because of a value that another race let it read, such as data that is published with
// a plain flag. In an order that brings both accesses together, that read may see another value,
// and the program may go another way. It is still a race, but the run does not show an order that
// leads there.

// racingAccess is the first access of a task that takes part in a race and reads, or decides what
// others read.
type racingAccess struct {
	moment int32 // operations that the task had done before
	race   int   // index in race.found
}

// way has the operations that lead to the two accesses of a race.
type way struct {
	points [2]reorder.Point
	kept   bool         // there is an order in which each read sees what it saw in the run
	done   *clock.Clock // the operations that have to come before them; if not kept, what the points know
}

// pointsOf returns the moments of the accesses of a conflict.
func pointsOf(o *op.Op) [2]reorder.Point {
	return [2]reorder.Point{
		{Task: o.Task, Done: o.Moment, Data: o.Data}, {Task: o.Other, Done: o.OtherMoment, Data: o.OtherData},
	}
}

// wayTo returns the way to the accesses of a conflict, nil if nothing is known about reads.
func (r *detector) wayTo(o *op.Op) *way {
	if o.Data == nil && o.Free != nil || r.sectioned.history == nil {
		return nil
	}
	w := &way{points: pointsOf(o)}
	if p := r.sectioned.prefixOf(w.points[:]); p != nil {
		w.done, w.kept = p.Operations(), true
	} else {
		w.done = clock.Join(o.Data, o.OtherData)
	}
	return w
}

// noteRacing notes the accesses of a race after which reads may see other values.
func (r *detector) noteRacing(o *op.Op, index int) {
	if r.racing == nil {
		r.racing = map[op.Task]racingAccess{}
	}
	reorder.OpenReads(o, func(t op.Task, moment int32) {
		if first, ok := r.racing[t]; !ok && len(r.racing) < maxRacing || ok && moment < first.moment {
			r.racing[t] = racingAccess{moment, index}
		}
	})
}

// maxRacing bounds the tasks whose first racing access is known.
const maxRacing = 1 << 12

// decidingRace returns the first known race that decides what is read on the way to the race with
// that index, -1 if there is none.
func (r *detector) decidingRace(index int) int {
	w := r.ways[index]
	if w == nil {
		return -1
	}
	first := -1
	for t, a := range r.racing {
		if a.race != index && w.isOnWay(t, a, index) && (first < 0 || a.race < first) {
			first = a.race
		}
	}
	return first
}

// isLost reports whether another race may decide what is read on the way to the race with that
// index, but the operations that have to come before are not known.
func (r *detector) isLost(index int) bool {
	w := r.ways[index]
	if w == nil || w.kept {
		return false
	}
	for _, a := range r.racing {
		if a.race != index {
			return true
		}
	}
	return false
}

// isOnWay reports whether a racing access is on the way to the race with that index. One at the
// moment of a point is on the way if it was found before.
func (w *way) isOnWay(t op.Task, a racingAccess, index int) bool {
	for i := range w.points {
		if w.points[i].Task == t {
			return a.moment < w.points[i].Done || a.moment == w.points[i].Done && a.race < index
		}
	}
	if w.kept {
		return a.moment < w.done.At(int32(t))
	}
	return a.moment <= w.done.At(int32(t))
}
