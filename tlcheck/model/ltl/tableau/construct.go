package tableau

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// construction is the graph of a formula, made on demand (procedure construct of Sherman and Pnueli
// 1990, §4). Nodes have numbers; node 0 is the formula itself.
type construction struct {
	*closure
	ctx      context.Context
	numbers  *kripke.Numbering
	analyzed map[labelledNode]*expansion
}

// labelledNode is a node with the known letter of the state.
type labelledNode struct {
	node   int32
	letter int32 // a number; none if the letter is unknown
}

// expansion is the analysis of a labelledNode, and its edges so far.
type expansion struct {
	*analysis // nil at its end
	edges     []edge
}

// edge is a way from a node to its successor.
type edge struct {
	to        int32
	literals  smallset.Set // claims about the state
	postponed smallset.Set
}

// newConstruction makes the node of the formula.
func newConstruction(ctx context.Context, c *closure) (*construction, error) {
	t := &construction{closure: c, ctx: ctx, numbers: kripke.NewNumbering(smallset.Words(c.size)),
		analyzed: map[labelledNode]*expansion{}}
	_, err := t.number(c.start)
	return t, err
}

// number returns the number of a node.
func (t *construction) number(asks smallset.Set) (int32, error) {
	n, err := t.numbers.Number(asks)
	return int32(n), err
}

// asks returns the obligations of a node.
func (t *construction) asks(node int32) smallset.Set {
	return smallset.Set(t.numbers.Packed(kripke.State(node)))
}

// edge returns edge i of a node; nil if there are fewer. letter has the literals of a known letter.
func (t *construction) edge(p labelledNode, letter smallset.Set, i int) (*edge, error) {
	a := t.analyzed[p]
	if a == nil {
		a = &expansion{analysis: newAnalysis(t.closure, t.asks(p.node), letter)}
		t.analyzed[p] = a
	}
	for len(a.edges) <= i && a.analysis != nil {
		w, err := a.next(t.ctx)
		if err != nil {
			return nil, err
		}
		if w == nil {
			a.analysis = nil
			break
		}
		to, err := t.number(w.next)
		if err != nil {
			return nil, err
		}
		a.edges = append(a.edges, edge{to, w.asks[:smallset.Words(t.literals)], w.postponed})
	}
	if len(a.edges) <= i {
		return nil, nil
	}
	return &a.edges[i], nil
}
