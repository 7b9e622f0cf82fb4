package onthefly

import (
	"encoding/binary"
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// obligations are pieces of c that wait for a goal, one for each TIVA. A later one of a TIVA takes the
// place of an earlier one when all goals so far have been seen: a goal to come is open in both, and
// less of the run needs to be remembered for it. But a piece with duties, which may never hold, is exchanged
// for none, and if only the slice before all events counts, only pieces with that are held.
type obligations struct{ held, newer ordered[*piece] }

func (o *obligations) keep(c *piece) {
	if key := heldKey(c); o.held.has(key) {
		o.newer.put(key, c)
	} else {
		o.held.put(key, c)
	}
}

// renew lets the newest pieces wait.
func (o *obligations) renew() {
	for _, c := range o.newer.values {
		o.held.put(heldKey(c), c)
	}
	o.newer.clear()
}

// heldKey is tivaKey, but a piece with duties is exchanged for no other one: these may never hold.
func heldKey(c *piece) string {
	key := tivaKey(c.tiva)
	if len(c.duties) > 0 {
		key += fmt.Sprintf("%p", c)
	}
	return key
}

// tivaKey returns a string that is different for different TIVAs.
func tivaKey(tiva []san.Task, more ...san.Task) string {
	var key []byte
	for _, t := range tiva {
		key = binary.LittleEndian.AppendUint32(key, uint32(t))
	}
	for _, t := range more {
		key = binary.LittleEndian.AppendUint32(key, uint32(t))
	}
	return string(key)
}

// waited is a piece that was held until a goal came.
type waited struct{ held, goal *piece }

// obligation is a piece of c that waits, and what the gap or goal adds to what its slices lack.
type obligation struct {
	task  san.Task // of p, or of the goal
	piece *piece
	lacks []*exit
}

// waiting iterates over all that waits.
func (n *guarded) waiting(yield func(obligation) bool) {
	each := func(t san.Task, lacks []*exit, pieces []*piece) bool {
		for _, c := range pieces {
			if !yield(obligation{t, c, lacks}) {
				return false
			}
		}
		return true
	}
	for t, gaps := range n.gaps {
		for _, g := range gaps {
			end := []*exit{g.end}
			if !each(san.Task(t), end, g.held.held.values) || !each(san.Task(t), end, g.held.newer.values) || !each(san.Task(t), []*exit{g.row}, g.past.values) {
				return
			}
		}
	}
	if !each(anyTask, nil, n.unborn.held.values) || !each(anyTask, nil, n.unborn.newer.values) {
		return
	}
	for _, l := range n.latent.values {
		x := happens(l.goal.low[0])
		if !yield(obligation{l.goal.tiva[n.goal], l.held, []*exit{&x}}) {
			return
		}
	}
}

func (n *guarded) need(g graph, base []int32) {
	n.needed = map[san.Task]bool{}
	if n.initially {
		n.needStart(g, base)
	}
	for o := range n.waiting {
		g.leave(base, &piece{low: o.piece.low, out: stdslices.Concat(o.piece.out, o.lacks), duties: o.piece.duties})
		n.needed[o.task] = true
		for _, u := range o.piece.tiva {
			n.needed[u] = true
		}
	}
}

// needStart keeps the exits of rows that the run begins with: whether the slice before all events is one of those from
// which every way to a goal begins with the end of the row is seen from what comes before the goal.
func (n *guarded) needStart(g graph, base []int32) {
	for _, gaps := range n.gaps {
		if gaps[0].never && len(gaps) > 1 && gaps[1].row.happened {
			g.exclude(base, gaps[1].row.action)
		}
	}
}

func (n *guarded) holds(t san.Task) bool { return n.needed[t] }

func (n *guarded) size() int {
	size := len(n.core.pieces) + n.close.size()
	for range n.waiting {
		size++
	}
	for t := range n.gaps {
		size += len(n.gaps[t]) + len(n.goals[t])
	}
	return size
}

func (n *guarded) rename(m *renaming) {
	n.core.pieces = m.pieces(n.core.pieces)
	n.close.rename(m)
	n.unborn.rename(m)
	latent := n.latent.values
	n.latent.clear()
	for _, l := range latent {
		if m.piece(l.held) && m.piece(l.goal) {
			n.late(l)
		}
	}
	for t, gaps := range n.gaps {
		_, kept := m.Task(san.Task(t))
		for _, g := range gaps {
			g.end.never = g.end.never || !kept
			g.rename(m)
		}
		n.goals[t] = m.pieces(n.goals[t])
	}
	n.gaps, n.goals = byTask(m, n.gaps), byTask(m, n.goals)
}

func (o *obligations) rename(m *renaming) {
	m.byTIVA(&o.held)
	m.byTIVA(&o.newer)
}

func (g *gap) rename(m *renaming) {
	g.held.rename(m)
	m.byTIVA(&g.past)
	m.exit(g.end)
	if g.row != nil {
		m.exit(g.row)
	}
	first := make(map[san.Task]*piece, len(g.first))
	for t, goal := range g.first {
		if now, ok := m.Task(t); ok && m.piece(goal) {
			first[now] = goal
		}
	}
	g.first = first
}

// byTIVA renames pieces that are found by their TIVAs.
func (m *renaming) byTIVA(pieces *ordered[*piece]) {
	was := pieces.values
	pieces.clear()
	for _, p := range was {
		if m.piece(p) {
			pieces.put(heldKey(p), p)
		}
	}
}
