package slices

import (
	"cmp"
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/san"
)

// effect is an action that comes directly after event k of a task, by cause or spawn.
type effect struct {
	k    int32
	next san.Action
}

// secondarySides records which events are sides of a joint action that is named by another task.
// Like effects it covers the first done events of each task, and can be extended as the net grows.
type secondarySides struct {
	done []int32
	of   [][]int32 // by task, ascending
}

func (s *secondarySides) extend(n *san.Net) {
	s.done, s.of = extendTo(n.Tasks(), s.done), extendTo(n.Tasks(), s.of)
	for u := range san.Task(n.Tasks()) {
		for k := s.done[u] + 1; int(k) <= n.Len(u); k++ {
			if b := (san.Action{Task: u, K: k}); n.Canonical(b) != b {
				s.of[u] = append(s.of[u], k)
			}
		}
		s.done[u] = int32(n.Len(u))
	}
}

// effects maps each event to those directly after it. The net records only the opposite direction.
type effects struct {
	done []int32
	of   [][]effect // by task, in order of k
}

func (e *effects) extend(n *san.Net) {
	e.done, e.of = extendTo(n.Tasks(), e.done), extendTo(n.Tasks(), e.of)
	known := make([]int, len(e.of))
	for t, of := range e.of {
		known[t] = len(of)
	}
	note := func(a, next san.Action) { e.of[a.Task] = append(e.of[a.Task], effect{a.K, next}) }
	for u := range san.Task(n.Tasks()) {
		if a, ok := n.SpawnedBy(u); ok && e.done[u] == 0 && n.Len(u) > 0 {
			note(a, san.Action{Task: u, K: 1})
		}
		for k := e.done[u] + 1; int(k) <= n.Len(u); k++ {
			b := san.Action{Task: u, K: k}
			for _, a := range n.Causes(b) {
				if a.Task != u {
					note(a, b)
				}
			}
		}
		e.done[u] = int32(n.Len(u))
	}
	for t, of := range e.of {
		merge(of, known[t])
	}
}

// merge sorts effects by k; the first known ones are sorted already. It takes time linear in the
// others and in those that they move.
func merge(of []effect, known int) {
	fresh := stdslices.Clone(of[known:])
	stdslices.SortFunc(fresh, func(a, b effect) int { return cmp.Compare(a.k, b.k) })
	for to, j := len(of)-1, len(fresh)-1; j >= 0; to-- {
		if known > 0 && of[known-1].k > fresh[j].k {
			known--
			of[to] = of[known]
		} else {
			of[to] = fresh[j]
			j--
		}
	}
}

// extendTo extends a slice with zero values to length n.
func extendTo[T any](n int, s []T) []T { return append(s, make([]T, max(0, n-len(s)))...) }

// effectsOf returns the effects of an event.
func (l *Lattice) effectsOf(a san.Action) []effect {
	l.findEffects.Do(func() { l.effects.extend(l.net) })
	es := l.effects.of[a.Task]
	from := sort.Search(len(es), func(i int) bool { return es[i].k >= a.K })
	to := from
	for to < len(es) && es[to].k == a.K {
		to++
	}
	return es[from:to]
}

// appendAfter appends the events that come directly after an event.
func (l *Lattice) appendAfter(a san.Action, to []san.Action) []san.Action {
	if int(a.K) < l.net.Len(a.Task) {
		to = append(to, san.Action{Task: a.Task, K: a.K + 1})
	}
	for _, e := range l.effectsOf(a) {
		to = append(to, e.next)
	}
	return to
}

// appendBefore appends the events that come directly before an event.
func (l *Lattice) appendBefore(a san.Action, to []san.Action) []san.Action {
	if a.K > 1 {
		to = append(to, san.Action{Task: a.Task, K: a.K - 1})
	} else if spawn, ok := l.net.SpawnedBy(a.Task); ok {
		to = append(to, spawn)
	}
	return append(to, l.net.Causes(a)...)
}

// count completes the numbers of events of an ideal.
func (l *Lattice) count(at []int32) *counts {
	c := &counts{at: at}
	for _, n := range at {
		c.events += int(n)
	}
	c.size = c.events
	if !l.joint {
		return c
	}
	for t, n := range at {
		s := l.secondarySides.of[t]
		c.size -= sort.Search(len(s), func(j int) bool { return s[j] > n })
	}
	return c
}

// Maximal returns max(i), the maximal actions of i, by canonical name. They must not be changed.
func (l *Lattice) Maximal(i Ideal) []san.Action {
	if i.reps == nil {
		return nil
	}
	if maximal := i.reps.maximal.Load(); maximal != nil {
		return *maximal
	}
	var maximal []san.Action
	for t, c := range i.all().at {
		if a := (san.Action{Task: san.Task(t), K: c}); c > 0 && l.isMaximal(i, a) {
			maximal = append(maximal, a)
		}
	}
	i.reps.maximal.Store(&maximal)
	return maximal
}

// isMaximal reports whether a is the canonical name of an action that no action in i follows.
func (l *Lattice) isMaximal(i Ideal, a san.Action) bool {
	sides := l.net.Joint(a)
	if sides == nil {
		return !l.hasEffect(i, a)
	}
	if sides[0] != a {
		return false
	}
	for _, s := range sides {
		if i.At(s.Task) != int(s.K) || l.hasEffect(i, s) {
			return false
		}
	}
	return true
}

func (l *Lattice) hasEffect(i Ideal, a san.Action) bool {
	for _, e := range l.effectsOf(a) {
		if i.Has(e.next) {
			return true
		}
	}
	return false
}

// Enabled returns min(ALL \ i), the actions that lead to the successors of i, by canonical name.
// They must not be changed.
func (l *Lattice) Enabled(i Ideal) []san.Action {
	if i.reps != nil {
		if next := i.reps.next.Load(); next != nil {
			return *next
		}
	}
	enabled := l.EnabledAt(i.At, nil)
	if i.reps != nil {
		i.reps.next.Store(&enabled)
	}
	return enabled
}

// EnabledAt is Enabled for a slice given by the number of each task's events in it. It appends to
// dst.
func (l *Lattice) EnabledAt(at func(san.Task) int, dst []san.Action) []san.Action {
	for t := range san.Task(l.net.Tasks()) {
		n := at(t)
		if n == l.net.Len(t) {
			continue
		}
		if a := (san.Action{Task: t, K: int32(n + 1)}); l.isEnabled(at, a) && l.net.Canonical(a) == a {
			dst = append(dst, a)
		}
	}
	return dst
}

// isEnabled reports whether a is next in all its tasks and all its causes have happened; at returns
// the number of events of each task that have.
func (l *Lattice) isEnabled(at func(san.Task) int, a san.Action) bool {
	sides := l.net.Joint(a)
	if sides == nil {
		return l.isSideEnabled(at, a)
	}
	for _, s := range sides {
		if !l.isSideEnabled(at, s) {
			return false
		}
	}
	return true
}

func (l *Lattice) isSideEnabled(at func(san.Task) int, a san.Action) bool {
	if at(a.Task) != int(a.K)-1 {
		return false
	}
	if s, ok := l.net.SpawnedBy(a.Task); ok && at(s.Task) < int(s.K) {
		return false
	}
	for _, c := range l.net.Causes(a) {
		if at(c.Task) < int(c.K) {
			return false
		}
	}
	return true
}

// Fire returns the successor i ∪ {a}; a must be enabled in i.
func (l *Lattice) Fire(i Ideal, a san.Action) Ideal { return i.Join(l.Down(a)) }
