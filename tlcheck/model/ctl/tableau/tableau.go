package tableau

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// tableau is the AND/OR graph for a formula (Clarke and Emerson 1981, §5). An OR-node is a
// set of formulas that a state has to make true; it needs one of its blocks. An AND-node is a
// block, a set of elementary formulas; it is a state if all of its tiles can be.
type tableau struct {
	*closure
	ands    []*andNode
	ors     []*orNode // the first one is that of the whole formula
	byLabel map[string]int
	bySet   map[string]int

	lapsing bool // some AND-node lapses: see prune.go

	most int  // limit of blocks of an OR-node
	cut  bool // some OR-node may have more blocks, so a missing model proves nothing

	eventualities []int // those that some block puts off
}

type andNode struct {
	label   smallset.Set
	tiles   []tile
	parents []int // OR-nodes
	dead    reason
	level   int // see prune.go; for a deleted node, the last level that was tried
	lapses  int // an AFG that is true here although its operand is not; unknown if there is none
}

// tile is a required next state.
type tile struct {
	because int // the EX_i that requires it
	to      int // index of the OR-node
}

type orNode struct {
	formulas []int // sorted
	blocks   []int // AND-nodes
	alive    int   // how many blocks are not deleted
	parents  []int // AND-nodes, one entry for each tile
}

// reason explains why an AND-node was deleted. The zero value is for a node that was not.
type reason struct {
	order int // position among the deletions, from 1
	// the EX_i whose tile was deleted, or the eventuality or AFG that cannot be fulfilled
	formula int
}

func (h *andNode) isDead() bool { return h.dead.order > 0 }

// build makes the tableau of a formula. With concurrency, blocks also differ by the processes that
// can move.
func build(ctx context.Context, f *temporal.Formula, o Options, most int) (*tableau, error) {
	c, root, err := newClosure(f, o.Processes)
	if err != nil {
		return nil, err
	}
	if o.Concurrent {
		for i := range c.processes {
			c.always = append(c.always, c.or(c.moves[i], c.stays[i]))
		}
	}
	t := &tableau{closure: c, most: most, byLabel: map[string]int{}, bySet: map[string]int{}}
	t.addOr([]int{root})
	for n := 0; n < len(t.ors); n++ {
		if err := t.blocks(ctx, n); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// addOr returns the index of the OR-node for a set of formulas, which may have repetitions.
func (t *tableau) addOr(formulas []int) int {
	s := t.newSet()
	for _, n := range formulas {
		s.Add(n)
	}
	key := s.Key()
	n, ok := t.bySet[key]
	if !ok {
		n = len(t.ors)
		t.bySet[key] = n
		t.ors = append(t.ors, &orNode{formulas: slices.Collect(s.All())})
	}
	return n
}

func (t *tableau) blocks(ctx context.Context, n int) error {
	labels, cut, err := t.blocksOf(ctx, slices.Concat(t.ors[n].formulas, t.always), t.most)
	if err != nil {
		return err
	}
	t.cut = t.cut || cut
	for _, label := range labels {
		h := t.addAnd(label)
		t.ands[h].parents = append(t.ands[h].parents, n)
		t.ors[n].blocks = append(t.ors[n].blocks, h)
	}
	t.ors[n].alive = len(labels)
	return nil
}

func (t *tableau) addAnd(label smallset.Set) int {
	key := label.Key()
	n, ok := t.byLabel[key]
	if ok {
		return n
	}
	n = len(t.ands)
	t.byLabel[key] = n
	h := &andNode{label: label, lapses: t.lapsedAFG(label)}
	t.lapsing = t.lapsing || h.lapses != unknown
	t.ands = append(t.ands, h)
	h.tiles = t.tiles(label)
	for _, tile := range h.tiles {
		t.ors[tile.to].parents = append(t.ors[tile.to].parents, n)
	}
	return n
}

// tiles returns the requirements of a block on next states: for each EX_i f, one with f and the
// operands of all AX_i. That process i moves needs no tile of its own if it has another one.
func (t *tableau) tiles(label smallset.Set) []tile {
	after := make([][]int, len(t.processes)) // of each process, the operands of AX_i
	some := make([][]int, len(t.processes))  // of each process, its EX_i
	for n := range label.All() {
		switch f := t.list[n]; {
		case f.op == isAX:
			after[f.y] = append(after[f.y], f.x)
		case f.op == isEX && n != t.moves[f.y]:
			some[f.y] = append(some[f.y], n)
		}
	}
	var tiles []tile
	for i, moves := range t.moves {
		if len(some[i]) == 0 && label.Has(moves) {
			some[i] = []int{moves}
		}
		for _, n := range some[i] {
			tiles = append(tiles, tile{n, t.addOr(append(slices.Clone(after[i]), t.list[n].x))})
		}
	}
	return tiles
}
