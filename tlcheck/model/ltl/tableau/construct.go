package tableau

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
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

func (t *construction) number(asks smallset.Set) (int32, error) {
	n, err := t.numbers.Number(asks)
	return int32(n), err
}

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
		w, err := a.nextWay(t.ctx)
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

// Size makes the whole tableau of f, where Sat stops at the first model. It returns the number of
// nodes as Sherman and Pnueli 1990 count them: the formula, and the ways to satisfy nodes that
// differ in literals or next-formulas. The error is the cause of the end of the context.
func Size(ctx context.Context, f *temporal.Formula) (int, error) {
	c, err := newClosure(ctx, f)
	if err != nil || c.start == nil {
		return 1, err
	}
	t, err := newConstruction(ctx, c)
	if err != nil {
		return 0, err
	}
	basic := kripke.NewNumbering(smallset.Words(c.size))
	for n := 0; n < t.numbers.Len(); n++ {
		if err := t.numberBasics(int32(n), basic); err != nil {
			return 0, err
		}
	}
	return 1 + basic.Len(), nil
}

// numberBasics numbers the literals and next-formulas of each way of a node.
func (t *construction) numberBasics(node int32, ways *kripke.Numbering) error {
	a := newAnalysis(t.closure, t.asks(node), nil)
	a.states = true
	for {
		w, err := a.nextWay(t.ctx)
		if w == nil || err != nil {
			return err
		}
		for i := t.literals + len(t.nexts); i < t.size; i++ {
			w.asks.Remove(i)
		}
		if _, err := ways.Number(w.asks); err != nil {
			return err
		}
		if _, err := t.number(w.next); err != nil {
			return err
		}
	}
}
