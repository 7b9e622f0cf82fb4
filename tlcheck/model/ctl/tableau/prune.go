package tableau

import (
	"context"
	"slices"
)

// infinite is the rank of a node in which an eventuality cannot come true.
const infinite = -1

// ranks are numbers for the nodes that have an eventuality: how many steps it takes until it is true, on all paths for an A, on some path
// for an E. They are the least numbers with: a block in which the eventuality is true already has 0; one that puts an A off is
// behind all its tiles, one that puts an E off is behind the tile for that; an OR-node has the least of those of its blocks. Those of a
// level are about its nodes; nodes of lower levels have 0, since eventualities come true from there on.
//
// That some node can be reached in which the eventuality is true, as the paper has it, is not enough: AF p & EG !p & AG EX p would pass.
type ranks struct {
	eventuality int
	ands, ors   []int
}

// pruneLevel kills the nodes of a level that cannot be states: AND-nodes with a tile that cannot be, or with an eventuality that cannot come
// true, until there are none.
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
		if h.level == level && h.lapses != unknown && slices.ContainsFunc(h.tiles, func(tile tile) bool { return !t.isBelow(tile, level) }) {
			p.kill(n, h.lapses)
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
					p.kill(n, e)
				}
			}
		}
	}
	return nil
}

// delayed returns the eventualities that some block has in next states.
func (t *tableau) delayed() []int {
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

// unfulfilled reports whether a block puts off what cannot come true.
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
		if t.simply(h.label, t.numbers[formula{isAX, e, i}]) != yes {
			return false
		}
	}
	return true
}

// pruning kills nodes and those that need them.
type pruning struct {
	*tableau
	killed int
}

// kill kills an AND-node because of a formula, and what cannot be without it.
func (p *pruning) kill(n, formula int) { p.without(p.die(n, formula)) }

// die kills an AND-node, and returns the OR-nodes of which it was the last block that was alive.
func (p *pruning) die(n, formula int) (impossible []int) {
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

// without kills what needs one of these OR-nodes, none of whose blocks is alive.
func (p *pruning) without(impossible []int) {
	for len(impossible) > 0 {
		o := impossible[len(impossible)-1]
		impossible = impossible[:len(impossible)-1]
		for _, n := range p.ors[o].parents {
			tiles := p.ands[n].tiles
			i := slices.IndexFunc(tiles, func(tile tile) bool { return tile.to == o })
			impossible = append(impossible, p.die(n, tiles[i].because)...)
		}
	}
}

// rank computes the ranks of a level for an eventuality, from those that are lower.
func (t *tableau) rank(e, level int) *ranks {
	r := &ranks{e, slices.Repeat([]int{infinite}, len(t.ands)), slices.Repeat([]int{infinite}, len(t.ors))}
	waiting := make([]int, len(t.ands)) // of a block, how many tiles have no rank
	var ranked []int                    // blocks, by their ranks
	for n, h := range t.ands {
		switch {
		case h.isDead() || h.level > level:
		case h.level < level || t.read(h.label).says(t.list[e].y) == yes:
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

// neededTiles returns how many tiles must have ranks before a block has one; 0 if it cannot have one.
func (t *tableau) neededTiles(h *andNode, e int) int {
	switch {
	case t.list[e].op == isEU:
		return 1
	case t.everywhereNext(h, e):
		return len(h.tiles)
	}
	return 0
}

// needs reports whether a block has a rank only if its tile o has, or for an E, as soon as that has.
func (t *tableau) needs(h *andNode, e, o int) bool {
	if t.list[e].op == isAU {
		return true
	}
	return slices.ContainsFunc(h.tiles, func(tile tile) bool { return tile.to == o && t.list[tile.because].x == e })
}
