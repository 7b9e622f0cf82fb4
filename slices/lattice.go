package slices

import (
	stdslices "slices"
	"sync"

	"github.com/antichain-go/antichain/san"
)

// Lattice is the lattice of the slices of one net. It is safe for concurrent use.
type Lattice struct {
	net            *san.Net
	top            Ideal
	joint          bool            // some action is joint
	secondarySides *secondarySides // up to date if some action is joint
	effects        *effects        // up to date after findEffects

	findEffects sync.Once

	// isSmall says that the tasks are so few that comparing all counts is faster than asking the
	// net about single actions.
	isSmall bool

	// maximal number of an ideal's actions that are counted one by one; see Ideal.Size
	walkLimit int

	down, outside idealCache
}

const fewTasks = 48

// cacheLimit bounds the counters that a cache holds (4 bytes each).
const cacheLimit = 1 << 24

// idealCache has an ideal for each action.
type idealCache struct {
	mu     sync.RWMutex
	ideals map[san.Action]Ideal
	size   int
}

func (c *idealCache) get(a san.Action, compute func() Ideal) Ideal {
	c.mu.RLock()
	i, ok := c.ideals[a]
	c.mu.RUnlock()
	if ok {
		return i
	}
	i = compute()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ideals == nil || c.size > cacheLimit {
		c.ideals, c.size = make(map[san.Action]Ideal), 0
	}
	c.ideals[a] = i
	c.size += i.reps.l.net.Tasks() + 16
	return i
}

// NewLattice returns the lattice of the net's slices.
func NewLattice(net *san.Net) *Lattice { return newLattice(net, net.Tasks() <= fewTasks) }

// Grown returns the lattice of the net, which has grown since l was made (san.Builder.Net). It
// takes time linear in the tasks and in the new events. NewLattice, with the work that it defers,
// takes time linear in all events. l must not be used afterwards.
func (l *Lattice) Grown() *Lattice {
	return growLattice(l.net, l.net.Tasks() <= fewTasks, l.secondarySides, l.effects)
}

func newLattice(net *san.Net, few bool) *Lattice {
	return growLattice(net, few, new(secondarySides), new(effects))
}

func growLattice(net *san.Net, few bool, s *secondarySides, e *effects) *Lattice {
	l := &Lattice{net: net, isSmall: few, walkLimit: walkLimit(net.Tasks()), joint: net.Actions() < net.Events(),
		secondarySides: s,
		effects:        e}
	if l.joint {
		l.secondarySides.extend(net)
	}
	l.top = l.lacking([]san.Action{}) // callers that look at local states alone need no effects
	return l
}

// Net returns the net.
func (l *Lattice) Net() *san.Net { return l.net }

// Bottom returns the initial slice.
func (l *Lattice) Bottom() Ideal { return Ideal{} }

// Top returns the last slice, which has all actions.
func (l *Lattice) Top() Ideal { return l.top }

// Ideal returns the ideal with these numbers of events by task; false if that set is not causally
// closed or not within the net.
func (l *Lattice) Ideal(counts []int) (Ideal, bool) {
	if len(counts) != l.net.Tasks() {
		return Ideal{}, false
	}
	own := make([]int32, len(counts))
	for t, c := range counts {
		if c < 0 || c > l.net.Len(san.Task(t)) {
			return Ideal{}, false
		}
		own[t] = int32(c)
	}
	for t, c := range own {
		if c > 0 && !within(l.Down(san.Action{Task: san.Task(t), K: c}), own) {
			return Ideal{}, false
		}
	}
	return l.counted(own), true
}

// within reports whether i has at most these numbers of events, which need not be an ideal.
func within(i Ideal, at []int32) bool { return atMost(i.all().at, at) }

// Down returns ↓a, the action and all that precede it.
func (l *Lattice) Down(a san.Action) Ideal {
	return l.down.get(a, func() Ideal { return l.generated([]san.Action{l.net.Canonical(a)}) })
}

// NotAbove returns ALL \ ↑a, all actions except a and those that follow it. It is the greatest
// slice without a.
func (l *Lattice) NotAbove(a san.Action) Ideal {
	return l.outside.get(a, func() Ideal { return l.lacking([]san.Action{l.net.Canonical(a)}) })
}

// without returns i \ ↑a.
func (l *Lattice) without(i Ideal, a san.Action) Ideal { return i.Meet(l.NotAbove(a)) }

// Intersection returns the intersection of the ideals, in time linear in their number and the
// tasks. It is empty if there are no ideals.
func (l *Lattice) Intersection(ideals []Ideal) Ideal {
	if len(ideals) == 0 || ideals[0].reps == nil {
		return Ideal{}
	}
	at := stdslices.Clone(ideals[0].all().at)
	for _, ideal := range ideals[1:] {
		if ideal.reps == nil {
			return Ideal{}
		}
		lowerTo(at, ideal.all().at)
	}
	return l.counted(at)
}

// lowerTo lowers counts to those of another slice. Few counts change when many slices are
// intersected, so a branch is faster than min.
func lowerTo(at, to []int32) {
	at = at[:len(to)]
	for t, c := range to {
		if c < at[t] {
			at[t] = c
		}
	}
}

// Union returns the union of the ideals, in time linear in their number and the tasks.
func (l *Lattice) Union(ideals []Ideal) Ideal {
	at := make([]int32, l.net.Tasks())
	for _, ideal := range ideals {
		if ideal.reps == nil {
			continue
		}
		for t, c := range ideal.all().at {
			at[t] = max(at[t], c)
		}
	}
	return l.counted(at)
}

// Created reports whether t is created in slice i: it is initial or its spawn is in i.
func (l *Lattice) Created(i Ideal, t san.Task) bool {
	a, ok := l.net.SpawnedBy(t)
	return !ok || i.Has(a)
}

// Containing returns the slices that contain one of the local states (t,from) … (t,to).
func (l *Lattice) Containing(t san.Task, from, to int) Interval {
	iv := Interval{Hi: l.top}
	if from > 0 {
		iv.Lo = l.Down(san.Action{Task: t, K: int32(from)})
	} else if a, ok := l.net.SpawnedBy(t); ok {
		iv.Lo = l.Down(a)
	}
	if to < l.net.Len(t) {
		iv.Hi = l.NotAbove(san.Action{Task: t, K: int32(to + 1)})
	}
	return iv
}

// Uncreated returns the slices in which t is not created.
func (l *Lattice) Uncreated(t san.Task) Set {
	a, ok := l.net.SpawnedBy(t)
	if !ok {
		return l.None()
	}
	return l.Set(Interval{Hi: l.NotAbove(a)})
}

// All returns the set of all slices.
func (l *Lattice) All() Set { return l.Set(Interval{Hi: l.top}) }

// None returns the empty set.
func (l *Lattice) None() Set { return Set{l: l} }

// Set returns the union of the intervals.
func (l *Lattice) Set(ivs ...Interval) Set {
	var u union
	for _, iv := range ivs {
		u.add(iv)
	}
	return Set{l, u}
}

// SetOfDisjoint returns the union of nonempty intervals that share no slice. It checks no
// inclusions, which makes it linear where Set is quadratic.
func (l *Lattice) SetOfDisjoint(ivs []Interval) Set { return Set{l, ivs} }
