package onthefly

import (
	"github.com/antichain-go/antichain/san"
)

// laterObligation requires that a strictly larger slice is in an open interval. The slice lacks the
// exits of that interval.
type laterObligation struct{ interval *openInterval }

func (d laterObligation) holds(g graph, low cut) bool {
	if !g.contains(low, d.interval.low) {
		return g.fits(g.join(low, d.interval.low), d.interval) // the least larger slice
	}
	return g.climb(low, d.interval, 1)
}

func (d laterObligation) isOver(common []int32) bool {
	return d.interval.isOver(common) && len(d.interval.obligations) == 0
}

func (d laterObligation) rename(m *renaming) obligation {
	m.interval(d.interval)
	return d
}

// stepsObligation requires that a slice with certain actions more, and n others, is in an open
// interval. The slice contains all low actions of that interval.
type stepsObligation struct {
	interval *openInterval
	lost     cut
	n        int
}

func (d stepsObligation) holds(g graph, low cut) bool {
	return g.climb(g.join(low, d.lost), d.interval, d.n)
}

func (d stepsObligation) isOver(common []int32) bool {
	return d.interval.isOver(common) && len(d.interval.obligations) == 0
}

func (d stepsObligation) rename(m *renaming) obligation {
	m.interval(d.interval)
	d.lost = m.cut(d.lost)
	return d
}

// climb reports whether some slice with n actions more fits the open interval. Among the actions
// that avoid the exits, the choice matters only for the obligations.
func (g graph) climb(low cut, p *openInterval, n int) bool {
	if n == 0 {
		return g.fits(low, p)
	}
	for t := range san.Task(g.net.Tasks()) {
		a, ok := g.enabled(low, t)
		if !ok {
			continue
		}
		above := g.join(low, cut{a})
		if !g.lacks(above, p.out) {
			continue
		}
		if g.climb(above, p, n-1) {
			return true
		}
		if len(p.obligations) == 0 {
			return false // other choices of actions reach no further
		}
	}
	return false
}

// enabled returns the next action of a task if it can happen in the slice.
func (g graph) enabled(low cut, t san.Task) (san.Action, bool) {
	k := g.at(low, t)
	if k == g.net.Len(t) || !g.created(low, t) {
		return san.Action{}, false
	}
	a := san.Action{Task: t, K: int32(k + 1)}
	for _, p := range g.predecessors(a) {
		if !g.has(low, p) {
			return san.Action{}, false
		}
	}
	return a, true
}

// predecessors returns actions before a such that every other action before a precedes one of them.
func (g graph) predecessors(a san.Action) cut {
	var before cut
	for _, s := range g.net.Sides(a) {
		if s.K > 1 {
			before = append(before, san.Action{Task: s.Task, K: s.K - 1})
		} else if spawn, ok := g.net.SpawnedBy(s.Task); ok {
			before = append(before, spawn)
		}
		before = append(before, g.net.Causes(s)...)
	}
	return before
}

// maximal returns the maximal actions of a slice, each once.
func (g graph) maximal(low cut) cut {
	var top cut
	for i, a := range low {
		if !g.has(low[i+1:], a) && !g.has(top, a) {
			top = append(top, a)
		}
	}
	return top
}
