package onthefly

import (
	"sort"

	"github.com/antichain-go/antichain/san"
)

// until is "p until q" of local formulas: in[0] are the rows of local states in which p is false,
// in[1] those in which q is true, the goals. tlcheck/until.go works out which slices satisfy it.
// Of the rows of one task, with entries E(k) and exits X(k), and a goal with entry e, these are
//
//	between rows: contain X(k-1), lack E(k) and e, if E(k) does not precede e
//	in row k:     contain what ↓e has besides X(k) and all that follows that, lack X(k), if
//	              X(k) precedes e, E(k+1) does not, and no earlier goal of that task is like that
//	one action before the goal
type until struct {
	bad, goal int // slots of p and q

	gaps  [][]*gap   // by the task of p, in order
	goals [][]*piece // by the task of q, in order, without those that no slice lacks
}

// gap is what a task does before the first row in which p is false, between two, or behind the
// last. While there is no next row it has no end.
type gap struct {
	row   *exit // that of the row before it; nil if there is none
	end   *exit // entry of the row behind it
	begun bool  // the row before it is over, if there is one
	never bool  // the run begins with a row: this is before it

	reached map[san.Task]bool // tasks with a goal that the exit of the row precedes
}

func (n *until) update(v *version, in [][]*piece) []*piece {
	fresh := next{}.update(v, in[1:])
	for t := len(n.gaps); t < v.tasks; t++ {
		n.gaps = append(n.gaps, []*gap{{end: &exit{}}})
		n.goals = append(n.goals, nil)
	}
	for _, p := range in[0] {
		n.enter(p)
	}
	for t := range n.gaps {
		for _, g := range n.gaps[t] {
			if !g.begun && (g.row == nil || g.row.happened) {
				g.begun = true
				n.backward(v, san.Task(t), g, &fresh)
			}
		}
	}
	for _, p := range in[1] {
		if len(p.low) == 0 {
			continue
		}
		w := p.tiva[n.goal]
		n.goals[w] = append(n.goals[w], p)
		for t := range n.gaps {
			n.forward(v, san.Task(t), p, &fresh)
		}
	}
	return fresh
}

// enter notes that a row in which p is false has begun.
func (n *until) enter(p *piece) {
	t := p.tiva[n.bad]
	last := n.gaps[t][len(n.gaps[t])-1]
	if len(p.low) == 0 {
		last.never = true
	} else {
		*last.end = exit{p.low[0], true}
	}
	n.gaps[t] = append(n.gaps[t], &gap{row: p.out[0], end: &exit{}, reached: map[san.Task]bool{}})
}

// backward pairs a gap that has begun with the goals so far.
func (n *until) backward(v *version, t san.Task, g *gap, fresh *[]*piece) {
	for _, goals := range n.goals {
		first := 0
		if g.row != nil {
			first = sort.Search(len(goals), func(i int) bool { return !v.has(cut{g.row.action}, goals[i].low[0]) })
		}
		for _, p := range goals[first:] {
			n.pair(v, t, g, p, fresh)
		}
	}
}

// forward pairs a goal with the gaps so far, and with the row that it may be the first to
// come after.
func (n *until) forward(v *version, t san.Task, p *piece, fresh *[]*piece) {
	gaps, e := n.gaps[t], p.low[0]
	for i := len(gaps) - 1; i >= 0; i-- {
		g := gaps[i]
		if g.begun {
			n.pair(v, t, g, p, fresh)
		}
		if i > 0 && gaps[i-1].ended(v, e) || i > 0 && gaps[i-1].never {
			n.first(v, t, g, p, fresh)
			return // earlier gaps end before the goal
		}
	}
}

// ended reports whether the row behind the gap is entered before e.
func (g *gap) ended(v *version, e san.Action) bool {
	return g.end.happened && v.net.Precedes(g.end.action, e)
}

// pair adds the slices of a gap that have a way to the goal.
func (n *until) pair(v *version, t san.Task, g *gap, goal *piece, fresh *[]*piece) {
	e := goal.low[0]
	if g.never || g.ended(v, e) || n.bad == n.goal && t != goal.tiva[n.goal] {
		return
	}
	p := &piece{tiva: n.tiva(t, goal), out: []*exit{g.end, {e, true}}}
	if g.row != nil {
		p.low = cut{g.row.action}
	}
	n.add(v, p, fresh)
}

// first adds the slices of the row before the gap from which every way to the goal begins
// with the end of the row, if there are any and no earlier goal has shown them.
func (n *until) first(v *version, t san.Task, g *gap, goal *piece, fresh *[]*piece) {
	w, e := goal.tiva[n.goal], goal.low[0]
	if !g.begun || g.row == nil || g.reached[w] || !v.has(cut{e}, g.row.action) || n.bad == n.goal && t != w {
		return
	}
	g.reached[w] = true
	n.add(v, &piece{tiva: n.tiva(t, goal), low: v.besides(e, g.row.action), out: []*exit{g.row}}, fresh)
}

func (n *until) add(v *version, p *piece, fresh *[]*piece) {
	if v.lacks(p.low, p.out) {
		*fresh = append(*fresh, p)
	}
}

func (n *until) tiva(t san.Task, goal *piece) []san.Task {
	tiva := append([]san.Task(nil), goal.tiva...)
	tiva[n.bad] = t
	return tiva
}

// besides returns ↓e without x, which precedes e or is it, and what follows x.
func (g graph) besides(e, x san.Action) cut {
	var low cut
	for t := range san.Task(g.net.Tasks()) {
		known := g.net.Known(e, t)
		k := sort.Search(known, func(i int) bool {
			return g.net.Known(san.Action{Task: t, K: int32(i + 1)}, x.Task) >= int(x.K)
		})
		if k > 0 {
			low = append(low, san.Action{Task: t, K: int32(k)})
		}
	}
	return low
}
