package skeleton

import (
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// SliceSpec writes the safety part of the specification in the slice logic, for programs that use
// the package that Go writes under this name. A trace of such a program records the variable moved:
// for each goroutine, its last move.
//
// Processes change the variables under one lock, so moves are totally ordered, and moves lead to
// all states but the first one. An invariant is asserted of the state after each move. If it has
// atoms of several processes, it is also asserted of their goroutines in all slices, which finds a
// missing lock even if no state was wrong. A claim about next states is asserted of both ends of
// each move, and of the first state.
func (s *Synthesis) SliceSpec(name string) string {
	w := &specWriter{Skeletons: s.Skeletons, fields: s.Skeletons.fieldNames(), moved: name + ".moved",
		omitted: map[string][]conjunct{}}
	w.printf("// The safety part of a specification in branching time logic, for programs in which package %s has one monitor. To check it while such a\n", name)
	w.printf("// program runs: antichain run --live --spec %s.tl PACKAGE\n//\n", name)
	w.printf("// %s is what the process of a goroutine did last: a move from one state of the monitor to another.\n", w.moved)
	for _, c := range conjuncts(s.Formula, false) {
		w.conjunct(c)
	}
	for _, why := range []string{possibility, promise, future, neither, long} {
		if len(w.omitted[why]) == 0 {
			continue
		}
		w.printf("\n// Left out, since %s:\n//\n", why)
		for _, c := range w.omitted[why] {
			w.printf("//	%s\n", c)
		}
	}
	return w.text.String()
}

// conjunct is an independent part of a specification.
type conjunct struct {
	formula *temporal.Formula
	always  bool // an invariant, not only about the first state
}

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

// String writes the conjunct in the syntax of the specification.
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

type specWriter struct {
	*Skeletons
	fields  map[string]string
	moved   string // name of the recorded variable
	text    strings.Builder
	count   int                   // number of conjuncts
	omitted map[string][]conjunct // omitted conjuncts, by reason
}

func (w *specWriter) printf(form string, args ...any) { fmt.Fprintf(&w.text, form, args...) }

// conjunct writes properties for a conjunct, or the reason to omit it.
func (w *specWriter) conjunct(c conjunct) {
	w.count++
	step, isStep := stepOf(c.formula)
	switch {
	case length(c.formula) > maxLength:
		w.omit(c, long)
	case propositional(c.formula) && c.always:
		w.invariant(c)
	case propositional(c.formula):
		w.start(c)
	case isStep && c.always:
		w.step(c, step)
	default:
		w.omit(c, whyNot(c))
	}
}

func (w *specWriter) omit(c conjunct, why string) { w.omitted[why] = append(w.omitted[why], c) }

// Reasons to omit a conjunct.
const (
	possibility = "it says what can happen, and a trace shows what did"
	promise     = "it promises what may still come when a trace ends"
	future      = "it is about the future of the first state alone"
	neither     = "it is neither about one state nor about one move"
	long        = "it is too long in the slice logic, which has no <->"
)

// maxLength limits the operators and atoms of a conjunct in the slice logic.
const maxLength = 1 << 14

// length returns the size of f in the slice logic, or more than maxLength. The slice logic has no
// <->, so both operands are repeated.
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

// invariant asserts f of the states after moves, and of goroutines in slices.
func (w *specWriter) invariant(c conjunct) {
	w.printf("\n// %s\nproperty invariant%d: t:(%s)\n", c, w.count, w.local(c.formula, ".to", temporal.Invalid))
	if ps := w.owners(c.formula); len(ps) > 1 && ps[0] != Shared {
		var are []string
		for _, p := range ps {
			are = append(are, fmt.Sprintf("%s:(%s)", w.taskVariable(p), w.is(p)))
		}
		w.printf("property goroutines%d: %s -> %s\n", w.count, strings.Join(are, " and "),
			w.global(c.formula, temporal.Implies))
	}
}

// start asserts f of the first state.
func (w *specWriter) start(c conjunct) {
	w.printf("\n// %s\nproperty start%d: t:(%s.first -> %s)\n", c, w.count, w.moved,
		w.local(c.formula, ".from", temporal.Implies))
}

// step asserts a formula about moves.
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

// is writes that a goroutine runs a process.
func (w *specWriter) is(p int) string {
	return fmt.Sprintf("%s.process == %q", w.moved, w.Processes[p].Name)
}

// taskVariable names the goroutine of a process.
func (w *specWriter) taskVariable(p int) string { return fmt.Sprintf("t%d", p+1) }

// owners returns the processes with atoms in f, in ascending order.
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

var words = map[temporal.Op]string{temporal.And: "and", temporal.Or: "or", temporal.Implies: "->"}

// local writes a formula about the state at one end of a move. It adds parentheses if the outer
// operator needs them.
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

// global writes a formula about the goroutines of several processes.
func (w *specWriter) global(f *temporal.Formula, outer temporal.Op) string {
	return connected(f, outer, func(f *temporal.Formula) (string, bool) {
		ps := w.owners(f)
		if len(ps) > 1 {
			return "", false
		}
		p := 0 // constants may be evaluated on any goroutine
		if len(ps) == 1 {
			p = ps[0]
		}
		return fmt.Sprintf("%s:(%s)", w.taskVariable(p), w.local(f, ".to", temporal.Invalid)), true
	})
}

// connected writes connectives in the slice logic. leaf may write a part itself.
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

// stepFormula is a formula about moves: a move from a state that satisfies one formula leads to a
// state that satisfies another one.
type stepFormula struct {
	process     string // of the move; "" for any process
	when, after *temporal.Formula
}

// stepOf reads f as a disjunction of a formula about the present and one AX. EX_i true -> AX_i f
// qualifies, as AX_i false | AX_i f equals AX_i f. A disjunction of several AX does not: no single
// move refutes it.
func stepOf(f *temporal.Formula) (*stepFormula, bool) {
	s := &stepFormula{when: constant(true)}
	ok := s.add(f, false)
	return s, ok && s.after != nil
}

func constant(value bool) *temporal.Formula {
	if value {
		return &temporal.Formula{Op: temporal.True}
	}
	return &temporal.Formula{Op: temporal.False}
}

// add adds an alternative, or its negation. It reports false if that is not a formula about moves.
func (s *stepFormula) add(f *temporal.Formula, negated bool) bool {
	switch {
	case propositional(f):
		s.when = and(s.when, negation(f, !negated))
		return true
	case f.Op == temporal.Not:
		return s.add(f.X, !negated)
	case f.Op == temporal.Implies && !negated:
		return s.add(f.X, true) && s.add(f.Y, false)
	case f.Op == temporal.Or && !negated, f.Op == temporal.And && negated:
		return s.add(f.X, negated) && s.add(f.Y, negated)
	case f.Op == temporal.AX && !negated, f.Op == temporal.EX && negated:
		return propositional(f.X) && s.next(f.Process, negation(f.X, negated))
	}
	return false
}

func (s *stepFormula) next(process string, f *temporal.Formula) bool {
	if s.after == nil || s.process == process && isFalse(s.after) {
		s.process, s.after = process, f
		return true
	}
	return s.process == process && isFalse(f)
}

func negation(f *temporal.Formula, negated bool) *temporal.Formula {
	switch {
	case !negated:
		return f
	case f.Op == temporal.Not:
		return f.X
	case f.Op == temporal.True || f.Op == temporal.False:
		return constant(f.Op == temporal.False)
	}
	return &temporal.Formula{Op: temporal.Not, X: f}
}

func and(f, g *temporal.Formula) *temporal.Formula {
	if f.Op == temporal.True {
		return g
	}
	return &temporal.Formula{Op: temporal.And, X: f, Y: g}
}

func isFalse(f *temporal.Formula) bool { return f.Op == temporal.False }
