package skeleton

import (
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// SliceSpec writes the safety part of the specification in the slice logic, for programs that use the package that Go writes by
// this name. What a trace has of it is its variable moved: of each goroutine, the move that it made last.
//
// A process changes the variables under the lock, so moves come one after the other, and the states that they lead to are all that there are
// but the first one. What is always true is said of each of these; and where it is about atoms of several processes, also of the goroutines
// that run them, in all slices, which finds out that a lock is missing where no state was wrong. What is said of next states is said of both ends of a
// move, and of the first state where the first move begins.
func (s *Synthesis) SliceSpec(name string) string {
	w := &specWriter{Skeletons: s.Skeletons, fields: s.Skeletons.fieldNames(), moved: name + ".moved", left: map[string][]conjunct{}}
	w.printf("// The safety part of a specification in branching time logic, for programs in which package %s has one monitor. To check it while such a\n", name)
	w.printf("// program runs: antichain run --live --spec %s.tl PACKAGE\n//\n", name)
	w.printf("// %s is what the process of a goroutine did last: a move from one state of the monitor to another.\n", w.moved)
	for _, c := range conjuncts(s.Formula, false) {
		w.conjunct(c)
	}
	for _, why := range []string{possibility, promise, future, neither, long} {
		if len(w.left[why]) == 0 {
			continue
		}
		w.printf("\n// Left out, since %s:\n//\n", why)
		for _, c := range w.left[why] {
			w.printf("//	%s\n", c)
		}
	}
	return w.text.String()
}

// conjunct is a part of a specification that stands for itself.
type conjunct struct {
	formula *temporal.Formula
	always  bool // it is said of all states
}

// conjuncts takes a formula apart.
func conjuncts(f *temporal.Formula, always bool) []conjunct {
	switch {
	case f.Op == temporal.And:
		return append(conjuncts(f.X, always), conjuncts(f.Y, always)...)
	case f.Op == temporal.AG:
		return conjuncts(f.X, true)
	case f.Op == temporal.Implies && f.Y.Op == temporal.And && !propositional(f.Y):
		var cs []conjunct
		for _, side := range []*temporal.Formula{f.Y.X, f.Y.Y} {
			cs = append(cs, conjuncts(&temporal.Formula{Op: temporal.Implies, X: f.X, Y: side}, always)...)
		}
		return cs
	}
	return []conjunct{{f, always}}
}

// String writes the conjunct as it would stand in the specification.
func (c conjunct) String() string {
	if c.always {
		return (&temporal.Formula{Op: temporal.AG, X: c.formula}).String()
	}
	return c.formula.String()
}

// propositional reports whether a formula is about one state.
func propositional(f *temporal.Formula) bool {
	return f == nil || f.Op <= temporal.Iff && propositional(f.X) && propositional(f.Y)
}

// specWriter writes a specification.
type specWriter struct {
	*Skeletons
	fields map[string]string
	moved  string // the variable
	text   strings.Builder
	count  int                   // conjuncts
	left   map[string][]conjunct // what is left out, by the reason
}

func (w *specWriter) printf(form string, args ...any) { fmt.Fprintf(&w.text, form, args...) }

// conjunct writes properties for a conjunct, or why there are none.
func (w *specWriter) conjunct(c conjunct) {
	w.count++
	step, isStep := stepOf(c.formula)
	switch {
	case length(c.formula) > maxLength:
		w.leave(c, long)
	case propositional(c.formula) && c.always:
		w.invariant(c)
	case propositional(c.formula):
		w.start(c)
	case isStep && c.always:
		w.step(c, step)
	default:
		w.leave(c, whyNot(c))
	}
}

func (w *specWriter) leave(c conjunct, why string) { w.left[why] = append(w.left[why], c) }

// Why a conjunct has no properties.
const (
	possibility = "it says what can happen, and a trace shows what did"
	promise     = "it promises what may still come when a trace ends"
	future      = "it is about the future of the first state alone"
	neither     = "it is neither about one state nor about one move"
	long        = "it is too long in the slice logic, which has no <->"
)

// maxLength is how many operators and atoms a conjunct may have in the slice logic.
const maxLength = 1 << 14

// length returns how many f has there, or that they are too many. The slice logic has no <->: both operands are written twice.
func length(f *temporal.Formula) int {
	if f == nil {
		return 0
	}
	n := 1 + length(f.X) + length(f.Y)
	if f.Op == temporal.Iff {
		n *= 2
	}
	return min(n, maxLength+1)
}

func whyNot(c conjunct) string {
	switch {
	case has(c.formula, temporal.EX, temporal.EF, temporal.EG, temporal.EGF, temporal.EU, temporal.ER, temporal.EW):
		return possibility
	case has(c.formula, temporal.AF, temporal.AU, temporal.AFG):
		return promise
	case !c.always:
		return future
	}
	return neither
}

func has(f *temporal.Formula, ops ...temporal.Op) bool {
	return f != nil && (slices.Contains(ops, f.Op) || has(f.X, ops...) || has(f.Y, ops...))
}

// invariant writes that f is always true: of the states that moves lead to, and of goroutines.
func (w *specWriter) invariant(c conjunct) {
	w.printf("\n// %s\nproperty invariant%d: t:(%s)\n", c, w.count, w.local(c.formula, ".to", temporal.Invalid))
	if ps := w.owners(c.formula); len(ps) > 1 && ps[0] != Shared {
		var are []string
		for _, p := range ps {
			are = append(are, fmt.Sprintf("%s:(%s)", w.tiv(p), w.is(p)))
		}
		w.printf("property goroutines%d: %s -> %s\n", w.count, strings.Join(are, " and "), w.global(c.formula, temporal.Implies))
	}
}

// start writes that f is true at first.
func (w *specWriter) start(c conjunct) {
	w.printf("\n// %s\nproperty start%d: t:(%s.first -> %s)\n", c, w.count, w.moved, w.local(c.formula, ".from", temporal.Implies))
}

// step writes what a formula says of moves.
func (w *specWriter) step(c conjunct, s *stepFormula) {
	var when []string
	if s.process != "" {
		when = append(when, fmt.Sprintf("%s.process == %q", w.moved, s.process))
	}
	if s.when.Op != temporal.True {
		when = append(when, w.local(s.when, ".from", temporal.And))
	}
	text := w.local(s.after, ".to", temporal.Implies)
	if len(when) > 0 {
		text = strings.Join(when, " and ") + " -> " + text
	}
	w.printf("\n// %s\nproperty step%d: t:(%s)\n", c, w.count, text)
}

// is says that a goroutine runs a process.
func (w *specWriter) is(p int) string {
	return fmt.Sprintf("%s.process == %q", w.moved, w.Processes[p].Name)
}

// tiv returns the placeholder for the goroutine of a process.
func (w *specWriter) tiv(p int) string { return fmt.Sprintf("t%d", p+1) }

// owners returns the processes to which the atoms of f belong, ascending.
func (w *specWriter) owners(f *temporal.Formula) []int {
	var ps []int
	for _, a := range f.Atoms() {
		for _, v := range w.Variables {
			if v.Name == a.Text && !slices.Contains(ps, v.Process) {
				ps = append(ps, v.Process)
			}
		}
	}
	slices.Sort(ps)
	return ps
}

// words are the connectives of the slice logic.
var words = map[temporal.Op]string{temporal.And: "and", temporal.Or: "or", temporal.Implies: "->"}

// local writes a formula about the state at one end of a move, as an operand of another operator, if there is one.
func (w *specWriter) local(f *temporal.Formula, end string, outer temporal.Op) string {
	return connected(f, outer, func(f *temporal.Formula) (string, bool) {
		switch f.Op {
		case temporal.True, temporal.False:
			return f.String(), true
		case temporal.Atomic:
			return w.moved + end + "." + w.fields[f.Atom.Text], true
		}
		return "", false
	})
}

// global writes a formula about the goroutines whose processes the atoms belong to.
func (w *specWriter) global(f *temporal.Formula, outer temporal.Op) string {
	return connected(f, outer, func(f *temporal.Formula) (string, bool) {
		ps := w.owners(f)
		if len(ps) > 1 {
			return "", false
		}
		p := 0 // true and false may be said of anybody
		if len(ps) == 1 {
			p = ps[0]
		}
		return fmt.Sprintf("%s:(%s)", w.tiv(p), w.local(f, ".to", temporal.Invalid)), true
	})
}

// connected writes a formula with the connectives of the slice logic. Some parts leaf writes.
func connected(f *temporal.Formula, outer temporal.Op, leaf func(*temporal.Formula) (string, bool)) string {
	if text, ok := leaf(f); ok {
		return text
	}
	var text string
	switch f.Op {
	case temporal.Not:
		return "not " + connected(f.X, f.Op, leaf)
	case temporal.Iff:
		x, y := connected(f.X, temporal.Implies, leaf), connected(f.Y, temporal.Implies, leaf)
		return fmt.Sprintf("((%s -> %s) and (%[2]s -> %[1]s))", x, y)
	default:
		text = fmt.Sprintf("%s %s %s", connected(f.X, f.Op, leaf), words[f.Op], connected(f.Y, f.Op, leaf))
	}
	if outer == temporal.Invalid || outer == f.Op && outer != temporal.Implies {
		return text
	}
	return "(" + text + ")"
}
