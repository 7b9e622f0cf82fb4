package ltl

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Edge leads to a state by every letter that includes some atoms and excludes others.
type Edge struct {
	To          int
	True, False []int // atoms
}

// Edges returns all edges of a state. If one edge has all letters of another one and obliges to no
// more, the other is omitted.
func (a *LazyAutomaton) Edges(ctx context.Context, from int) ([]Edge, error) {
	var ways []*way
	s := splitter{formula: a.formula, ctx: ctx,
		covered: func(w *way) bool { return slices.ContainsFunc(ways, func(v *way) bool { return v.includes(w) }) },
		found: func(w *way) bool {
			ways = append(slices.DeleteFunc(ways, w.includes), w)
			return true
		}}
	if err := s.split(a.states[from].todo); err != nil {
		return nil, err
	}
	edges := make([]Edge, len(ways))
	for i, w := range ways {
		edges[i] = Edge{a.intern(w.next, w.strong), slices.Collect(w.pos.All()), slices.Collect(w.neg.All())}
	}
	return edges, nil
}

// includes reports whether w has all letters of v and obliges to no more.
func (w *way) includes(v *way) bool { return w.asksLess(v) && w.pos.In(v.pos) && w.neg.In(v.neg) }

// States returns the number of states made. After Edges was called for each of them, there are no
// others.
func (a *LazyAutomaton) States() int { return len(a.states) }

// Size makes the whole automaton of f, and returns the number of its states. The initial state
// counts only if it is reached again.
func Size(ctx context.Context, f *temporal.Formula) (int, error) {
	a, again := New(f), 0
	for s := 0; s < a.States(); s++ { // the loop adds states
		edges, err := a.Edges(ctx, s)
		if err != nil {
			return 0, err
		}
		if slices.ContainsFunc(edges, func(e Edge) bool { return e.To == a.Initial() }) {
			again = 1
		}
	}
	return a.States() - 1 + again, nil
}
