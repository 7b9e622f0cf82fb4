package tableau

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// construction is the graph of a formula, made as far as it is looked at (procedure construct). Its nodes have numbers; node 0 is the
// formula itself.
type construction struct {
	*closure
	ctx      context.Context
	numbers  *kripke.Numbering
	analyzed map[place]*expansion
}

// place is a node, and what is known about the state.
type place struct {
	node   int32
	letter int32 // a number; none if nothing is known
}

// expansion is the analysis of a place and, so far, the edges that it has given.
type expansion struct {
	*analysis // nil if it has come to its end
	edges     []edge
}

// edge is a way to go on from a node.
type edge struct {
	to        int32
	literals  smallset.Set // what is said about the state
	postponed smallset.Set
}

// newConstruction begins with the formula.
func newConstruction(ctx context.Context, c *closure) (*construction, error) {
	t := &construction{closure: c, ctx: ctx, numbers: kripke.NewNumbering(smallset.Words(c.size)), analyzed: map[place]*expansion{}}
	_, err := t.number(c.start)
	return t, err
}

// number returns the number of a node.
func (t *construction) number(asks smallset.Set) (int32, error) {
	n, err := t.numbers.Number(asks)
	return int32(n), err
}

// asks returns what a node obliges to.
func (t *construction) asks(node int32) smallset.Set {
	return smallset.Set(t.numbers.Packed(kripke.State(node)))
}

// edge returns edge i from a place, nil if there are not so many. letter are the literals of a letter that is known.
func (t *construction) edge(p place, letter smallset.Set, i int) (*edge, error) {
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
