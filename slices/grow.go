package slices

import "github.com/antichain-go/antichain/san"

// Growth is an ideal that grows, or shrinks, action by action, in time linear in the difference.
// Each join or meet of ideals takes time linear in the tasks instead.
type Growth struct {
	l    *Lattice
	at   []int32
	todo []san.Action
}

// Grow returns a Growth that begins with i.
func (l *Lattice) Grow(i Ideal) *Growth {
	g := &Growth{l: l, at: make([]int32, l.net.Tasks())}
	if i.reps != nil {
		copy(g.at, i.all().at)
	}
	return g
}

// At returns the number of t's events in the ideal.
func (g *Growth) At(t san.Task) int { return int(g.at[t]) }

// Has reports whether the action is in the ideal.
func (g *Growth) Has(a san.Action) bool { return g.at[a.Task] >= a.K }

// Ideal returns the ideal; the growth must not be used afterwards.
func (g *Growth) Ideal() Ideal { return g.l.counted(g.at) }

// Add adds the action and all that precede it, and calls changed with each event that is new.
func (g *Growth) Add(a san.Action, changed func(san.Action)) {
	net := g.l.net
	for g.todo = append(g.todo, a); len(g.todo) > 0; {
		a := g.todo[len(g.todo)-1]
		g.todo = g.todo[:len(g.todo)-1]
		for k := g.at[a.Task] + 1; k <= a.K; k++ {
			x := san.Action{Task: a.Task, K: k}
			g.at[a.Task] = k
			g.todo = append(g.l.appendBefore(x, g.todo), net.Joint(x)...)
			changed(x)
		}
	}
}

// Remove removes the action and all that follow it, and calls changed with each removed event.
func (g *Growth) Remove(a san.Action, changed func(san.Action)) {
	for g.todo = append(g.todo, a); len(g.todo) > 0; {
		a := g.todo[len(g.todo)-1]
		g.todo = g.todo[:len(g.todo)-1]
		for k := g.at[a.Task]; k >= a.K; k-- {
			x := san.Action{Task: a.Task, K: k}
			g.at[a.Task] = k - 1
			g.todo = append(g.l.appendAfter(x, g.todo), g.l.net.Joint(x)...)
			changed(x)
		}
	}
}
