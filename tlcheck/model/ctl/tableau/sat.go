package tableau

import (
	"context"
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Options are what is asked of a model beside the formula.
type Options struct {
	Processes int // how many; 0 is as many as the formula names, at least one

	// Concurrent asks for a model in which processes can move where that is possible, the maximal concurrency of the paper's section 6.
	Concurrent bool
}

// Answer says whether a formula is satisfiable.
type Answer struct {
	Model *Model   // nil if there is none
	Why   []string // why there is none
	Nodes int      // of the tableau

	tableau *tableau // what it was found by
}

// An OR-node has firstBlocks blocks at first, and moreBlocks times as many when no model was found with these.
const (
	firstBlocks = 64
	moreBlocks  = 16
)

// Sat looks for a model of a formula. An error is a *ProcessesError, or the cause why the context has ended.
//
// A formula can have very many blocks, of which few are needed for a model. So a tableau with some of them comes first. What
// is a model of it is one of the formula; only where none of its blocks was left out, it says that there is none.
func Sat(ctx context.Context, f *temporal.Formula, o Options) (*Answer, error) {
	return satisfy(ctx, f, o, firstBlocks)
}

func satisfy(ctx context.Context, f *temporal.Formula, o Options, most int) (*Answer, error) {
	for ; ; most *= moreBlocks {
		t, err := build(ctx, f, o, most)
		if err != nil {
			return nil, err
		}
		if err := t.prune(ctx); err != nil {
			return nil, err
		}
		answer := &Answer{Nodes: len(t.ands) + len(t.ors), tableau: t}
		switch {
		case t.ors[0].alive > 0:
			answer.Model = t.unravel(o.Concurrent).minimal()
			holds, err := holdsIn(ctx, answer.Model, f)
			if err == nil && !holds {
				panic(fmt.Sprintf("tableau: the model of %s is none", f))
			}
			return answer, err
		case !t.cut:
			answer.Why = t.why()
			return answer, nil
		}
	}
}

// holdsIn checks a formula on a model.
func holdsIn(ctx context.Context, m *Model, f *temporal.Formula) (bool, error) {
	g, err := kripke.Explore(ctx, m)
	if err != nil {
		return false, err
	}
	c, err := ctl.New(g, kripke.Unfair)
	if err != nil {
		panic(fmt.Sprintf("tableau: the model of %s: %v", f, err))
	}
	r, err := c.Check(ctx, f)
	if err != nil {
		return false, err
	}
	return r.Holds, nil
}
