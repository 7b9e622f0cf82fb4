package kripke

import (
	"context"
	"fmt"
	"math"
	"sync"
)

// Graph is a system all of whose states are known, with its moves. It may be read by many goroutines where its System may.
type Graph struct {
	System
	moves  lists  // where moves lead to
	movers movers // whose they are, in the same order

	backward func() rows // moves backward, made once
}

// rows are lists of states, one for each state, end to end.
type rows struct {
	first []int64 // where the row of a state begins in to; one more than there are states
	to    []State
}

func (r *rows) of(s State) []State { return r.to[r.first[s]:r.first[s+1]] }

// StoppedError says that the budget of an exploration ran out before all states were known.
type StoppedError struct {
	States int   // known by then
	Moves  int   // of them
	Cause  error // that of the context
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("%v after %d states and %d transitions", e.Cause, e.States, e.Moves)
}

// Unwrap returns the cause.
func (e *StoppedError) Unwrap() error { return e.Cause }

// exploredBetween is how many states and moves are explored between looks at the context.
const exploredBetween = 4096

// Explore finds all states and moves of a system, and those that cannot be reached if it knows any. When the context ends
// before, that is a *StoppedError.
func Explore(ctx context.Context, sys System) (*Graph, error) {
	g := &Graph{System: sys, movers: movers{known: map[uint64]int32{}}}
	g.backward = sync.OnceValue(g.reverse)
	err := visit(ctx, sys, func(_ State, moves []Move) {
		g.moves.add(moves)
		g.movers.add(moves)
	})
	if err != nil {
		return nil, err
	}
	g.movers.known = nil
	return g, nil
}

// Expand returns a *DeadEndError for a state without moves. All others are known.
func (g *Graph) Expand(s State) error {
	if len(g.Successors(s)) == 0 {
		return &DeadEndError{s, Text(g, s)}
	}
	return nil
}

// Hold is Expand: nothing is forgotten.
func (g *Graph) Hold(s State) error { return g.Expand(s) }

// Release releases what is held.
func (g *Graph) Release() {}

// Len returns the number of moves.
func (g *Graph) Len() int { return g.moves.n }

// Successors returns the state behind each move of s, in the order of Moves; it must not be changed.
func (g *Graph) Successors(s State) []State { return g.moves.of(s) }

// MovedBy returns the process of each move of s, beside Successors; it must not be changed.
func (g *Graph) MovedBy(s State) []int32 {
	return g.movers.of(s, len(g.moves.of(s)))
}

// Predecessors returns the states that have a move to s, one for each such move; it must not be changed. The first call
// makes the lists, in time linear in the moves.
func (g *Graph) Predecessors(s State) []State {
	r := g.backward()
	return r.of(s)
}

// reverse sorts the moves by the states they lead to, counting first how many each has.
func (g *Graph) reverse() rows {
	n := g.moves.first.Len()
	r := rows{first: make([]int64, n+1), to: make([]State, g.moves.n)}
	for _, chunk := range g.moves.chunks {
		for _, s := range chunk {
			r.first[s]++
		}
	}
	sum := int64(0)
	for s, count := range r.first {
		r.first[s] = sum
		sum += count
	}
	free := append([]int64(nil), r.first[:n]...)
	for s := range State(n) {
		for _, to := range g.moves.of(s) {
			r.to[free[to]] = s
			free[to]++
		}
	}
	return r
}

// MaxStates is how many states a system can have.
const MaxStates = math.MaxInt32
