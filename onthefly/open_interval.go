package onthefly

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// anyTask stands in a TIVA for the task of a TIV that does not matter.
const anyTask san.Task = -1

// openInterval is a set of slices in which a formula is true for a TIVA: those that contain the
// actions of low, lack those of out, and meet the obligations, which are about later slices. An
// obligation that holds in a slice also holds in all smaller ones, and once it holds, it holds
// forever. So the open interval is not empty iff it contains its least slice, ↓low.
type openInterval struct {
	tiva        []san.Task // by slot
	low         []san.Action
	out         []*exit
	obligations []obligation

	firstState int   // for a row of local states: the number of its first one in the run
	turn       int32 // the last renaming that changed it
	hasInitial bool  // it has the slice before all events, if the obligations hold there
}

// exit is an action that ends a row of local states. It may not have happened yet.
type exit struct {
	action   san.Action
	turn     int32 // the last renaming that changed it
	happened bool
	never    bool // its task has ended
}

// happenedExit returns the exit of an action that has happened.
func happenedExit(a san.Action) exit { return exit{action: a, happened: true} }

// obligation is a condition on the slices above a slice.
type obligation interface {
	// holds reports whether it holds in ↓low.
	holds(g graph, low cut) bool

	// isOver reports that only past events can meet it: if they do not, it will never hold. It may
	// return false for an obligation with nested ones.
	isOver(common []int32) bool

	// rename returns the obligation with the new names of the net.
	rename(m *renaming) obligation
}

// cut is the slice that the actions generate.
type cut = []san.Action

// graph answers questions about a net as far as it is built.
type graph struct{ net *san.Net }

// has reports whether the slice contains the action. All slices contain forgotten actions.
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

// settled returns the slice itself, or in a condensed net the least larger one that is known to be
// a slice of the run (san.Net.Settle). Both are in the same open intervals, because jumps are no
// exits.
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

// count stores, in room if that is large enough, how many events of each task are in the slice.
// With these counts, below is faster than has.
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

// fits reports whether the slice lacks the exits of the open interval and meets its obligations.
func (g graph) fits(low cut, p *openInterval) bool {
	return g.lacks(low, p.out) && g.fulfils(low, p.obligations)
}

func (g graph) fulfils(low cut, obligations []obligation) bool {
	return !stdslices.ContainsFunc(obligations, func(d obligation) bool { return !d.holds(g, low) })
}

// join returns the union of two slices, with a minimal set of generators.
func (g graph) join(a, b cut) cut {
	both := make(cut, 0, len(a)+len(b))
	for i, x := range a {
		if !g.has(b, x) && !g.has(a[i+1:], x) {
			both = append(both, x)
		}
	}
	return append(both, b...)
}

// meet returns the intersection of two open intervals, if their TIVAs are compatible and it is not
// known to be empty.
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
		hasInitial:  p.hasInitial && q.hasInitial,
	}
	for i, u := range q.tiva {
		if u != anyTask {
			both.tiva[i] = u
		}
	}
	return both, true
}
