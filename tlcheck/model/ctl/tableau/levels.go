package tableau

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

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

// lapse returns an AFG that is true under a label although its operand is not, or unknown.
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

// prune deletes the nodes that cannot be states, until none is left or until the root is one. All
// remaining nodes have levels.
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

// levels returns the number of levels.
func (t *tableau) levels() int {
	most := 0
	for _, h := range t.ands {
		if !h.isDead() {
			most = max(most, h.level)
		}
	}
	return most
}
