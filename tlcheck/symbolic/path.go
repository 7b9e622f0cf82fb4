package symbolic

import (
	"slices"
	"sort"

	"github.com/antichain-go/antichain/tlcheck/ctl"
	"github.com/antichain-go/antichain/tlcheck/kripke"
)

// Way implements ctl.Space.
func (s *Space) Way(from kripke.State, during, goal Set) ([]ctl.Step, bool) {
	if s.has(goal, from) {
		return nil, true
	}
	return s.way(from, during, goal)
}

// mostSteps is how many steps of operations the search for a shortest way takes at most. That is less than a second.
const mostSteps = 1 << 22

// way is like Way, with at least one step. The search goes forward, breadth first, which makes sets of states that have nothing in common but
// their distance, and such sets can be large diagrams. When that has become too much, processes move one after the other: the way is not always
// a shortest one then.
func (s *Space) way(from kripke.State, during, goal Set) ([]ctl.Step, bool) {
	first := s.table.Steps()
	met := s.state(from)
	var before []Set // what was met before each round
	for len(before) == 0 || !met.Equal(before[len(before)-1]) {
		if s.table.Steps() > first+s.exact {
			return s.longWay(from, during, goal)
		}
		before = append(before, met)
		next := s.next(s.fresh(before).And(during))
		if end := next.And(goal); !end.IsFalse() {
			return s.back(before, during, s.some(end)), true
		}
		met = met.Or(next)
	}
	return nil, false
}

// fresh returns what has come last into growing sets.
func (s *Space) fresh(sets []Set) Set {
	last := sets[len(sets)-1]
	if len(sets) == 1 {
		return last
	}
	return last.Minus(sets[len(sets)-2])
}

// longWay is like way where that takes too long.
func (s *Space) longWay(from kripke.State, during, goal Set) ([]ctl.Step, bool) {
	met := s.state(from)
	before := []Set{met}
	if end := met.And(during).And(s.dead).And(goal); !end.IsFalse() {
		return s.back(before, during, from), true // it stutters, which is all that it does
	}
	for i, same := 0, 0; same < len(s.moves); i = (i + 1) % len(s.moves) {
		next := met.And(during).Image(s.moves[i].relation)
		if end := next.And(goal); !end.IsFalse() {
			return s.back(before, during, s.some(end)), true
		}
		if next = met.Or(next); next.Equal(met) {
			same++
			continue
		}
		met, same = next, 0
		before = append(before, met)
	}
	return nil, false
}

// back returns steps to a state that is met after growing sets of states, the first of which has one. Each comes from the earliest set it can.
func (s *Space) back(before []Set, during Set, to kripke.State) []ctl.Step {
	var steps []ctl.Step
	for len(before) > 0 {
		from := during.And(s.Before(ctl.Anybody, s.state(to)))
		earliest := sort.Search(len(before)-1, func(i int) bool { return !from.And(before[i]).IsFalse() })
		at := s.some(from.And(before[earliest]))
		i := slices.IndexFunc(s.from(at), func(m kripke.Move) bool { return m.To == to })
		steps = append(steps, ctl.Step{Process: s.from(at)[i].Process, To: to})
		to, before = at, before[:earliest]
	}
	slices.Reverse(steps)
	return steps
}

// from returns the moves of a state that can be reached.
func (s *Space) from(from kripke.State) []kripke.Move {
	moves, err := s.sys.Moves(nil, from)
	if err != nil {
		panic(err) // then there was no Space
	}
	return moves
}

// Lassos implements ctl.Space.
func (s *Space) Lassos(during, goal Set) func(kripke.State) ctl.Lasso {
	hull := s.hull(during, goal)
	return func(from kripke.State) ctl.Lasso {
		steps, _ := s.Way(from, during, hull)
		around := s.component(end(from, steps), hull, goal)
		steps, _ = s.Way(from, during, around.And(goal))
		return ctl.Lasso{Steps: append(steps, s.cycle(end(from, steps), around)...), Loop: len(steps)}
	}
}

// end returns the state where steps lead.
func end(from kripke.State, steps []ctl.Step) kripke.State {
	if len(steps) == 0 {
		return from
	}
	return steps[len(steps)-1].To
}

// component returns a strongly connected component of the hull that can be reached from a state of it, has a fair cycle and a state of goal. The
// last one on a way through the components has.
func (s *Space) component(from kripke.State, hull, goal Set) Set {
	for {
		start := s.state(from)
		forward := s.after(start, hull).And(hull)
		backward := s.Until(hull, start)
		component := forward.And(backward)
		if s.fairIn(component, goal) {
			return component
		}
		from = s.some(forward.Minus(backward))
	}
}

// fairIn reports whether a component has a fair cycle and a state of goal.
func (s *Space) fairIn(component, goal Set) bool {
	if component.And(goal).IsFalse() || component.And(s.Before(ctl.Anybody, component)).IsFalse() {
		return false
	}
	for p := range s.able {
		if s.Fairness != kripke.Unfair && !s.content(component, int32(p)).Equal(component) {
			return false
		}
	}
	return true
}

// cycle returns a fair way from a state back to it within its component. To each process that has not moved yet it goes where that
// can, or for weak fairness has no move.
func (s *Space) cycle(from kripke.State, component Set) []ctl.Step {
	var steps []ctl.Step
	for p := range int32(len(s.able)) {
		if s.Fairness == kripke.Unfair || slices.ContainsFunc(steps, func(step ctl.Step) bool { return step.Process == p }) {
			continue
		}
		content := s.Before(p, component)
		if s.Fairness == kripke.Weak {
			content = content.Or(component.Minus(s.able[p]))
		}
		way, ok := s.Way(end(from, steps), component, content.And(component))
		if !ok { // it has no move here, which is strongly fair
			continue
		}
		steps = append(steps, way...)
		i := slices.IndexFunc(s.from(end(from, steps)), func(m kripke.Move) bool { return m.Process == p && s.has(component, m.To) })
		if i >= 0 {
			steps = append(steps, ctl.Step{Process: p, To: s.from(end(from, steps))[i].To})
		}
	}
	way, _ := s.Way(end(from, steps), component, s.state(from))
	if len(steps) == 0 {
		way, _ = s.way(from, component, s.state(from))
	}
	return append(steps, way...)
}
