package onthefly

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// anyTask stands in a TIVA for a TIV that does not matter.
const anyTask san.Task = -1

// openInterval is a set of slices in which a formula is true for a TIVA: those that contain the
// actions of low, lack those of out, and meet the obligations, which are about later slices. An
// obligation that holds in a slice holds in the smaller ones too. If it holds now, it holds for
// ever. So the open interval is not empty iff its least slice, ↓low, is in it.
type openInterval struct {
	tiva        []san.Task // by slot
	low         []san.Action
	out         []*exit
	obligations []obligation

	born   int   // of a row of local states: the number of its first one in the run
	turn   int32 // of the renaming that changed it last
	bottom bool  // the slice before all events is in it, if the obligations hold there
}

// exit is an action that ends a row of local states. It need not have happened.
type exit struct {
	action   san.Action
	turn     int32 // of the renaming that changed it last
	happened bool
	never    bool // its task has ended
}

// happens is the exit that an action is.
func happens(a san.Action) exit { return exit{action: a, happened: true} }

// obligation is a condition on what comes after a slice.
type obligation interface {
	// holds reports whether it holds in ↓low.
	holds(g graph, low cut) bool

	// over reports that only events that have happened can fulfil it: if they do not, it never will
	// be. It may say false of an obligation with others below it.
	over(common []int32) bool

	// rename returns the obligation with the names of the net as it is now.
	rename(m *renaming) obligation
}

// cut is the slice that its actions generate.
type cut = []san.Action

// graph answers questions about a net as far as it is built.
type graph struct{ net *san.Net }

// has reports whether the slice contains the action. All slices contain what is forgotten.
func (g graph) has(low cut, a san.Action) bool {
	if a.K <= 0 {
		return true
	}
	for _, l := range low {
		if g.net.Known(l, a.Task) >= int(a.K) {
			return true
		}
	}
	return false
}

// contains reports whether the slice contains all the actions.
func (g graph) contains(low cut, actions cut) bool {
	return !stdslices.ContainsFunc(actions, func(a san.Action) bool { return !g.has(low, a) })
}

// lacks reports whether the slice contains none of the exits.
func (g graph) lacks(low cut, out []*exit) bool {
	for _, x := range out {
		if x.happened && g.has(low, x.action) {
			return false
		}
	}
	return true
}

// settled returns the slice, or if the net is condensed the least larger one that is known to be
// one of the run (san.Net.Settle). That is in the same open intervals: the jumps that it has more
// are no exits.
func (g graph) settled(low cut) cut {
	if !g.net.IsCondensed() {
		return low
	}
	slice := make([]int32, g.net.Tasks())
	for t := range slice {
		slice[t] = int32(g.at(low, san.Task(t)))
	}
	g.net.Settle(slice)
	var actions cut
	for t, k := range slice {
		if k > 0 {
			actions = append(actions, san.Action{Task: san.Task(t), K: k})
		}
	}
	return actions
}

// at returns how many events of the task are in the slice.
func (g graph) at(low cut, t san.Task) int {
	n := 0
	for _, l := range low {
		n = max(n, g.net.Known(l, t))
	}
	return n
}

// count stores into the room there is how many events of each task are in the slice. Then below
// tells whether an action is, in less time than has takes.
func (g graph) count(low cut, room []int32) []int32 {
	tasks := g.net.Tasks()
	room = stdslices.Grow(room[:0], tasks)[:tasks]
	clear(room)
	for i, a := range low {
		if i == 0 {
			g.net.Down(a, room)
			continue
		}
		for t := range room {
			room[t] = max(room[t], int32(g.net.Known(a, san.Task(t))))
		}
	}
	return room
}

// created reports whether the task is created in the slice.
func (g graph) created(low cut, t san.Task) bool {
	a, ok := g.net.SpawnedBy(t)
	return !ok || g.has(low, a)
}

// fits reports whether the slice lacks the exits of the open interval and fulfils its obligations.
func (g graph) fits(low cut, p *openInterval) bool {
	return g.lacks(low, p.out) && g.fulfils(low, p.obligations)
}

func (g graph) fulfils(low cut, obligations []obligation) bool {
	return !stdslices.ContainsFunc(obligations, func(d obligation) bool { return !d.holds(g, low) })
}

// join returns the union of two slices, with as few generators as it takes.
func (g graph) join(a, b cut) cut {
	both := make(cut, 0, len(a)+len(b))
	for i, x := range a {
		if !g.has(b, x) && !g.has(a[i+1:], x) {
			both = append(both, x)
		}
	}
	return append(both, b...)
}

// meet returns the intersection of two open intervals, if they go together and it is not certain
// that it is empty.
func (g graph) meet(p, q *openInterval) (*openInterval, bool) {
	for i, t := range p.tiva {
		if u := q.tiva[i]; t != u && t != anyTask && u != anyTask {
			return nil, false
		}
	}
	if !g.lacks(q.low, p.out) || !g.lacks(p.low, q.out) {
		return nil, false
	}
	both := &openInterval{
		tiva:        stdslices.Clone(p.tiva),
		low:         g.join(p.low, q.low),
		out:         append(stdslices.Clone(p.out), q.out...),
		obligations: append(stdslices.Clone(p.obligations), q.obligations...),
		bottom:      p.bottom && q.bottom,
	}
	for i, u := range q.tiva {
		if u != anyTask {
			both.tiva[i] = u
		}
	}
	return both, true
}
