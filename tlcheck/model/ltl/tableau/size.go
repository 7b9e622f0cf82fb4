package tableau

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

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
		if err := t.basic(int32(n), basic); err != nil {
			return 0, err
		}
	}
	return 1 + basic.Len(), nil
}

// basic numbers the literals and next-formulas of each way of a node.
func (t *construction) basic(node int32, ways *kripke.Numbering) error {
	a := newAnalysis(t.closure, t.asks(node), nil)
	a.states = true
	for {
		w, err := a.next(t.ctx)
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
