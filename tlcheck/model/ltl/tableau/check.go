package tableau

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Result says whether a formula is true on all fair paths from all initial states.
type Result struct {
	Counterexample *kripke.Path // a fair path on which it is false; nil if there is none
	Pairs          int          // how many pairs of a node and a state were looked at
}

// Check decides f by the product of the graph and the tableau of !f (section 5.2): a path through both is a path of the graph on which f is
// false. Every path of the graph has to go on for ever: a state without moves is a *kripke.DeadEndError. Other errors are a *temporal.NameError, or
// the cause of a context that ended.
func Check(ctx context.Context, g *kripke.Graph, fairness kripke.Fairness, f *temporal.Formula) (*Result, error) {
	if err := g.Total(); err != nil {
		return nil, err
	}
	c, err := newClosure(ctx, &temporal.Formula{Op: temporal.Not, X: f, Pos: f.Pos})
	if err != nil {
		return nil, err
	}
	letters, err := newLetters(g, f.Atoms())
	if err != nil || c.start == nil {
		return &Result{}, err
	}
	t, err := newConstruction(ctx, c)
	if err != nil {
		return nil, err
	}
	p := newProduct(t, g, fairness, letters)
	s := &search{graph: p, ctx: ctx, marks: p.marks(), cheap: true}
	if fairness == kripke.Strong {
		s.judge = p.strong(ctx)
	}
	return p.run(s)
}

// run searches from the initial states.
func (p *product) run(s *search) (*Result, error) {
	var roots []int32
	for _, state := range p.system.Initial() {
		root, err := p.pair(0, state)
		if err != nil {
			return nil, err
		}
		roots = append(roots, root)
		component, err := s.from(root)
		if err != nil {
			return nil, err
		}
		if component != nil {
			pairs := p.pairs.Len()
			stem, loop, err := s.lasso(roots, component, p.wanted(component))
			if err != nil {
				return nil, err
			}
			return &Result{p.path(stem, loop), pairs}, nil
		}
	}
	return &Result{Pairs: p.pairs.Len()}, nil
}

// path makes one of steps between pairs.
func (p *product) path(stem, loop []step) *kripke.Path {
	first := append(stem, loop...)[0]
	path := &kripke.Path{Loop: len(stem)}
	_, path.Start = p.parts(first.from)
	for _, s := range append(stem, loop...) {
		_, from := p.parts(s.from)
		i := int(s.edge) % len(p.system.Successors(from))
		path.Steps = append(path.Steps, kripke.Step{Process: p.system.MovedBy(from)[i], To: p.system.Successors(from)[i]})
	}
	return path
}
