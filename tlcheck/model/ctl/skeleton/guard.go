package skeleton

import (
	"context"
	"fmt"
	"slices"
)

// guards finds the arcs of a process.
type guards struct {
	*extraction
	process int
	region  []int // of each state
}

// step is the effect of an arc.
type step struct {
	from, to int
	set      []Literal
	allowed  []int // states in which the model has a move with this effect
}

// arcs returns the arcs, ordered by their first states.
func (g *guards) arcs(ctx context.Context) []Arc {
	steps := map[string]*step{}
	var order []*step
	for s, moves := range g.moves {
		for _, m := range moves {
			if int(m.Process) != g.process {
				continue
			}
			st := &step{from: g.region[s], to: g.region[m.To], set: g.changes(s, int(m.To))}
			key := fmt.Sprint(*st)
			if steps[key] == nil {
				steps[key] = st
				order = append(order, st)
			}
			steps[key].allowed = append(steps[key].allowed, s)
		}
	}
	var arcs []Arc
	for _, st := range order {
		if ctx.Err() != nil {
			return nil
		}
		arcs = append(arcs, Arc{st.from, st.to, g.guard(st), st.set})
	}
	slices.SortStableFunc(arcs, func(a, b Arc) int { return a.From - b.From })
	return arcs
}

// changes returns the shared variables that a move changes, and the auxiliary one if it must be
// set.
func (g *guards) changes(s, to int) []Literal {
	var set []Literal
	for i, name := range g.atoms {
		if g.owner[i] != g.process && g.truth[s][i] != g.truth[to][i] {
			set = append(set, Literal{name, g.truth[to][i]})
		}
	}
	if g.twin[to] > 0 {
		set = append(set, Literal{g.turn(), g.twin[to]})
	}
	return set
}

// guard returns conditions that are true in the states in which the step is allowed, and in no
// other state of the model in the same region.
func (g *guards) guard(st *step) []Condition {
	var forbidden []int
	for s := range g.truth {
		if g.region[s] == st.from && !slices.Contains(st.allowed, s) {
			forbidden = append(forbidden, s)
		}
	}
	var conditions []condition
	for _, s := range st.allowed {
		covered := slices.ContainsFunc(conditions, func(c condition) bool { return g.valid(c, s) })
		if !covered {
			conditions = append(conditions, g.shortened(s, forbidden))
		}
	}
	guard := make([]Condition, len(conditions))
	for i, c := range conditions {
		guard[i] = c.literals(g.extraction)
	}
	return guard
}

// condition has for each atom its value, or any. The last element is the value of the auxiliary
// variable.
type condition []int

const anyValue = -1

// shortened returns a condition that is true in state s, reduced to the literals that exclude the
// forbidden states. Negative literals are removed first, since most of them follow from positive
// ones.
func (g *guards) shortened(s int, forbidden []int) condition {
	c := append(condition(slices.Clone(g.truth[s])), anyValue)
	if g.twin[s] > 0 {
		c[len(g.atoms)] = g.twin[s]
	}
	for i, p := range g.owner {
		if p == g.process {
			c[i] = anyValue
		}
	}
	for _, value := range []int{0, 1} {
		for i := range g.atoms {
			if c[i] == value {
				g.drop(c, i, forbidden)
			}
		}
	}
	g.drop(c, len(g.atoms), forbidden)
	return c
}

// drop allows any value of variable i, unless a forbidden state could then satisfy the condition.
func (g *guards) drop(c condition, i int, forbidden []int) {
	value := c[i]
	c[i] = anyValue
	if slices.ContainsFunc(forbidden, func(s int) bool { return g.satisfiable(c, s) }) {
		c[i] = value
	}
}

// satisfiable reports whether a condition can be true in a state. The auxiliary variable may have
// any value where there are no twins.
func (g *guards) satisfiable(c condition, s int) bool {
	for i, value := range g.truth[s] {
		if c[i] != anyValue && c[i] != value {
			return false
		}
	}
	turn := c[len(g.atoms)]
	return turn == anyValue || g.twin[s] == 0 || g.twin[s] == turn
}

// valid reports whether a condition is true in a state for all values that the auxiliary variable
// can have there.
func (g *guards) valid(c condition, s int) bool {
	return g.satisfiable(c, s) && (c[len(g.atoms)] == anyValue || g.twin[s] > 0)
}

func (c condition) literals(x *extraction) Condition {
	r := Condition{}
	for i, value := range c {
		switch {
		case value == anyValue:
		case i < len(x.atoms):
			r = append(r, Literal{x.atoms[i], value})
		default:
			r = append(r, Literal{x.turn(), value})
		}
	}
	return r
}
