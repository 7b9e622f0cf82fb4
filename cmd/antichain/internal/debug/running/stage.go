package running

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// stage selects the tasks to hold for a step that an ordinary schedule would miss. It holds none
// for formulas of other forms than these:
//
//	F p               p a boolean combination of formulas about single tasks: for each way to
//	                  satisfy it, a task whose part holds waits for those of the other parts.
//	                  p & q has one way, p & q | r & s has two
//	!q U p            p and q about different tasks: those of q pause until p holds
//	F (p & f)         as F p, and from the first state on in which p holds as f
//	F (p & X f)       the same, from the next state on
type stage struct {
	ways            [][]part // for the first form, each with at least two parts
	pausedUntilGoal []string // tasks of q

	goal  *temporal.Formula // the end of the stage; nil for the last one
	next  *temporal.Formula // f
	later bool              // the next stage begins with the next state
}

// part is the conjunction of all that a way requires of one task.
type part struct {
	task string
	says []*temporal.Formula
}

// newStage returns the first stage of a formula.
func newStage(f *temporal.Formula) (s stage) {
	switch f.Op {
	case temporal.Eventually:
		now, next := divide(f.X)
		if now != nil {
			s.ways = waysTo(now)
		}
		if now != nil && len(next) == 1 {
			s.goal, s.next = now, next[0]
			if s.later = s.next.Op == temporal.Next; s.later {
				s.next = s.next.X
			}
		}
	case temporal.Until:
		if f.X.Op != temporal.Not || !f.X.X.Propositional() || !f.Y.Propositional() {
			break
		}
		late, early := tasksOf(f.X.X), tasksOf(f.Y)
		if !slices.ContainsFunc(late, func(t string) bool { return slices.Contains(early, t) }) {
			s.pausedUntilGoal = late
		}
	}
	return s
}

// divide splits a conjunction into the part about the present state, which may be nil, and those
// about later ones.
func divide(f *temporal.Formula) (now *temporal.Formula, next []*temporal.Formula) {
	for _, x := range members(f) {
		switch {
		case !x.Propositional():
			next = append(next, x)
		case now == nil:
			now = x
		default:
			now = &temporal.Formula{Op: temporal.And, X: now, Y: x}
		}
	}
	return now, next
}

func members(f *temporal.Formula) []*temporal.Formula {
	if f.Op == temporal.And {
		return append(members(f.X), members(f.Y)...)
	}
	return []*temporal.Formula{f}
}

// tasksOf returns the tasks of a formula, without repetitions.
func tasksOf(f *temporal.Formula) (tasks []string) {
	for _, a := range f.Atoms() {
		if !slices.Contains(tasks, a.Task) {
			tasks = append(tasks, a.Task)
		}
	}
	return tasks
}

// maxWays limits the ways, whose number may be exponential.
const maxWays = 64

// waysTo returns the ways to satisfy a boolean combination that have at least two parts. A way of
// one part needs no waiting.
func waysTo(f *temporal.Formula) (ways [][]part) {
	all, ok := disjuncts(f, false)
	if !ok {
		return nil
	}
	for _, says := range all {
		if parts := byTask(says); len(parts) > 1 {
			ways = append(ways, parts)
		}
	}
	return ways
}

// disjuncts returns the disjunctive normal form of f, or of its negation. Its literals are the
// largest subformulas about at most one task. It reports false if the form is too large.
func disjuncts(f *temporal.Formula, negated bool) ([][]*temporal.Formula, bool) {
	if len(tasksOf(f)) <= 1 {
		if negated {
			f = &temporal.Formula{Op: temporal.Not, X: f}
		}
		return [][]*temporal.Formula{{f}}, true
	}
	switch f.Op {
	case temporal.Not:
		return disjuncts(f.X, !negated)
	case temporal.Implies: // !x | y
		return combine(f.X, !negated, f.Y, negated, negated)
	case temporal.Iff: // x & y | !x & !y, and negated x & !y | !x & y
		same, ok := combine(f.X, false, f.Y, negated, true)
		other, ok2 := combine(f.X, true, f.Y, !negated, true)
		return append(same, other...), ok && ok2 && len(same)+len(other) <= maxWays
	}
	return combine(f.X, negated, f.Y, negated, (f.Op == temporal.And) != negated)
}

// combine returns the normal form of a conjunction or disjunction of two formulas. Each may be
// negated.
func combine(x *temporal.Formula, notX bool, y *temporal.Formula, notY,
	and bool) (all [][]*temporal.Formula, ok bool) {
	left, ok := disjuncts(x, notX)
	right, ok2 := disjuncts(y, notY)
	switch {
	case !ok || !ok2:
		return nil, false
	case !and:
		all = append(left, right...)
		return all, len(all) <= maxWays
	case len(left)*len(right) > maxWays:
		return nil, false
	}
	for _, l := range left {
		for _, r := range right {
			all = append(all, slices.Concat(l, r))
		}
	}
	return all, true
}

// byTask groups formulas by task. It omits those about no task.
func byTask(says []*temporal.Formula) (parts []part) {
	for _, x := range says {
		tasks := tasksOf(x)
		if len(tasks) == 0 {
			continue
		}
		i := slices.IndexFunc(parts, func(p part) bool { return p.task == tasks[0] })
		if i < 0 {
			i, parts = len(parts), append(parts, part{task: tasks[0]})
		}
		parts[i].says = append(parts[i].says, x)
	}
	return parts
}

// heldTasks returns the tasks to hold where these atoms are true, without repetitions.
func (s *stage) heldTasks(atom func(text string) bool) []string {
	held := slices.Clone(s.pausedUntilGoal)
	for _, parts := range s.ways {
		for _, p := range parts {
			if !slices.Contains(held, p.task) &&
				!slices.ContainsFunc(p.says, func(f *temporal.Formula) bool { return !isTrue(f, atom) }) {
				held = append(held, p.task)
			}
		}
	}
	return held
}

// isTrue evaluates a boolean combination of atoms.
func isTrue(f *temporal.Formula, atom func(text string) bool) bool {
	switch f.Op {
	case temporal.True:
		return true
	case temporal.Atomic:
		return atom(f.Atom.Text)
	case temporal.Not:
		return !isTrue(f.X, atom)
	case temporal.And:
		return isTrue(f.X, atom) && isTrue(f.Y, atom)
	case temporal.Or:
		return isTrue(f.X, atom) || isTrue(f.Y, atom)
	case temporal.Implies:
		return !isTrue(f.X, atom) || isTrue(f.Y, atom)
	case temporal.Iff:
		return isTrue(f.X, atom) == isTrue(f.Y, atom)
	}
	return false
}
