package slices

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// The bounds of intervals mostly derive from single actions: ↓a, and ALL \ ↑a. Counting such an
// ideal by task takes time and memory linear in the tasks. But among thousands of tasks mostly few
// have an event that precedes a, or one that follows it. Ideal.Size counts these actions one by one
// and keeps only their number.

// walkLimit returns the maximal number of actions that are counted one by one in a net with so many
// tasks: 0 if that is not worth trying.
func walkLimit(tasks int) int {
	if tasks < 1024 {
		return 0
	}
	return tasks / 64
}

// Size returns the number of actions in the ideal, which is its rank in the lattice.
func (i Ideal) Size() int {
	if i.reps == nil {
		return 0
	}
	if c := i.reps.counts.Load(); c != nil {
		return c.size
	}
	if n := i.reps.size.Load(); n > 0 {
		return int(n - 1)
	}
	n, ok := i.walkedSize()
	if !ok {
		return i.all().size
	}
	i.reps.size.Store(int64(n) + 1)
	return n
}

// walkedSize counts the actions of an ideal, or those that it lacks, one by one; false if they are
// too many.
func (i Ideal) walkedSize() (int, bool) {
	l := i.reps.l
	if l.walkLimit == 0 {
		return 0, false
	}
	if maximal, ok := i.generators(); ok {
		return l.walk(maximal, l.appendBefore)
	}
	if next, ok := i.exclusions(); ok {
		lacks, ok := l.walk(next, l.appendAfter)
		return l.top.all().size - lacks, ok
	}
	return 0, false
}

// walk returns the number of actions that are reachable in steps from some, including these; false
// if they are too many.
func (l *Lattice) walk(from []san.Action, step func(san.Action, []san.Action) []san.Action) (int, bool) {
	seen := make(map[san.Action]bool)
	for todo := stdslices.Clone(from); len(todo) > 0; {
		a := l.net.Canonical(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if seen[a] {
			continue
		}
		if seen[a] = true; len(seen) > l.walkLimit {
			return 0, false
		}
		for _, side := range l.net.Sides(a) {
			todo = step(side, todo)
		}
	}
	return len(seen), true
}
