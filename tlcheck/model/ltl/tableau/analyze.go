package tableau

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

// analysis finds the ways to meet a set of formulas in a state, one after the other: the report's procedure analyze. It differs in that
//
//   - a choice of which one way is left is none, and is made before others;
//   - a choice that a way already meets is not made: that way asks for less than any other;
//   - a way is given up when it contradicts itself, or asks for as much as one that was found.
type analysis struct {
	*closure
	open  []*way // still to be looked at; the next one is the last
	found []*way
	// states says that ways are also told apart by what they say about the state: otherwise one that leaves less for later is enough.
	states bool
	work   int // done since the last look at the context, in words of sets
}

// way is a way to meet a set of formulas.
type way struct {
	asks      smallset.Set // that set, and what was chosen
	next      smallset.Set // what it leaves for the next state
	done      smallset.Set // of betas: those that need no choice any more
	postponed smallset.Set // of eventualities
}

// newWay returns a way with sets of its own, in one piece of memory.
func newWay(asks, done, postponed smallset.Set) *way {
	all := slices.Concat(asks, done, postponed)
	a, d := len(asks), len(asks)+len(done)
	return &way{asks: all[:a:a], done: all[a:d:d], postponed: all[d:]}
}

// asksLess reports whether every rest of a word that v allows is one that w allows.
func (w *way) asksLess(v *way) bool { return w.next.In(v.next) && w.postponed.In(v.postponed) }

// newAnalysis begins to analyze a set. letter is what is known about the state: literals; nil if nothing is.
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

// analyzedBetween is how much work is done between looks at the context: some milliseconds.
const analyzedBetween = 1 << 22

// ended reports whether the context has, after some more work.
func (a *analysis) ended(ctx context.Context, work int) bool {
	if a.work += work; a.work < analyzedBetween {
		return false
	}
	a.work = 0
	return ctx.Err() != nil
}

// next returns another way, nil if there is none. The error is the cause of a context that ended.
func (a *analysis) next(ctx context.Context) (*way, error) {
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

// covered reports whether a way was found that asks for no more.
func (a *analysis) covered(w *way) bool {
	return slices.ContainsFunc(a.found, func(v *way) bool {
		return v.asksLess(w) && (!a.states || a.saysLess(v, w))
	})
}

// saysLess reports whether all that v says about the state w says, too.
func (a *analysis) saysLess(v, w *way) bool {
	for i := range a.literals {
		if v.asks.Has(i) && !w.asks.Has(i) {
			return false
		}
	}
	return true
}

// propagate makes the choices that are none, and reports whether the way is still possible. It returns the β formula with the
// fewest choices, none if all are done. The error is the cause of a context that ended.
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
			c, left := a.left(w, &a.betas[i])
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

// left returns how many choices are left for a β formula. If it is one that asks for something new, it is returned.
func (a *analysis) left(w *way, b *beta) (one *choice, left int) {
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

// branch opens a way for each choice of a β formula, so that the first choice is looked at next.
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
