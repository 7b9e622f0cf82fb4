package tableau

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

// infinite is the rank of a node in which an eventuality cannot be fulfilled.
const infinite = -1

// ranks has a number for each node with an eventuality: how many steps it takes to fulfil it, on
// all paths for an A, on some path for an E. They are the least numbers for which: a block that
// fulfils the eventuality has 0; a block that puts off an A is above all its tiles, one that puts
// off an E is above the tile for it; an OR-node has the least rank of its blocks. Ranks are per
// level. Nodes of lower levels have 0, since every eventuality is fulfilled from there on.
//
// The paper only asks that some node that fulfils the eventuality is reachable. That is not enough:
// AF p & EG !p & AG EX p would pass.
type ranks struct {
	eventuality int
	ands, ors   []int
}

// pruneLevel deletes the nodes that cannot be states of a level: AND-nodes with a tile that cannot
// be one, or with an eventuality that cannot be fulfilled, until none is left.
func (t *tableau) pruneLevel(ctx context.Context, level int) error {
	t.revive(level)
	var impossible []int
	for n, o := range t.ors {
		if o.alive == 0 {
			impossible = append(impossible, n)
		}
	}
	p := &pruning{tableau: t}
	p.without(impossible)
	for n, h := range t.ands {
		if h.level == level && h.lapses != unknown &&
			slices.ContainsFunc(h.tiles, func(tile tile) bool { return !t.isBelow(tile, level) }) {
			p.deleteAll(n, h.lapses)
		}
	}
	for killed := true; killed; {
		killed = false
		for _, e := range t.eventualities {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			r := t.rank(e, level)
			for n, h := range t.ands {
				if !h.isDead() && h.level == level && t.unfulfilled(r, h, n) {
					killed = true
					p.deleteAll(n, e)
				}
			}
		}
	}
	return nil
}

// postponedEventualities returns the eventualities that some block puts off.
func (t *tableau) postponedEventualities() []int {
	is := t.newSet()
	for _, h := range t.ands {
		for n := range h.label.All() {
			if f := t.list[n]; (f.op == isEX || f.op == isAX) && t.list[f.x].eventuality() {
				is.Add(f.x)
			}
		}
	}
	return slices.Collect(is.All())
}

// unfulfilled reports whether a block puts off an eventuality that cannot be fulfilled.
func (t *tableau) unfulfilled(r *ranks, h *andNode, n int) bool {
	if t.list[r.eventuality].op == isAU {
		return r.ands[n] == infinite && t.everywhereNext(h, r.eventuality)
	}
	return slices.ContainsFunc(h.tiles, func(tile tile) bool {
		return t.list[tile.because].x == r.eventuality && r.ors[tile.to] == infinite
	})
}

// everywhereNext reports whether a block has AX_i e for all i.
func (t *tableau) everywhereNext(h *andNode, e int) bool {
	for i := range t.processes {
		if t.elementaryValue(h.label, t.numbers[formula{isAX, e, i}]) != yes {
			return false
		}
	}
	return true
}

// pruning deletes nodes, and the nodes that need them.
type pruning struct {
	*tableau
	killed int
}

// deleteAll deletes an AND-node because of a formula, and all nodes that need it.
func (p *pruning) deleteAll(n, formula int) { p.without(p.deleteAnd(n, formula)) }

// deleteAnd deletes an AND-node, and returns the OR-nodes that have no other block left.
func (p *pruning) deleteAnd(n, formula int) (impossible []int) {
	h := p.ands[n]
	if h.isDead() {
		return nil
	}
	p.killed++
	h.dead = reason{p.killed, formula}
	for _, o := range h.parents {
		if p.ors[o].alive--; p.ors[o].alive == 0 {
			impossible = append(impossible, o)
		}
	}
	return impossible
}

// without deletes all nodes that need one of these OR-nodes, which have no block left.
func (p *pruning) without(impossible []int) {
	for len(impossible) > 0 {
		o := impossible[len(impossible)-1]
		impossible = impossible[:len(impossible)-1]
		for _, n := range p.ors[o].parents {
			tiles := p.ands[n].tiles
			i := slices.IndexFunc(tiles, func(tile tile) bool { return tile.to == o })
			impossible = append(impossible, p.deleteAnd(n, tiles[i].because)...)
		}
	}
}

// rank computes the ranks of an eventuality in a level, from lower to higher ones.
func (t *tableau) rank(e, level int) *ranks {
	r := &ranks{e, slices.Repeat([]int{infinite}, len(t.ands)), slices.Repeat([]int{infinite}, len(t.ors))}
	waiting := make([]int, len(t.ands)) // of a block, the number of tiles without a rank
	var ranked []int                    // blocks, in the order of their ranks
	for n, h := range t.ands {
		switch {
		case h.isDead() || h.level > level:
		case h.level < level || t.read(h.label).valueOf(t.list[e].y) == yes:
			r.ands[n] = 0
			ranked = append(ranked, n)
		default:
			waiting[n] = t.neededTiles(h, e)
		}
	}
	for ; len(ranked) > 0; ranked = ranked[1:] {
		n := ranked[0]
		for _, o := range t.ands[n].parents {
			if r.ors[o] != infinite {
				continue
			}
			r.ors[o] = r.ands[n]
			for _, p := range t.ors[o].parents {
				if t.ands[p].isDead() || t.ands[p].level > level || r.ands[p] != infinite || !t.needs(t.ands[p], e, o) {
					continue
				}
				if waiting[p]--; waiting[p] == 0 {
					r.ands[p] = r.ands[n] + 1
					ranked = append(ranked, p)
				}
			}
		}
	}
	return r
}

// neededTiles returns how many tiles must have ranks before a block has one; 0 if it cannot have
// one.
func (t *tableau) neededTiles(h *andNode, e int) int {
	switch {
	case t.list[e].op == isEU:
		return 1
	case t.everywhereNext(h, e):
		return len(h.tiles)
	}
	return 0
}

// needs reports whether the rank of h for the eventuality e depends on the rank of o, to which a
// tile of h leads.
func (t *tableau) needs(h *andNode, e, o int) bool {
	if t.list[e].op == isAU {
		return true
	}
	return slices.ContainsFunc(h.tiles, func(tile tile) bool { return tile.to == o && t.list[tile.because].x == e })
}

// A block lapses if AFG f is true there, and f is not. No path may have infinitely many lapses of
// one AFG. This is no eventuality, since f may become true and false again many times. Therefore
// blocks have levels: a path from a block of level n visits fewer than n blocks that lapse. Levels
// are found from the lowest on. All tiles of a block that lapses have lower levels. Whether
// eventualities are fulfilled is decided in each level anew, with nodes of lower levels taken for
// states.
//
// In terms of games, one player chooses blocks and the other one tiles. The levels are a winning
// strategy for a player who must make some events happen infinitely often and others only finitely
// often.

// lapsedAFG returns an AFG that is true under a label although its operand is not, or unknown.
func (t *tableau) lapsedAFG(label smallset.Set) int {
	var r *reader
	for n, f := range t.list {
		if f.op != isAFG {
			continue
		}
		if r == nil {
			r = t.read(label)
		}
		if r.valueOf(n) == yes && r.valueOf(f.y) != yes {
			return n
		}
	}
	return unknown
}

// prune deletes the nodes that cannot be states, until none is left or until the root is one. All
// remaining nodes have levels.
func (t *tableau) prune(ctx context.Context) error {
	t.eventualities = t.postponedEventualities()
	for level := 1; ; level++ {
		if err := t.pruneLevel(ctx, level); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		more := slices.ContainsFunc(t.ands, func(h *andNode) bool { return h.level == level && !h.isDead() })
		if !t.lapsing || !more || t.ors[0].alive > 0 {
			return nil
		}
	}
}

// revive prepares the deleted nodes for a new level, in which they may be states.
func (t *tableau) revive(level int) {
	for _, h := range t.ands {
		if h.isDead() || h.level == 0 {
			h.dead, h.level = reason{}, level
		}
	}
	for _, o := range t.ors {
		o.alive = len(o.blocks)
	}
}

// isBelow reports whether a tile can be a state of a lower level.
func (t *tableau) isBelow(tile tile, level int) bool {
	return slices.ContainsFunc(t.ors[tile.to].blocks, func(n int) bool { return t.ands[n].level < level })
}

func (t *tableau) levels() int {
	most := 0
	for _, h := range t.ands {
		if !h.isDead() {
			most = max(most, h.level)
		}
	}
	return most
}
