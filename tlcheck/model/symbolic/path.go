package symbolic

import (
	"slices"
	"sort"

	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

func (s *Space) ShortestPath(from kripke.State, during, goal Set) ([]ctl.Step, bool, error) {
	steps, ok := s.shortest(from, during, goal)
	return steps, ok, nil
}

func (s *Space) shortest(from kripke.State, during, goal Set) ([]ctl.Step, bool) {
	if s.has(goal, from) {
		return nil, true
	}
	return s.nonemptyPath(from, during, goal)
}

// mostSteps limits the steps of operations in the search for a shortest path, to less than a
// second.
const mostSteps = 1 << 22

// nonemptyPath is ShortestPath with at least one step. It searches backward from the goal, since
// the goal often depends on few variables, until it finds a state to which from has a move.
func (s *Space) nonemptyPath(from kripke.State, during, goal Set) ([]ctl.Step, bool) {
	if !s.has(during, from) {
		return nil, false
	}
	moves := s.movesFrom(from)
	found := func(x Set) bool {
		return slices.ContainsFunc(moves, func(m kripke.Move) bool { return s.has(x, m.To) })
	}
	sets, ok := s.distanceLayers(during, goal, found)
	if !ok {
		return nil, false
	}
	var steps []ctl.Step
	for at := from; len(sets) > 0; at = lastState(from, steps) {
		var best ctl.Step
		for _, m := range s.movesFrom(at) {
			if i := sort.Search(len(sets), func(i int) bool { return s.has(sets[i], m.To) }); i < len(sets) {
				best, sets = ctl.Step{Process: m.Process, To: m.To}, sets[:i]
			}
		}
		steps = append(steps, best)
	}
	return steps, true
}

// distanceLayers returns growing sets of states from which a path through states of during leads to
// goal. The first set is goal, and the last one is the first for which found is true. States of
// each other one have a move into the one before.
//
// Each set has the states within a distance, until mostSteps is exceeded: states that have only
// their distance in common can make large diagrams. After that, processes move one after the other,
// and paths may be longer than necessary.
func (s *Space) distanceLayers(during, goal Set, found func(Set) bool) (sets []Set, ok bool) {
	first := s.table.Steps()
	sets = []Set{goal}
	for fresh := goal; s.table.Steps() <= first+s.exact; {
		met := sets[len(sets)-1]
		if found(met) {
			return sets, true
		}
		fresh = during.And(s.preimage(ctl.AnyProcess, fresh)).Minus(met)
		if fresh.IsFalse() {
			return nil, false
		}
		sets = append(sets, met.Or(fresh))
	}
	return s.nearerByProcess(during, goal, found)
}

// nearerByProcess continues distanceLayers when distances take too long.
func (s *Space) nearerByProcess(during, goal Set, found func(Set) bool) (sets []Set, ok bool) {
	sets = []Set{goal}
	if found(goal) {
		return sets, true
	}
	for i, same := 0, 0; same < len(s.moves); i = (i + 1) % len(s.moves) {
		met := sets[len(sets)-1]
		next := met.Or(during.And(met.Preimage(s.moves[i].relation)))
		if next.Equal(met) {
			same++
			continue
		}
		same = 0
		if sets = append(sets, next); found(next) {
			return sets, true
		}
	}
	return nil, false
}

// movesFrom returns the moves of a reachable state.
func (s *Space) movesFrom(from kripke.State) []kripke.Move {
	moves, err := s.sys.Moves(nil, from)
	if err != nil {
		panic(err) // New would have failed
	}
	return moves
}

func (s *Space) Lassos(during, goal Set) (func(kripke.State) (ctl.Lasso, error), error) {
	hull := s.hull(during, goal)
	return func(from kripke.State) (ctl.Lasso, error) {
		steps, _ := s.shortest(from, during, hull)
		around := s.component(lastState(from, steps), hull, goal)
		steps, _ = s.shortest(from, during, around.And(goal))
		return ctl.Lasso{Steps: append(steps, s.cycle(lastState(from, steps), around)...), Loop: len(steps)}, nil
	}, nil
}

// lastState returns the state after steps.
func lastState(from kripke.State, steps []ctl.Step) kripke.State {
	if len(steps) == 0 {
		return from
	}
	return steps[len(steps)-1].To
}

// component returns a strongly connected component of the hull that is reachable from a state and
// has a fair cycle and a state of goal. The last component on a path through the components has
// them.
func (s *Space) component(from kripke.State, hull, goal Set) Set {
	for {
		start := s.state(from)
		forward := s.after(start, hull).And(hull)
		backward := s.until(hull, start)
		component := forward.And(backward)
		if s.fairIn(component, goal) {
			return component
		}
		from = s.anyState(forward.Minus(backward))
	}
}

// fairIn reports whether a component has a fair cycle and a state of goal.
func (s *Space) fairIn(component, goal Set) bool {
	if component.And(goal).IsFalse() || component.And(s.preimage(ctl.AnyProcess, component)).IsFalse() {
		return false
	}
	for p := range s.enabled {
		if s.Fairness != kripke.Unfair && !s.content(component, int32(p)).Equal(component) {
			return false
		}
	}
	return true
}

// cycle returns a fair path from a state back to it within its component. It goes to a move of each
// process that has not moved yet, or for weak fairness to a state where the process has no move.
func (s *Space) cycle(from kripke.State, component Set) []ctl.Step {
	var steps []ctl.Step
	for p := range int32(len(s.enabled)) {
		if s.Fairness == kripke.Unfair ||
			slices.ContainsFunc(steps, func(step ctl.Step) bool { return step.Process == p }) {
			continue
		}
		content := s.preimage(p, component)
		if s.Fairness == kripke.Weak {
			content = content.Or(component.Minus(s.enabled[p]))
		}
		way, ok := s.shortest(lastState(from, steps), component, content.And(component))
		if !ok { // the process is never enabled here, so strong fairness does not demand it
			continue
		}
		steps = append(steps, way...)
		i := slices.IndexFunc(s.movesFrom(lastState(from, steps)), func(m kripke.Move) bool {
			return m.Process == p && s.has(component, m.To)
		})
		if i >= 0 {
			steps = append(steps, ctl.Step{Process: p, To: s.movesFrom(lastState(from, steps))[i].To})
		}
	}
	way, _ := s.shortest(lastState(from, steps), component, s.state(from))
	if len(steps) == 0 {
		way, _ = s.nonemptyPath(from, component, s.state(from))
	}
	return append(steps, way...)
}

// hull returns a subset of during from each state of which a fair path stays in the set and visits
// goal infinitely often. It includes all states on fair cycles with a state of goal.
//
// It is the greatest set z in which each state
//
//   - has a move into z,
//   - can reach goal in z, and
//   - for each process, can reach a state of z where the process moves into z (fairness process);
//     or where it moves into z or has no move (weak); or has no move of the process, or can reach
//     in z a state where it moves into z (strong).
//
// Paths that follow the last two for all processes in turn are fair (Emerson and Lei, "Efficient
// Model Checking in Fragments of the Propositional Mu-Calculus", 1986). For strong fairness they
// first go to states that can only reach each other in z, all of them. There a process that is
// enabled in one of the states moves in one of them (Kesten, Pnueli, Raviv and Shahar, "Model
// Checking with Strong Fairness", 2006).
func (s *Space) hull(during, goal Set) Set {
	z := during
	for {
		before := z
		z = z.And(s.preimage(ctl.AnyProcess, z))
		z = s.until(z, z.And(goal))
		if s.Fairness != kripke.Unfair {
			for p := range s.enabled {
				z = s.content(z, int32(p))
			}
		}
		if z.Equal(before) {
			return z
		}
	}
}

// content returns the states of z that satisfy the fairness of a process in z.
func (s *Space) content(z Set, process int32) Set {
	moves, idle := z.And(s.preimage(process, z)), z.Minus(s.enabled[process])
	switch s.Fairness {
	case kripke.Weak:
		return s.until(z, moves.Or(idle))
	case kripke.Strong:
		return idle.Or(s.until(z, moves))
	}
	return s.until(z, moves)
}
