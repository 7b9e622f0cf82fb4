package interleaving

import (
	"errors"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// Place is a marked place with a value.
type Place struct{ Mark, Value int }

// Pair is two places that goroutines are in at the same time, the one with the smaller mark first.
type Pair [2]Place

// Reached is what a program can do.
type Reached struct {
	Places   map[Place]bool
	Pairs    map[Pair]bool
	Failures map[Failure]bool
	States   int

	m     *machine
	all   []state
	edges [][]edge
	moves []uint64 // goroutines that can still do something, by state; made by the first question
}

// edge is a step between states.
type edge struct {
	to     int
	movers uint64
}

// ErrLimit is the error of programs with too many states.
var ErrLimit = errors.New("too many states")

// Explore finds all states of a program, at most so many.
func Explore(p *program.Program, limit int) (*Reached, error) {
	c, err := compile(p)
	if err != nil {
		return nil, err
	}
	m := newMachine(c)
	r := &Reached{Places: make(map[Place]bool), Pairs: make(map[Pair]bool), Failures: m.failures, m: m}
	known := make(map[string]int)
	number := func(s state) int {
		if n, ok := known[string(s)]; ok {
			return n
		}
		known[string(s)] = len(r.all)
		r.all = append(r.all, s)
		return len(r.all) - 1
	}
	number(m.initial())
	for i := 0; i < len(r.all); i++ {
		if len(r.all) > limit {
			return nil, ErrLimit
		}
		r.look(r.all[i])
		var edges []edge
		for _, st := range m.successors(r.all[i]) {
			edges = append(edges, edge{number(st.to), st.movers})
		}
		r.edges = append(r.edges, edges)
		if m.bad != nil {
			return nil, m.bad
		}
	}
	r.States = len(r.all)
	return r, nil
}

// look notes the places and pairs of a state.
func (r *Reached) look(s state) {
	var here [64]Place
	n := 0
	for t := range r.m.tasks {
		if k := *of(s, t, mark); k != 0 {
			here[n] = Place{int(k) - 1, int(int8(*of(s, t, markValue)))}
			n++
		}
	}
	for i, a := range here[:n] {
		r.Places[a] = true
		for _, b := range here[:i] {
			r.Pairs[NewPair(a, b)] = true
		}
	}
}

// NewPair is the pair of two places.
func NewPair(a, b Place) Pair {
	if b.Mark < a.Mark {
		a, b = b, a
	}
	return Pair{a, b}
}
