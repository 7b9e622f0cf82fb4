package kripke

import (
	"context"
	"fmt"
	"math"
	"sync"
)

// Graph is a system whose states and moves are all known. Many goroutines may read it if they may
// read its System.
type Graph struct {
	System
	moves  lists  // targets of the moves
	movers movers // their processes, in the same order

	backward func() rows // reversed moves, computed once
}

// rows are lists of states, one for each state, end to end.
type rows struct {
	// where the row of a state begins in to; its length is the number of states plus 1
	first []int64
	to    []State
}

func (r *rows) row(s State) []State { return r.to[r.first[s]:r.first[s+1]] }

// StoppedError reports that an exploration ended before all states were known.
type StoppedError struct {
	States int   // known so far
	Moves  int   // known so far
	Cause  error // the cause of the context
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("%v after %d states and %d transitions", e.Cause, e.States, e.Moves)
}

func (e *StoppedError) Unwrap() error { return e.Cause }

// exploredBetween is the number of states and moves that are explored between two checks of the
// context.
const exploredBetween = 4096

// Explore computes all states and moves of a system, including unreachable states that it knows. If
// the context ends first, the error is a *StoppedError.
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

// Expand returns a *DeadEndError for a state without moves. All other states are expanded already.
func (g *Graph) Expand(s State) error {
	if len(g.Successors(s)) == 0 {
		return &DeadEndError{s, Text(g, s)}
	}
	return nil
}

// Hold is Expand, since a graph keeps all moves.
func (g *Graph) Hold(s State) error { return g.Expand(s) }

// Release does nothing.
func (g *Graph) Release() {}

// Len returns the number of moves.
func (g *Graph) Len() int { return g.moves.n }

// Successors returns the targets of the moves of s, in the order of Moves. The caller must not
// change them.
func (g *Graph) Successors(s State) []State { return g.moves.list(s) }

// MovedBy returns the processes of the moves of s, in the order of Successors. The caller must not
// change them.
func (g *Graph) MovedBy(s State) []int32 {
	return g.movers.list(s, len(g.moves.list(s)))
}

// Predecessors returns the sources of the moves to s, one for each move. The caller must not change
// them. The first call reverses all moves, in linear time.
func (g *Graph) Predecessors(s State) []State {
	r := g.backward()
	return r.row(s)
}

// reverse sorts the moves by their targets with a counting sort.
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
		for _, to := range g.moves.list(s) {
			r.to[free[to]] = s
			free[to]++
		}
	}
	return r
}

// MaxStates is the largest number of states that a State can number.
const MaxStates = math.MaxInt32

// reversedGraph is a graph with its moves turned around.
type reversedGraph struct{ *Graph }

// Backward returns the system with the states of a graph and its moves reversed.
func Backward(g *Graph) System { return reversedGraph{g} }

// Moves implements System.
func (b reversedGraph) Moves(dst []Move, s State) ([]Move, error) {
	last := State(-1)
	for _, from := range b.Predecessors(s) {
		if from == last {
			continue // one move stands for all from there
		}
		last = from
		moves, err := b.System.Moves(nil, from)
		if err != nil {
			return dst, err
		}
		for _, m := range moves {
			if m.To == s {
				dst = append(dst, Move{To: from, Process: m.Process, Action: m.Action})
			}
		}
	}
	return dst, nil
}

// Label implements System: the label of the original move.
func (b reversedGraph) Label(s State, m Move) string {
	return b.System.Label(m.To, Move{To: s, Process: m.Process, Action: m.Action})
}
