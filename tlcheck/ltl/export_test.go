package ltl

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/temporal"
)

// Size makes all of the automaton of f, however many letters there are, and returns the number of its
// states, without the one before the first letter unless it is reached again.
func Size(ctx context.Context, f *temporal.Formula) (int, error) {
	a := New(f)
	again := 0
	for i := 0; i < len(a.states); i++ { // the list grows
		var ways []*way
		s := splitter{formula: a.formula, ctx: ctx,
			covered: func(w *way) bool { return slices.ContainsFunc(ways, func(v *way) bool { return v.includes(w) }) },
			found: func(w *way) bool {
				ways = append(slices.DeleteFunc(ways, w.includes), w)
				return true
			}}
		if err := s.split(a.states[i].todo); err != nil {
			return 0, err
		}
		for _, w := range ways {
			if a.intern(w.next, w.strong) == 0 {
				again = 1
			}
		}
	}
	return len(a.states) - 1 + again, nil
}

// includes reports whether w has all letters of v and leaves no more to do.
func (w *way) includes(v *way) bool { return w.asksLess(v) && w.pos.in(v.pos) && w.neg.in(v.neg) }

// SearchSize returns the number of states that Sat reaches, without the one before the first letter.
func SearchSize(ctx context.Context, f *temporal.Formula) (int, error) {
	s := &search{ctx: ctx, formula: newFormula(f)}
	_, _, err := s.run()
	return len(s.states) - 1, err
}
