package tableau

import (
	"context"
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Options are requirements on a model.
type Options struct {
	Processes int // number of processes; 0 for as many as the formula names, at least one

	// Concurrent asks for a model in which as many processes as possible can move (§6,
	// "maximal concurrency").
	Concurrent bool
}

// Answer is the result of Sat.
type Answer struct {
	Model *Model   // nil if there is none
	Why   []string // the reasons, if there is no model
	Nodes int      // of the tableau

	tableau *tableau // in which the answer was found
}

// An OR-node gets firstBlocks blocks at first, and moreBlocks times as many each time no model is
// found.
const (
	firstBlocks = 64
	moreBlocks  = 16
)

// Sat looks for a model of a formula. An error is a *ProcessesError, or the cause of the end of the
// context.
//
// A formula can have very many blocks, and a model needs few of them. Therefore Sat begins with a
// part of the tableau. A model of a part is a model of the formula. Only if no block was left out,
// Sat reports that there is none.
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
