package slices

import (
	"container/heap"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// A path is a sequence of slices, each an immediate successor of the one before. Paths through a
// set rest on two facts. Within an interval, with bounds on ranks or without, a path leads from
// each slice to each one above it. A path that returns to an interval need not have left it, so it
// visits each interval once.

// ExistsUntil returns the slices of goal, and those from which a path leads to goal through slices
// of s. In CTL this is E[s U goal] (Clarke and Emerson 1981).
//
// The slices of [a,b] from which a path leads to h are [a,h]. So the result within an interval of s
// is described by its upper ends. From there paths are extended downward into intervals that have
// some of these slices or their immediate predecessors.
func (s Set) ExistsUntil(b Budget, goal Set) (Set, error) {
	all := Set{goal.l, append(union(nil), goal.ivs...)}
	if s.IsEmpty() {
		return all, nil
	}
	found := make([]union, len(s.ivs)) // by interval of s
	// greatest ranks first
	todo := &queue{before: func(a, b Interval) bool { return a.Highest() > b.Highest() }}
	for _, iv := range goal.ivs {
		heap.Push(todo, &stretch{iv: iv})
	}
	for todo.Len() > 0 {
		near := s.l.nearBelow(heap.Pop(todo).(*stretch).iv)
		for n, in := range s.ivs {
			if err := b.Allow(len(all.ivs) + todo.Len()); err != nil {
				return Set{}, err
			}
			for _, iv := range near {
				hit, ok := in.Meet(iv)
				if !ok {
					continue
				}
				err := s.l.downFrom(b, hit, in, func(down Interval) {
					if found[n].tryAdd(down) {
						all.ivs.add(down)
						heap.Push(todo, &stretch{iv: down})
					}
				})
				if err != nil {
					return Set{}, err
				}
			}
		}
	}
	return all, nil
}

// nearBelow returns intervals with the slices of iv and their immediate predecessors.
func (l *Lattice) nearBelow(iv Interval) []Interval {
	var near []Interval
	keepIf(func(iv Interval) {
		near = append(near, iv)
	})(Interval{Lo: iv.Lo, Hi: iv.Hi, to: iv.to}.within(max(iv.from-1, 0), 0))
	l.undone(iv, func(iv Interval) { near = append(near, iv) })
	return near
}

// downFrom keeps the slices of in that are in hit or below it; hit is a part of in.
func (l *Lattice) downFrom(b Budget, hit, in Interval, keep func(Interval)) error {
	down := Interval{Lo: in.Lo, Hi: hit.Hi, from: in.from, to: hit.to}
	if hit.to == 0 || hit.Lo.Leq(in.Lo) {
		keepIf(keep)(down.within(0, 0))
		return nil
	}
	tops, err := l.tops(b, hit)
	for _, h := range tops {
		keepIf(keep)(Interval{Lo: in.Lo, Hi: h, from: in.from}.within(0, 0))
	}
	return err
}

// ShortestPath returns the actions of a shortest path from a slice to one of goal through slices of
// s; false if there is no such path. The path has no actions if the slice is in goal.
func (s Set) ShortestPath(b Budget, from Ideal, goal Set) ([]san.Action, bool, error) {
	if goal.Contains(from) {
		return nil, true, nil
	}
	var to Ideal
	var last *stretch // contains to, or a predecessor of it
	a, err := s.ascend(b, from)
	for err == nil && a.todo.Len() > 0 && (last == nil || a.todo.first().Lowest() < to.Size()) {
		var at *stretch
		var near []Interval
		at, near, err = a.next()
		for _, g := range goal.ivs {
			for _, iv := range near {
				if hit, ok := g.Meet(iv); ok && (last == nil || hit.Lowest() < to.Size()) {
					to, last = s.l.least(hit), at
				}
			}
		}
	}
	if last == nil || err != nil {
		return nil, false, err
	}
	return last.pathTo(s.l, to), true, nil
}

// ReachedFrom returns the slices on paths from a slice through slices of s: those in s, and the
// first slice of each path that is not.
func (s Set) ReachedFrom(b Budget, from Ideal) (Set, error) {
	all := s.l.Set(Interval{Lo: from, Hi: from})
	a, err := s.ascend(b, from)
	for err == nil && a.todo.Len() > 0 {
		var near []Interval
		_, near, err = a.next()
		for _, iv := range near {
			all.ivs.add(iv)
		}
	}
	return all, err
}

// ascent finds the slices that paths from a slice reach in the intervals of a set, in order of
// rank. It is the dual of ExistsUntil: the slices reached in [a,b] are described by lower ends.
type ascent struct {
	budget Budget
	set    Set
	found  []union // by interval of the set
	todo   *queue
}

// stretch is a part of an interval all of whose slices are reached.
type stretch struct {
	iv  Interval
	hit Interval // where paths enter it: every slice is at or above one in hit
	// the stretch from which hit is reached by at most one action; nil if the path begins here
	previous *stretch
}

func (s Set) ascend(b Budget, from Ideal) (*ascent, error) {
	a := &ascent{b, s, make([]union, len(s.ivs)),
		&queue{before: func(a, b Interval) bool { return a.Lowest() < b.Lowest() }}}
	for n, in := range s.ivs {
		if in.Contains(from) {
			if err := a.add(n, Interval{Lo: from, Hi: from}, nil); err != nil {
				return nil, err
			}
		}
	}
	return a, nil
}

// add adds the slices of an interval that are reached from a part of it.
func (a *ascent) add(n int, hit Interval, behind *stretch) error {
	return a.set.l.upFrom(a.budget, hit, a.set.ivs[n], func(up, hit Interval) {
		if a.found[n].tryAdd(up) {
			heap.Push(a.todo, &stretch{up, hit, behind})
		}
	})
}

// next extends the paths of the first stretch. It returns intervals with its slices and their
// successors.
func (a *ascent) next() (*stretch, []Interval, error) {
	at := heap.Pop(a.todo).(*stretch)
	near := a.set.l.nearAbove(at.iv)
	for n, in := range a.set.ivs {
		if err := a.budget.Allow(a.todo.Len()); err != nil {
			return nil, nil, err
		}
		for _, iv := range near {
			hit, ok := in.Meet(iv)
			if !ok {
				continue
			}
			if err := a.add(n, hit, at); err != nil {
				return nil, nil, err
			}
		}
	}
	return at, near, nil
}

// nearAbove returns intervals with the slices of iv and their immediate successors.
func (l *Lattice) nearAbove(iv Interval) []Interval {
	var near []Interval
	keep := keepIf(func(iv Interval) { near = append(near, iv) })
	to := 0
	if iv.to > 0 {
		to = iv.to + 1
	}
	keep(Interval{Lo: iv.Lo, Hi: iv.Hi, from: iv.from, to: to}.within(0, 0))
	for _, e := range l.Enabled(iv.Hi) {
		upper := Interval{Lo: l.Fire(iv.Lo, e), Hi: l.Fire(iv.Hi, e), to: to}
		keep(upper.within(iv.Lowest()+1, 0))
	}
	return near
}

// upFrom keeps the slices of in that are in hit or above it, with the parts of hit below them; hit
// is a part of in.
func (l *Lattice) upFrom(b Budget, hit, in Interval, keep func(up, hit Interval)) error {
	up := Interval{Lo: hit.Lo, Hi: in.Hi, from: hit.from, to: in.to}
	if hit.from == 0 || in.Hi.Leq(hit.Hi) {
		up, _ = up.within(0, 0)
		keep(up, hit)
		return nil
	}
	bottoms, err := l.bottoms(b, hit)
	for _, i := range bottoms {
		up, _ := Interval{Lo: i, Hi: in.Hi, to: in.to}.within(0, 0)
		keep(up, Interval{Lo: i, Hi: i})
	}
	return err
}

// pathTo returns the actions of a path to a slice that is in the stretch or one action above it.
func (at *stretch) pathTo(l *Lattice, to Ideal) []san.Action {
	var back [][]san.Action // the parts of the path, the last one first
	for ; at != nil; at = at.previous {
		if !at.iv.Contains(to) {
			e := l.lastAction(at.iv, to)
			back = append(back, []san.Action{e})
			to = l.without(to, e)
		}
		enter, _ := at.hit.below(to)
		from := l.least(enter)
		back = append(back, l.Schedule(from, to))
		to = from
	}
	stdslices.Reverse(back)
	return stdslices.Concat(back...)
}

// lastAction returns an action that leads from some slice in iv to to. There must be one.
func (l *Lattice) lastAction(iv Interval, to Ideal) san.Action {
	for _, e := range l.Maximal(to) {
		if iv.Contains(l.without(to, e)) {
			return e
		}
	}
	panic("slices: no action leads to " + to.String())
}

// queue is a heap of stretches.
type queue struct {
	stretches []*stretch
	before    func(a, b Interval) bool
}

func (q *queue) first() Interval    { return q.stretches[0].iv }
func (q *queue) Len() int           { return len(q.stretches) }
func (q *queue) Less(i, j int) bool { return q.before(q.stretches[i].iv, q.stretches[j].iv) }
func (q *queue) Swap(i, j int)      { q.stretches[i], q.stretches[j] = q.stretches[j], q.stretches[i] }
func (q *queue) Push(x any)         { q.stretches = append(q.stretches, x.(*stretch)) }
func (q *queue) Pop() any {
	last := q.stretches[len(q.stretches)-1]
	q.stretches = q.stretches[:len(q.stretches)-1]
	return last
}
