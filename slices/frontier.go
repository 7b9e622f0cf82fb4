package slices

import (
	"sort"

	"github.com/antichain-go/antichain/san"
)

// effect says that an action comes directly after event k of a task, by cause or spawn.
type effect struct {
	k    int32
	next san.Action
}

// findSeconds collects the sides of joint actions that do not give them their names.
func (l *Lattice) findSeconds() {
	n := l.net
	l.seconds = make([][]int32, n.Tasks())
	for u := range san.Task(n.Tasks()) {
		for k := range int32(n.Len(u)) {
			if b := (san.Action{Task: u, K: k + 1}); n.Canonical(b) != b {
				l.seconds[u] = append(l.seconds[u], b.K)
			}
		}
	}
}

// findEffects collects what leads from an event to others; the net knows only the other way
// round.
func (l *Lattice) findEffects() [][]effect {
	n := l.net
	effects := make([][]effect, n.Tasks())
	note := func(a, next san.Action) {
		effects[a.Task] = append(effects[a.Task], effect{a.K, next})
	}
	for u := range san.Task(n.Tasks()) {
		if a, ok := n.SpawnedBy(u); ok && n.Len(u) > 0 {
			note(a, san.Action{Task: u, K: 1})
		}
		for k := range int32(n.Len(u)) {
			b := san.Action{Task: u, K: k + 1}
			for _, a := range n.Causes(b) {
				if a.Task != u {
					note(a, b)
				}
			}
		}
	}
	for _, es := range effects {
		sort.Slice(es, func(i, j int) bool { return es[i].k < es[j].k })
	}
	return effects
}

// effectsOf returns the effects of an event.
func (l *Lattice) effectsOf(a san.Action) []effect {
	es := l.effects()[a.Task]
	from := sort.Search(len(es), func(i int) bool { return es[i].k >= a.K })
	to := from
	for to < len(es) && es[to].k == a.K {
		to++
	}
	return es[from:to]
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
		s := l.seconds[t]
		c.size -= sort.Search(len(s), func(j int) bool { return s[j] > n })
	}
	return c
}

// Maximal returns max(i), the maximal actions of i, by canonical name: those that can be undone.
// They must not be changed.
func (l *Lattice) Maximal(i Ideal) []san.Action {
	if i.known == nil {
		return nil
	}
	if maximal := i.known.maximal.Load(); maximal != nil {
		return *maximal
	}
	var maximal []san.Action
	for t, c := range i.all().at {
		if a := (san.Action{Task: san.Task(t), K: c}); c > 0 && l.isMaximal(i, a) {
			maximal = append(maximal, a)
		}
	}
	i.known.maximal.Store(&maximal)
	return maximal
}

// isMaximal reports whether nothing in i follows its last event of some task, and
// whether that is the canonical name of the action.
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
	if i.known != nil {
		if next := i.known.next.Load(); next != nil {
			return *next
		}
	}
	enabled := l.EnabledAt(i.At, nil)
	if i.known != nil {
		i.known.next.Store(&enabled)
	}
	return enabled
}

// EnabledAt is Enabled for a slice that is known by the number of each task's events in it. It appends to dst.
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

// isEnabled reports whether a is next in all its tasks and what it waits for has happened, at being
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
