package running

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/steps"
	"github.com/antichain-go/antichain/tlcheck/temporal"
)

// guide says who must be held so that a step can come about that an ordinary schedule would miss. Two forms of formulas
// are known; for all others nobody is held.
//
//	F (p & q & …)   each of p, q, … about one task: a task whose part holds waits for the others'
//	!q U p          p and q about different tasks: those of q do nothing before p holds
type guide struct {
	parts []part   // of the first form; at least two
	wait  []string // tasks of q
}

// part is the conjunction of all that a goal says of one task.
type part struct {
	task string
	says []*temporal.Formula
}

// newGuide returns the guide to a formula.
func newGuide(f *temporal.Formula) guide {
	switch f.Op {
	case temporal.Eventually:
		if parts := partsOf(f.X); len(parts) > 1 {
			return guide{parts: parts}
		}
	case temporal.Until:
		if f.X.Op != temporal.Not || !steps.Propositional(f.X.X) || !steps.Propositional(f.Y) {
			break
		}
		late, early := tasksOf(f.X.X), tasksOf(f.Y)
		if !slices.ContainsFunc(late, func(t string) bool { return slices.Contains(early, t) }) {
			return guide{wait: late}
		}
	}
	return guide{}
}

// partsOf takes a conjunction apart, nil if some member is not about exactly one task.
func partsOf(f *temporal.Formula) (parts []part) {
	for _, x := range members(f) {
		tasks := tasksOf(x)
		if len(tasks) != 1 || !steps.Propositional(x) {
			return nil
		}
		i := slices.IndexFunc(parts, func(p part) bool { return p.task == tasks[0] })
		if i < 0 {
			i, parts = len(parts), append(parts, part{task: tasks[0]})
		}
		parts[i].says = append(parts[i].says, x)
	}
	return parts
}

// members returns the members of a conjunction.
func members(f *temporal.Formula) []*temporal.Formula {
	if f.Op == temporal.And {
		return append(members(f.X), members(f.Y)...)
	}
	return []*temporal.Formula{f}
}

// tasksOf returns the tasks that a formula is about, each once.
func tasksOf(f *temporal.Formula) (tasks []string) {
	for _, a := range f.Atoms() {
		if !slices.Contains(tasks, a.Task) {
			tasks = append(tasks, a.Task)
		}
	}
	return tasks
}

// held returns the tasks to be held where these atoms are true.
func (g *guide) held(atom func(text string) bool) []string {
	held := slices.Clone(g.wait)
	for _, p := range g.parts {
		if !slices.ContainsFunc(p.says, func(f *temporal.Formula) bool { return !isTrue(f, atom) }) {
			held = append(held, p.task)
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
