package tableau

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

// analysis enumerates the ways to satisfy a set of formulas in a state: procedure analyze of
// Sherman and Pnueli 1990, §4. It differs in these points:
//
//   - a choice with one possible alternative is not a choice, and is made before others;
//   - a choice that the way already satisfies is not made, since the way obliges to less than any
//     alternative;
//   - a way ends when it contradicts itself, or obliges to all that a known way does.
type analysis struct {
	*closure
	open  []*way // a stack of unfinished ways
	found []*way
	// states also distinguishes ways by their claims about the state. Otherwise a way with fewer
	// obligations replaces others.
	states bool
	work   int // since the last look at the context, in words of sets
}

// way is an alternative to satisfy a set of formulas.
type way struct {
	asks      smallset.Set // the set, and the choices made
	next      smallset.Set // obligations on the next state
	done      smallset.Set // β formulas that need no choice any more
	postponed smallset.Set // postponed eventualities
}

// newWay returns a way with sets of its own in one allocation.
func newWay(asks, done, postponed smallset.Set) *way {
	all := slices.Concat(asks, done, postponed)
	a, d := len(asks), len(asks)+len(done)
	return &way{asks: all[:a:a], done: all[a:d:d], postponed: all[d:]}
}

// asksLess reports whether w allows every rest of a word that v allows.
func (w *way) asksLess(v *way) bool { return w.next.In(v.next) && w.postponed.In(v.postponed) }

// newAnalysis begins the analysis of a set. letter has the known literals of the state; nil if none
// are known.
func newAnalysis(c *closure, asks, letter smallset.Set) *analysis {
	w := newWay(asks, smallset.New(len(c.betas)), smallset.New(c.eventualities))
	for i, literals := range letter {
		w.asks[i] |= literals
	}
	a := &analysis{closure: c}
	if !c.contradict(w.asks, w.asks) {
		a.open = []*way{w}
	}
	return a
}

// analyzedBetween is the work between two looks at the context: some milliseconds.
const analyzedBetween = 1 << 22

// ended adds work, and reports whether the context has ended.
func (a *analysis) ended(ctx context.Context, work int) bool {
	if a.work += work; a.work < analyzedBetween {
		return false
	}
	a.work = 0
	return ctx.Err() != nil
}

// nextWay returns the next way; nil if there are no more. The error is the cause of the end of the
// context.
func (a *analysis) nextWay(ctx context.Context) (*way, error) {
	for len(a.open) > 0 {
		w := a.open[len(a.open)-1]
		a.open = a.open[:len(a.open)-1]
		b, ok, err := a.propagate(ctx, w)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		w.next = a.after(w.asks)
		switch {
		case a.ended(ctx, len(a.found)*len(w.asks)):
			return nil, context.Cause(ctx)
		case a.covered(w):
		case b == none:
			a.found = append(a.found, w)
			return w, nil
		default:
			a.branch(w, b)
		}
	}
	return nil, nil
}

// covered reports whether some known way obliges to no more.
func (a *analysis) covered(w *way) bool {
	return slices.ContainsFunc(a.found, func(v *way) bool {
		return v.asksLess(w) && (!a.states || a.saysLess(v, w))
	})
}

// saysLess reports whether w includes all claims of v about the state.
func (a *analysis) saysLess(v, w *way) bool {
	for i := range a.literals {
		if v.asks.Has(i) && !w.asks.Has(i) {
			return false
		}
	}
	return true
}

// propagate makes the choices with one alternative. It reports whether the way is still possible,
// and returns the β formula with the fewest alternatives, none if all are done. The error is the
// cause of the end of the context.
func (a *analysis) propagate(ctx context.Context, w *way) (b int, ok bool, err error) {
	for again := true; again; {
		b, again = none, false
		fewest := 0
		for i := range a.betas {
			if w.done.Has(i) || !w.asks.Has(a.literals+len(a.nexts)+i) {
				continue
			}
			if a.ended(ctx, len(w.asks)*len(a.betas[i].choices)) {
				return none, false, context.Cause(ctx)
			}
			c, left := a.alternativesLeft(w, &a.betas[i])
			switch {
			case left == 0:
				return none, false, nil
			case left == 1:
				w.done.Add(i)
				if c != nil {
					a.choose(w, c)
					again = true
				}
			case b == none || left < fewest:
				b, fewest = i, left
			}
		}
	}
	return b, true, nil
}

// alternativesLeft returns the number of alternatives left for a β formula. If there is one with
// new obligations, it returns that.
func (a *analysis) alternativesLeft(w *way, b *beta) (one *choice, left int) {
	for i := range b.choices {
		c := &b.choices[i]
		if c.asks.In(w.asks) && (c.postponed == none || w.postponed.Has(c.postponed)) {
			return nil, 1
		}
		if !a.contradict(w.asks, c.asks) {
			one, left = c, left+1
		}
	}
	return one, left
}

func (a *analysis) choose(w *way, c *choice) {
	w.asks.Join(c.asks)
	if c.postponed != none {
		w.postponed.Add(c.postponed)
	}
}

// branch opens a way for each alternative of a β formula. The first one is next.
func (a *analysis) branch(w *way, b int) {
	w.done.Add(b)
	choices := a.betas[b].choices
	for i := range slices.Backward(choices) {
		if !a.contradict(w.asks, choices[i].asks) {
			v := newWay(w.asks, w.done, w.postponed)
			a.choose(v, &choices[i])
			a.open = append(a.open, v)
		}
	}
}
