package race

import (
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Races behind races. Nothing orders two accesses, so they race; but a goroutine may come to its
// access only since it has read what another race let it read: data that is published with a plain
// flag. The order in which the two accesses come at once then lets that read see something else,
// and the program may do something else. Such a race is no less one, but its order is not what the
// run shows.

// racingAccess is the first access of a task that takes part in a race and reads, or decides what
// others read.
type racingAccess struct {
	moment int32 // operations that the task had done before
	race   int   // index in race.found
}

// way is what leads to the two accesses of a race.
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

// wayTo returns the way to the accesses of a conflict. It returns nil if nothing is known of what
// reads see.
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

// noteRacing remembers the accesses of a race behind which others may see something else.
func (r *detector) noteRacing(o *op.Op, index int) {
	if r.racing == nil {
		r.racing = map[op.Task]racingAccess{}
	}
	note := func(t op.Task, moment int32) {
		if first, ok := r.racing[t]; !ok && len(r.racing) < maxRacing || ok && moment < first.moment {
			r.racing[t] = racingAccess{moment, index}
		}
	}
	reads := func(k op.Kind) bool { return k == op.Read || k == op.AtomicLoad }
	if reads(o.Want) || !reads(o.OtherWant) {
		note(o.Task, o.Moment)
	}
	if reads(o.OtherWant) || !reads(o.Want) {
		note(o.Other, o.OtherMoment)
	}
}

// maxRacing bounds the tasks whose first racing access is known.
const maxRacing = 1 << 12

// behind returns the race that decides what is read on the way to the race with that index, by all
// that is known so far; -1 if there is none. Of several it is the one that was found first.
func (r *detector) behind(index int) int {
	w := r.ways[index]
	if w == nil {
		return -1
	}
	first := -1
	for t, a := range r.racing {
		if a.race != index && w.has(t, a, index) && (first < 0 || a.race < first) {
			first = a.race
		}
	}
	return first
}

// isLost reports whether some race may decide what is read on the way to the race with that index,
// but it is not known which operations have to come before. Where no other race is known, each read
// sees what it saw in the run.
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

// has reports whether a racing access is on the way to the race with that index. At the moment of a
// point it is if it was found before.
func (w *way) has(t op.Task, a racingAccess, index int) bool {
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
