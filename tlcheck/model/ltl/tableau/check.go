package tableau

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Result reports whether a formula is true on all fair paths from all initial states.
type Result struct {
	Counterexample *kripke.Path // a fair path on which the formula is false; nil if there is none
	Pairs          int          // number of pairs of a node and a state that were visited
}

// Check decides f by the product of a system and the tableau of !f (Sherman and Pnueli 1990,
// §5.2): a path through both is a path of the system on which f is false. Both are made on
// demand, and the search ends with the first such path. If there is none, all states are expanded:
// paths have to be infinite, so a state without moves is a *kripke.DeadEndError. Other errors are a
// *temporal.NameError, those of the system, or the cause of the end of the context.
func Check(ctx context.Context, sys System, fairness kripke.Fairness, f *temporal.Formula) (*Result, error) {
	c, err := newClosure(ctx, &temporal.Formula{Op: temporal.Not, X: f, Pos: f.Pos})
	if err != nil {
		return nil, err
	}
	letters, err := newLetters(sys, f.Atoms())
	if err != nil {
		return nil, err
	}
	r := &Result{}
	if c.start != nil {
		t, err := newConstruction(ctx, c)
		if err != nil {
			return nil, err
		}
		if r, err = newProduct(t, sys, fairness, letters).check(); err != nil {
			return nil, err
		}
	}
	if r.Counterexample == nil {
		err = expandAll(ctx, sys)
	}
	return r, err
}

// expandAll expands the states that a search did not reach.
func expandAll(ctx context.Context, sys System) error {
	l := contextPoll{ctx: ctx}
	for s := kripke.State(0); int(s) < sys.States(); s++ {
		before := sys.Len()
		if err := sys.Expand(s); err != nil {
			return err
		}
		if err := l.poll(1 + sys.Len() - before); err != nil {
			return err
		}
	}
	return nil
}

// check searches from the initial states.
func (p *product) check() (*Result, error) {
	defer p.releaseAll()
	s := &search{graph: p, contextPoll: contextPoll{ctx: p.ctx}, marks: p.marks(), cheap: true}
	if p.fairness == kripke.Strong {
		s.judge = p.strong(p.ctx)
	}
	var roots []int32
	for _, state := range p.system.Initial() {
		root, err := p.pairs.number(0, state)
		if err != nil {
			return nil, err
		}
		roots = append(roots, root)
		component, err := s.searchFrom(root)
		if err != nil {
			return nil, err
		}
		if component != nil {
			pairs := p.pairs.all.Len()
			stem, loop, err := s.lasso(roots, component, p.wanted(component))
			if err != nil {
				return nil, err
			}
			return &Result{p.path(stem, loop), pairs}, nil
		}
	}
	return &Result{Pairs: p.pairs.all.Len()}, nil
}

// path turns steps between pairs into a path of the system.
func (p *product) path(stem, loop []step) *kripke.Path {
	first := append(stem, loop...)[0]
	path := &kripke.Path{Loop: len(stem)}
	_, path.Start = p.pairs.parts(first.from)
	for _, s := range append(stem, loop...) {
		_, from := p.pairs.parts(s.from)
		i := int(s.edge) % len(p.system.Successors(from))
		path.Steps = append(path.Steps, kripke.Step{Process: p.system.MovedBy(from)[i],
			To: p.system.Successors(from)[i]})
	}
	return path
}
