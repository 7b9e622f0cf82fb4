package stubborn_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/gcltest"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/stubborn"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/source"
)

// looseProgram draws a program of processes that have little to do with each other: each has a
// variable of its own, and all share one.
func looseProgram(t *rapid.T) string {
	n := rapid.IntRange(2, 4).Draw(t, "processes")
	number := rapid.IntRange(0, 2)
	var b strings.Builder
	b.WriteString("declare s : [0..2];\n")
	for i := range n {
		variable := func() string {
			switch rapid.IntRange(0, 7).Draw(t, "variable") {
			case 0:
				return "s"
			case 1:
				return fmt.Sprint("x", rapid.IntRange(0, n-1).Draw(t, "other"))
			}
			return fmt.Sprint("x", i)
		}
		labels := rapid.IntRange(1, 3).Draw(t, "labels")
		fmt.Fprintf(&b, "process P%d\n  declare x%d : [0..2];\n", i, i)
		for l := range labels {
			fmt.Fprintf(&b, "  L%d :", l)
			for a := range rapid.SampledFrom([]int{1, 1, 2}).Draw(t, "alternatives") {
				if a > 0 {
					b.WriteString(" |")
				}
				if rapid.IntRange(0, 2).Draw(t, "guarded") == 0 {
					fmt.Fprintf(&b, " if %s %s %d", variable(), rapid.SampledFrom([]string{"=", "/=", "<"}).Draw(t,
						"comparison"), number.Draw(t, "bound"))
				}
				b.WriteString(" { ")
				switch rapid.IntRange(0, 11).Draw(t, "step") {
				case 0:
					fmt.Fprintf(&b, "%s := %s + 1; ", variable(), variable()) // may leave the range
				case 1:
					fmt.Fprintf(&b, "%s :=: %s; ", variable(), variable())
				case 2, 3, 4:
					b.WriteString("skip; ")
				default:
					fmt.Fprintf(&b, "%s := (%s + %d) %% 3; ", variable(), variable(), number.Draw(t, "more"))
				}
				to := fmt.Sprint("L", rapid.IntRange(0, labels-1).Draw(t, "to"))
				if rapid.IntRange(0, 3).Draw(t, "ends") == 0 {
					b.WriteString("skip }")
				} else {
					fmt.Fprintf(&b, "goto %s }", to)
				}
			}
			b.WriteString("\n")
		}
		b.WriteString("end\n")
	}
	return b.String()
}

// loose draws such a program.
var loose = rapid.Custom(func(t *rapid.T) *gcl.File {
	text := looseProgram(t)
	f, err := gcl.Parse("loose.gcl", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return f
})

// atoms returns propositions of a program: where its processes may be, and what its variables may
// be.
func atoms(sys *gcl.System) []*temporal.Atom {
	var texts []string
	for i, p := range sys.Fields() {
		if i >= len(sys.Processes()) {
			texts = append(texts, p.Name+" == 1", p.Name+" < 2")
			continue
		}
		for _, label := range []string{"L0", "L1", "L2", "m1", "m2", "n1", "n2", "end"} {
			text := sys.Processes()[i] + ".at." + label
			if _, err := sys.Atom(text); err == nil {
				texts = append(texts, text)
			}
		}
	}
	return temporaltest.Atoms(texts...)
}

// withoutNext returns a formula with other operators in place of X.
func withoutNext(f *temporal.Formula) *temporal.Formula {
	if f == nil {
		return nil
	}
	g := *f
	g.X, g.Y = withoutNext(f.X), withoutNext(f.Y)
	if g.Op == temporal.Next {
		g.Op = temporal.Eventually
	}
	return &g
}

// harmless returns a formula without operators that wait for something: with others in their
// places, it or its negation is a safety property.
func harmless(f *temporal.Formula, negated bool) *temporal.Formula {
	if f == nil {
		return nil
	}
	g := *f
	switch f.Op {
	case temporal.Iff:
		g.Op = temporal.And
	case temporal.Eventually, temporal.Always:
		g.Op = map[bool]temporal.Op{false: temporal.Always, true: temporal.Eventually}[negated]
	case temporal.Until, temporal.WeakUntil:
		g.Op = map[bool]temporal.Op{false: temporal.WeakUntil, true: temporal.Until}[negated]
	case temporal.Release, temporal.StrongRelease:
		g.Op = map[bool]temporal.Op{false: temporal.Release, true: temporal.StrongRelease}[negated]
	}
	g.X = harmless(f.X, negated != (f.Op == temporal.Not || f.Op == temporal.Implies))
	g.Y = harmless(f.Y, negated)
	return &g
}

// drawFormula draws a formula; most have no X, and of these half are safety properties.
func drawFormula(t *rapid.T, atoms []*temporal.Atom) *temporal.Formula {
	f := temporaltest.Formula(temporal.InfiniteLTL, atoms, 3).Draw(t, "formula")
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return f
	case 1, 2:
		return withoutNext(f)
	}
	return harmless(withoutNext(f), false)
}

const mostStates = 3000

// outcome is what a check comes to: a verdict, or one of the errors.
type outcome struct {
	violated, deadEnd, failed bool
}

func outcomeOf(t *rapid.T, r *tableau.Result, err error) outcome {
	switch {
	case errors.As(err, new(*kripke.DeadEndError)):
		return outcome{deadEnd: true}
	case errors.As(err, new(*source.Error)):
		return outcome{failed: true}
	case err != nil:
		t.Fatal(err)
	}
	return outcome{violated: r.Counterexample != nil}
}

// TestReduced compares reduced programs, whose states are made during the search, with all states
// of programs. .ci/long stubborn does it for 50,000 programs of both kinds.
func TestReduced(t *testing.T) {
	ofBothKinds(t, compare, "holds", "violated", "dead end", "failed", "fewer states")
}

// ofBothKinds checks programs of both kinds. Each kind must occur.
func ofBothKinds(t *testing.T, check func(t *testing.T, programs *rapid.Generator[*gcl.File], seen map[string]int),
	wanted ...string) {
	seen := map[string]int{}
	t.Run("loose", func(t *testing.T) { check(t, loose, seen) })
	t.Run("tight", func(t *testing.T) { check(t, gcltest.File, seen) })
	if !testing.Short() && slices.ContainsFunc(wanted, func(what string) bool { return seen[what] == 0 }) {
		t.Errorf("not all was met: %v", seen)
	}
	t.Log(seen)
}

func compare(t *testing.T, programs *rapid.Generator[*gcl.File], seen map[string]int) {
	rapid.Check(t, func(t *rapid.T) {
		f := programs.Draw(t, "program")
		open := func() *gcl.System {
			sys, err := gcl.New(f, nil)
			if err != nil {
				t.Fatalf("%v\n%s", err, gcl.Format(f))
			}
			return sys
		}
		stutters := rapid.Bool().Draw(t, "stutter")
		stutter := func(s kripke.System) kripke.System {
			if stutters {
				return kripke.Stutter(s)
			}
			return s
		}
		sys := open()
		all := atoms(sys)
		g, err := kripke.Explore(context.Background(), kripke.AtMost(stutter(sys), mostStates))
		if errors.Is(err, kripke.ErrMany) {
			t.Skip("many states")
		}
		for range 3 {
			formula := drawFormula(t, all)
			for _, fairness := range []kripke.Fairness{kripke.Unfair, kripke.Process, kripke.Weak, kripke.Strong} {
				want := outcome{failed: true}
				if err == nil && g.Total() != nil {
					want = outcome{deadEnd: true}
				} else if err == nil {
					v, err := tableau.Check(context.Background(), g, fairness, formula)
					want = outcomeOf(t, v, err)
				}
				c := &comparison{T: t, fairness: fairness, formula: formula}
				c.say = func() string {
					return fmt.Sprintf("%s, fairness %s, stutter %v\n%s", formula, fairness, stutters, gcl.Format(f))
				}
				program := open()
				full := c.check(program, stutter(program), want)
				if !stubborn.Applies(formula, fairness) {
					continue
				}
				program = open()
				reduced, err := stubborn.Reduce(program, formula, fairness)
				if err != nil {
					t.Fatal(err)
				}
				fewer := c.check(program, stutter(reduced), want)
				switch {
				case want.violated:
					seen["violated"]++
				case want.deadEnd:
					seen["dead end"]++
				case want.failed:
					seen["failed"]++
				default:
					seen["holds"]++
					if fewer < full {
						seen["fewer states"]++
					}
				}
			}
		}
	})
}

// comparison checks a formula on the fly.
type comparison struct {
	*rapid.T
	fairness kripke.Fairness
	formula  *temporal.Formula
	say      func() string
}

// check checks a system that has some paths of the program, and returns how many states were
// expanded. It may find a violation where the graph has an error, if there is one.
func (c *comparison) check(program *gcl.System, sys kripke.System, want outcome) int {
	m := kripke.Remember(sys)
	v, err := tableau.Check(context.Background(), m, c.fairness, c.formula)
	got := outcomeOf(c.T, v, err)
	if got.violated {
		c.follow(program, v.Counterexample)
	}
	early := got.violated && (want.deadEnd || want.failed)
	either := got.deadEnd && want.failed // the program has both
	if got != want && !early && !either {
		c.Fatalf("%+v, want %+v: %s", got, want, c.say())
	}
	return m.Expanded()
}

// follow checks that a path is one of the program, that every process moves on it if that is
// wanted, and that the formula is false on it. Weak and strong fairness are looked at by the tests
// of package tableau.
func (c *comparison) follow(program *gcl.System, p *kripke.Path) {
	w := &word{System: program, loop: p.Loop}
	at := p.Start
	for by := range int32(len(program.Processes())) {
		if c.fairness == kripke.Process &&
			!slices.ContainsFunc(p.Steps[p.Loop:], func(s kripke.Step) bool { return s.Process == by }) {
			c.Fatalf("process %d does not move on %v: %s", by, p, c.say())
		}
	}
	for _, step := range p.Steps {
		enabled := program.Enabled(nil, at)
		stays := len(enabled) == 0 && step.Process == kripke.NoProcess && step.To == at
		// others may leave the range of a variable
		if !stays && !slices.ContainsFunc(enabled, func(a int32) bool {
			m, err := program.Take(at, a)
			return err == nil && m.To == step.To && m.Process == step.Process
		}) {
			c.Fatalf("there is no move from %d to %d: %s", at, step.To, c.say())
		}
		w.states = append(w.states, at)
		at = step.To
	}
	if at != w.states[p.Loop] {
		c.Fatalf("%v is no loop: %s", p, c.say())
	}
	g, err := kripke.Explore(context.Background(), w)
	if err != nil {
		c.Fatal(err)
	}
	v, err := tableau.Check(context.Background(), g, kripke.Unfair, c.formula)
	if err != nil || v.Counterexample == nil {
		c.Fatalf("%v: it is true on %v: %s", err, p, c.say())
	}
}

// word is a system with a single path.
type word struct {
	kripke.System
	states []kripke.State
	loop   int
}

func (w *word) Initial() []kripke.State { return []kripke.State{0} }
func (w *word) States() int             { return len(w.states) }

func (w *word) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	next := s + 1
	if int(next) == len(w.states) {
		next = kripke.State(w.loop)
	}
	return append(dst, kripke.Move{To: next}), nil
}

func (w *word) Holds(a kripke.Atom, s kripke.State) bool { return w.System.Holds(a, w.states[s]) }
