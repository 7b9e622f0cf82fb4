package ltl

import (
	"context"
	"encoding/binary"
	"slices"
)

// Subsets is the subset construction: a deterministic automaton whose states are the sets of states
// that another one can be in. It decides for each prefix whether it satisfies the formula, without
// guessing.
type Subsets struct {
	Automaton
	asksLess func(x, y int) bool // the simulation of the other automaton; nil if unknown
	states   [][]int
	index    map[string]int
	steps    []map[string]int
}

// NewSubsets makes a deterministic automaton of another one on demand.
func NewSubsets(a Automaton) *Subsets {
	s := &Subsets{Automaton: a, index: map[string]int{}}
	if ordered, ok := a.(interface{ asksLess(x, y int) bool }); ok {
		s.asksLess = ordered.asksLess
	}
	s.intern([]int{a.Initial()})
	return s
}

func (s *Subsets) Initial() int { return 0 }

func (s *Subsets) Accepting(state int) bool {
	return slices.ContainsFunc(s.states[state], s.Automaton.Accepting)
}

// Dead reports whether no continuation of a word that leads to the state satisfies the formula.
func (s *Subsets) Dead(state int) bool { return len(s.states[state]) == 0 }

func (s *Subsets) Successors(ctx context.Context, from int, letter func(atom int) bool) ([]int, error) {
	to, err := s.Next(ctx, from, letter)
	return []int{to}, err
}

// Next returns the successor by a letter.
func (s *Subsets) Next(ctx context.Context, from int, letter func(atom int) bool) (int, error) {
	read := readLetter(len(s.Atoms()), letter)
	key := read.Key()
	if to, ok := s.steps[from][key]; ok {
		return to, nil
	}
	var union []int
	for _, x := range s.states[from] {
		to, err := s.Automaton.Successors(ctx, x, read.Has)
		if err != nil {
			return 0, err
		}
		union = append(union, to...)
	}
	to := s.intern(s.minimal(union))
	s.steps[from][key] = to
	return to, nil
}

// minimal returns the states, in order, that ask for less than any other.
func (s *Subsets) minimal(states []int) []int {
	slices.Sort(states)
	states = slices.Compact(states)
	if s.asksLess == nil {
		return states
	}
	return slices.DeleteFunc(slices.Clone(states), func(x int) bool {
		return slices.ContainsFunc(states, func(y int) bool { return y != x && s.asksLess(y, x) })
	})
}

func (s *Subsets) intern(states []int) int {
	var key []byte
	for _, x := range states {
		key = binary.AppendUvarint(key, uint64(x))
	}
	i, ok := s.index[string(key)]
	if !ok {
		i = len(s.states)
		s.states = append(s.states, states)
		s.steps = append(s.steps, map[string]int{})
		s.index[string(key)] = i
	}
	return i
}
