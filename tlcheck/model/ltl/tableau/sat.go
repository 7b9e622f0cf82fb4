package tableau

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Lasso is an infinite word: the stem, and then the loop repeated for ever. A letter lists the true
// atoms. The loop has at least one letter.
type Lasso struct {
	Stem [][]string `json:"stem"`
	Loop [][]string `json:"loop"`
}

// Answer is the result of Sat and Valid.
type Answer struct {
	Model  *Lasso  // a word that satisfies the formula; nil if there is none
	Reason *Reason // if there is no model
}

// Sat decides whether some infinite word satisfies f. Irrelevant atoms are false in the model. The
// error is the cause of the end of the context.
func Sat(ctx context.Context, f *temporal.Formula) (*Answer, error) {
	c, err := newClosure(ctx, f)
	if err != nil {
		return nil, err
	}
	if c.start == nil {
		return &Answer{Reason: &Reason{}}, nil
	}
	t, err := newConstruction(ctx, c)
	if err != nil {
		return nil, err
	}
	why := &removals{construction: t}
	s := &search{graph: wordGraph{t}, contextPoll: contextPoll{ctx: ctx}, marks: c.eventualities, removed: why.add}
	component, err := s.searchFrom(0)
	switch {
	case err != nil:
		return nil, err
	case component == nil:
		return &Answer{Reason: &why.reason}, nil
	}
	stem, loop, err := s.lasso([]int32{0}, component, allBelow(c.eventualities))
	if err != nil {
		return nil, err
	}
	m := &Lasso{}
	if m.Stem, err = t.letters(stem); err != nil {
		return nil, err
	}
	m.Loop, err = t.letters(loop)
	return &Answer{Model: m}, err
}

// Valid decides whether all infinite words satisfy f. The model of its answer is a counterexample.
func Valid(ctx context.Context, f *temporal.Formula) (*Answer, error) {
	return Sat(ctx, &temporal.Formula{Op: temporal.Not, X: f, Pos: f.Pos})
}

// allBelow returns the set of all numbers below n.
func allBelow(n int) smallset.Set {
	s := smallset.New(n)
	for i := range n {
		s.Add(i)
	}
	return s
}

// wordGraph is a construction without a system as a graph. The marks of an edge are the
// eventualities that it does not postpone.
type wordGraph struct{ *construction }

func (g wordGraph) enter(int32) error { return nil }
func (g wordGraph) leave(int32) error { return nil }

func (g wordGraph) edge(node, i int32, marks smallset.Set) (to, next int32, err error) {
	e, err := g.construction.edge(labelledNode{node, none}, nil, int(i))
	if e == nil || err != nil {
		return 0, 0, err
	}
	g.fulfils(e, marks)
	return e.to, i + 1, nil
}

// fulfils adds the eventualities that an edge does not postpone.
func (t *construction) fulfils(e *edge, marks smallset.Set) {
	for i := range t.eventualities {
		if !e.postponed.Has(i) {
			marks.Add(i)
		}
	}
}

func (t *construction) letters(path []step) ([][]string, error) {
	letters := [][]string{}
	for _, s := range path {
		e, err := t.edge(labelledNode{s.from, none}, nil, int(s.edge))
		if err != nil {
			return nil, err
		}
		letter := []string{}
		for i, name := range t.atoms {
			if e.literals.Has(2 * i) {
				letter = append(letter, name)
			}
		}
		letters = append(letters, letter)
	}
	return letters, nil
}
