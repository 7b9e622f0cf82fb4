package linearizability

import (
	"context"
	"math"
)

// Verdict is the result of a check of a history.
type Verdict uint8

// The verdicts. A history is Undecided if a context ended before the search did.
const (
	Undecided Verdict = iota
	Linearizable
	Violated
)

// String returns "undecided", "linearizable" or "violated".
func (v Verdict) String() string {
	return [...]string{"undecided", "linearizable", "violated"}[v]
}

// Result says whether a history is linearizable, and why.
type Result struct {
	Verdict Verdict

	// Order has, if it is linearizable, the operations of each object, or of each part of one, in
	// an order that explains their results. Operations that have not returned may be missing.
	Order [][]int

	// Evidence shows, if it is violated, where.
	Evidence *Evidence

	// Positions is the number of positions that the search has visited.
	Positions int
}

// Evidence shows why a history is not linearizable. Operations are indices in the history.
type Evidence struct {
	// Operation is the first one, in the order of returns, with which what has returned until then
	// cannot be explained.
	Operation int

	// Before are the operations of the same object, or of its same part, that had returned before,
	// in the order of their returns; Overlapping are those that were called before it returned and
	// had not.
	Before, Overlapping []int

	// States are states in which the object could be when nothing but Operation was left to be
	// placed, at most as many as MaxStates.
	States []State

	// Events is, of CheckOrders, an order of the calls and returns that cannot be explained.
	Events []Event
}

// MaxStates is the largest number of states in Evidence.
const MaxStates = 8

// Check decides whether a history is linearizable with respect to a model. It returns an error if
// the model does not know an operation. If the context ends before it is decided, the history is
// Undecided.
func Check(ctx context.Context, m Model, ops []*Operation) (*Result, error) {
	return CheckWithin(ctx, m, ops, math.MaxInt)
}

// CheckWithin is Check that visits about so many positions at most. A history that needs more is
// Undecided.
func CheckWithin(ctx context.Context, m Model, ops []*Operation, positions int) (*Result, error) {
	shares, err := divide(m, ops)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return &Result{}, nil
	}
	r := &Result{Verdict: Linearizable, Order: make([][]int, len(shares))}
	searches := make([]*search, len(shares))
	for most := firstTurn; ; most *= 2 {
		open := false
		for i, share := range shares {
			if r.Order[i] != nil {
				continue
			}
			if searches[i] == nil {
				searches[i] = newSearch(share)
			}
			s := searches[i]
			before := s.count()
			last, done := s.run(ctx, most)
			r.Positions += s.count() - before
			switch {
			case !done && ctx.Err() != nil:
				return &Result{Positions: r.Positions}, nil
			case !done:
				open = true
			case last == none:
				r.Verdict, r.Order, r.Evidence = Violated, nil, s.evidence()
				return r, nil
			default:
				r.Order[i], searches[i] = s.order(last), nil
			}
		}
		switch {
		case !open:
			return r, nil
		case r.Positions > positions:
			return &Result{Positions: r.Positions}, nil
		}
	}
}

// firstTurn is the number of steps that the search for each object may take before the next object
// has its turn. Later turns are longer. An object that is hard thus does not delay a violation of
// another one.
const firstTurn = 256

// evidence shows the first return that no position passes.
func (s *search) evidence() *Evidence {
	e := min(s.furthest, len(s.returns)-1)
	index := s.index
	shown := &Evidence{Operation: index[s.returns[e]]}
	for _, op := range s.returns[:e] {
		shown.Before = append(shown.Before, index[op])
	}
	for _, op := range s.pending[e][1:] {
		shown.Overlapping = append(shown.Overlapping, index[op])
	}
	for _, op := range s.open[:s.unfinished[e]] {
		shown.Overlapping = append(shown.Overlapping, index[op])
	}
	seen := map[int32]bool{}
	for n := 0; n < s.count() && len(shown.States) < MaxStates; n++ {
		at, state := s.load(int32(n))
		if at == e && !seen[state] {
			seen[state] = true
			shown.States = append(shown.States, s.states.all[state])
		}
	}
	return shown
}
