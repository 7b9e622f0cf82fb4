package tableau

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

// A block lapses if AFG f is true there, and f is not. On no path may there be infinitely many lapses of one AFG, which is no
// eventuality: f may be true, and after that not, many times. So blocks have levels: a path from a block of level n comes to fewer than n
// blocks that lapse. Levels are found from the lowest on. All tiles of a block that lapses are of lower levels. Whether eventualities can
// come true is asked in each level again, where those of lower levels are taken for states.
//
// In terms of games, in which one player chooses blocks and another one tiles, that is how a player wins who must see to it that all of
// some things happen infinitely often, and others only finitely often.

// lapse returns an AFG that a label says without what it is about, or unknown.
func (t *tableau) lapse(label smallset.Set) int {
	var r *reader
	for n, f := range t.list {
		if f.op != isAFG {
			continue
		}
		if r == nil {
			r = t.read(label)
		}
		if r.says(n) == yes && r.says(f.y) != yes {
			return n
		}
	}
	return unknown
}

// prune kills the nodes that cannot be states, until there are none, or until the root is one. All others have levels then.
func (t *tableau) prune(ctx context.Context) error {
	t.eventualities = t.delayed()
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

// revive takes the nodes that are dead for those of a new level, which may be states.
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

// levels returns how many levels there are of nodes that can be states.
func (t *tableau) levels() int {
	most := 0
	for _, h := range t.ands {
		if !h.isDead() {
			most = max(most, h.level)
		}
	}
	return most
}
