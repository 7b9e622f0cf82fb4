package tableau

import (
	"context"
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/kripke"
	"github.com/antichain-go/antichain/tlcheck/temporal"
)

// Verdict says whether a formula is true on all fair paths from all initial states.
type Verdict struct {
	Counterexample *Path // a fair path on which it is false; nil if there is none
	Pairs          int   // how many pairs of a node and a state were looked at
}

// Path is an infinite path of a system: steps, of which those from Loop on are repeated for ever.
type Path struct {
	Start kripke.State
	Steps []Step
	Loop  int
}

// Step is a move of a path.
type Step struct {
	Process int32 // in System.Processes, or kripke.Nobody
	To      kripke.State
}

// States returns the states of the path in two parts, the second one to be repeated for ever.
func (p *Path) States() (stem, loop []kripke.State) {
	states := []kripke.State{p.Start}
	for _, s := range p.Steps {
		states = append(states, s.To)
	}
	return states[:p.Loop], states[p.Loop : len(states)-1]
}

// AtomError says that a formula speaks about an atom which the system does not have.
type AtomError struct {
	Atom *temporal.Atom
	Err  error
}

func (e *AtomError) Error() string {
	return fmt.Sprintf("%d:%d: %v", e.Atom.Pos.Line, e.Atom.Pos.Col, e.Err)
}

// Unwrap returns what the system says about the name.
func (e *AtomError) Unwrap() error { return e.Err }

// Check decides f by the product of the graph and the tableau of !f (section 5.2): a path through both is a path of the graph on which f is
// false. Every path of the graph has to go on for ever: a state without moves is a *kripke.DeadEndError. Other errors are an *AtomError, or
// the cause of a context that ended.
func Check(ctx context.Context, g *kripke.Graph, fairness kripke.Fairness, f *temporal.Formula) (*Verdict, error) {
	if err := g.Total(); err != nil {
		return nil, err
	}
	c, err := newClosure(ctx, &temporal.Formula{Op: temporal.Not, X: f, Pos: f.Pos})
	if err != nil {
		return nil, err
	}
	letters, err := newLetters(g, f.Atoms())
	if err != nil || c.start == nil {
		return &Verdict{}, err
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
func (p *product) run(s *search) (*Verdict, error) {
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
			return &Verdict{p.path(stem, loop), pairs}, nil
		}
	}
	return &Verdict{Pairs: p.pairs.Len()}, nil
}

// path makes one of steps between pairs.
func (p *product) path(stem, loop []step) *Path {
	first := append(stem, loop...)[0]
	path := &Path{Loop: len(stem)}
	_, path.Start = p.parts(first.from)
	for _, s := range append(stem, loop...) {
		_, from := p.parts(s.from)
		i := int(s.edge) % len(p.system.Successors(from))
		path.Steps = append(path.Steps, Step{p.system.MovedBy(from)[i], p.system.Successors(from)[i]})
	}
	return path
}
