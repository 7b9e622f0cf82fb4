package onthefly_test

import (
	"context"
	"fmt"
	"math/rand"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

var words = spectest.Words{
	TIVs:      []string{"t1", "t2"},
	Functions: []string{"f", "g"},
	Variables: [][]string{{"x"}, {"y"}, {"r", "x"}},
	Previous:  [][]string{{"x"}, {"r", "x"}},
	Depth:     3,
}

// accepted draws a formula that can be checked on-the-fly.
func accepted(t *rapid.T, logic lsl.Logic, shared []string) spec.Formula {
	for range 100 {
		f := spectest.Formula(words).Draw(t, "formula")
		if tlcheck.Monitorable(&spec.Property{Formula: f}, logic, shared) == nil {
			return f
		}
	}
	t.Skip("no formula that can be checked on-the-fly")
	return nil
}

// drawRun draws a run, properties that can be checked on it on-the-fly, and a logic. Of runs of a
// few steps any formula can be a property.
func drawRun(t *rapid.T, few int) (santest.Trace, []*spec.Property, lsl.Logic) {
	source := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
	config := santest.Config{
		Steps: 120, Tasks: 2, Spawns: 15, Ends: 8,
		Causes: rapid.SampledFrom([]int{20, 70, 95}).Draw(t, "causes"),
		Joints: rapid.SampledFrom([]int{0, 10}).Draw(t, "joints"),
	}
	small := rapid.Bool().Draw(t, "small")
	if small {
		config.Steps, config.Shared = few, []string{"unused"}
	}
	trace := santest.Generate(source, config)
	if rapid.Bool().Draw(t, "shuffled") {
		trace = trace.Shuffle(source)
	}
	logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
	var props []*spec.Property
	for range rapid.IntRange(1, 3).Draw(t, "properties") {
		if small {
			initially := rapid.IntRange(0, 4).Draw(t, "initially") == 0
			props = append(props, &spec.Property{Formula: accepted(t, logic, nil), Initially: initially})
		} else {
			props = append(props, forgettable(t))
		}
	}
	return trace, props, logic
}

// summary says what is violated, and where.
func summary(vs []*onthefly.Violation) (text string) {
	for _, v := range vs {
		text += fmt.Sprintln(spec.Format(v.Property.Formula), v.TIVA, v.Actions)
	}
	return text
}

// TestEveryPrefix compares what is reported while a run is read, in any order in which its events
// can arrive, with what is certain by the definitions, and the end of the run after any prefix with
// the check of that prefix.
func TestEveryPrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trace := santest.Generate(santest.Rapid(t),
			santest.Config{Steps: 9, Shared: []string{"unused"}}).Shuffle(santest.Rapid(t))
		for range 5 {
			logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
			f := accepted(t, logic, nil)
			prop := &spec.Property{Formula: f, Initially: rapid.IntRange(0, 9).Draw(t, "initially") == 0}
			follow(t, trace, prop, logic)
		}
	})
}

// TestEveryPrefixOfUntil is TestEveryPrefix for local formulas below until, before and sometime,
// under others that leave few slices.
func TestEveryPrefixOfUntil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := santest.Config{Steps: 12, Causes: 60, Joints: 10, Shared: []string{"unused"}}
		trace := santest.Generate(santest.Rapid(t), config).Shuffle(santest.Rapid(t))
		atoms := rapid.SampledFrom([]string{"in.f", "in.g", "start.f", "term.f or start.g", "x == 1", "x > 0 and in.f",
			"not in.f"})
		tivs := rapid.SampledFrom([]string{"t1", "t2", "t3"})
		ahead := rapid.SampledFrom([]string{"", "", "", "next ", "next^2 ", "next^3 "})
		conditions := rapid.SampledFrom([]string{"", "", " if t1 != t2", " if t1 == t2", " if t2 != t3 and t1 != t3",
			" if t1 == caller(t2)", " if t1 != caller(t3)"})
		operand := func(label string) string { return tivs.Draw(t, label) + ":(" + atoms.Draw(t, "atom") + ")" }
		for range 5 {
			tiv, atom := tivs.Draw(t, "left"), atoms.Draw(t, "atom")
			text := "(" + tiv + ":(" + atom + ") until " + operand("right") + ")"
			for range rapid.IntRange(0, 2).Draw(t, "premises") {
				text = ahead.Draw(t, "ahead") + operand("premise") + " and " + text
			}
			if rapid.Bool().Draw(t, "otherwise") { // only from where the left side is false
				text = tiv + ":(not (" + atom + ")) and " + text
			}
			if rapid.IntRange(0, 3).Draw(t, "later") == 0 {
				text = operand("premise") + " and sometime " + operand("later")
			}
			f, err := spec.ParseFormula("(not (" + text + "))" + conditions.Draw(t, "conditions"))
			if err != nil {
				t.Fatal(err)
			}
			f.Initially = rapid.IntRange(0, 4).Draw(t, "initially") == 0
			follow(t, trace, f, lsl.L3)
		}
	})
}

func follow(t *rapid.T, trace santest.Trace, prop *spec.Property, logic lsl.Logic) {
	fail := func(n int, format string, args ...any) {
		t.Fatalf("%v %s, initially %v, after %d events: "+format+"\n%v",
			append(append([]any{logic, spec.Format(prop.Formula), prop.Initially, n}, args...), trace)...)
	}
	c, err := onthefly.New(trace.Header, []*spec.Property{prop}, logic)
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "forgetful") {
		c.SetPatience(0)
	}
	end := rapid.IntRange(0, len(trace.Events)).Draw(t, "end")
	version := rapid.SampledFrom([]int{1, 2, 6}).Draw(t, "version")
	reported := false
	for n := 0; ; n++ {
		if rapid.IntRange(1, version).Draw(t, "step") == 1 {
			found := len(must(c.Step(context.Background()))) > 0
			reported = reported || found
			if want := newTwin(prefix(t, trace, n), logic).violated(prop.Formula, prop.Initially); want != reported {
				fail(n, "reported %v, certain %v", reported, want)
			}
		}
		if n == end {
			break
		}
		if err := c.Add(trace.Events[n], ""); err != nil {
			fail(n, "%v", err)
		}
	}
	found, net := closed(c)
	reported = reported || len(found) > 0
	if !net.BeginsWithRun() {
		net = prefix(t, trace, end)
	}
	r, err := tlcheck.Check(t.Context(), net, prop, tlcheck.Options{Logic: logic})
	if err != nil {
		t.Fatal(err)
	}
	if reported != (r.Verdict == tlcheck.Violated) {
		fail(end, "closed: reported %v, check %v", reported, r.Verdict)
	}
}

// prefix returns the net of the first n events, as far as they can be part of one.
func prefix(t *rapid.T, trace santest.Trace, n int) *san.Net {
	b, err := san.NewBuilder(trace.Header)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range trace.Events[:n] {
		if err := b.Add(e, ""); err != nil {
			t.Fatal(err)
		}
	}
	return b.Partial()
}

// TestEveryPrefixOfConjunctions compares what is reported on longer runs, of conjunctions of local
// formulas of up to four tasks, with the check of every prefix.
func TestEveryPrefixOfConjunctions(t *testing.T) {
	violated := 0
	rapid.Check(t, func(t *rapid.T) {
		config := santest.Config{Steps: 40, Causes: rapid.SampledFrom([]int{20, 60, 90}).Draw(t, "causes"), Joints: 10}
		trace := santest.Generate(santest.Rapid(t), config).Shuffle(santest.Rapid(t))
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		var props []*spec.Property
		for range 8 {
			props = append(props, conjunction(t))
		}
		violated += followAll(t, trace, props, logic)
	})
	if !testing.Short() && (violated == 0 || forgot == 0) {
		t.Errorf("only %d violations, %d runs forgotten in part", violated, forgot)
	}
}

// forgot counts the runs that were forgotten in part.
var forgot int

// followAll compares what is reported of properties that are certain to be violated by any prefix
// that violates them, and returns how many are violated.
func followAll(t *rapid.T, trace santest.Trace, props []*spec.Property, logic lsl.Logic) int {
	c, err := onthefly.New(trace.Header, props, logic)
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "forgetful") {
		c.SetPatience(0)
	}
	reported := map[*spec.Property]bool{}
	for n, e := range trace.Events {
		if err := c.Add(e, ""); err != nil {
			t.Fatal(err)
		}
		if rapid.IntRange(0, 3).Draw(t, "step") > 0 {
			continue
		}
		for _, v := range must(c.Step(context.Background())) {
			reported[v.Property] = true
		}
		net := prefix(t, trace, n+1)
		for _, p := range props {
			r, err := tlcheck.Check(t.Context(), net, p, tlcheck.Options{Logic: logic})
			if err != nil {
				t.Fatal(err)
			}
			if reported[p] != (r.Verdict == tlcheck.Violated) {
				t.Fatalf("%v %s after %d events: reported %v, check %v\n%v", logic, spec.Format(p.Formula), n+1,
					reported[p], r.Verdict, trace)
			}
		}
	}
	_, net := closed(c)
	if !net.BeginsWithRun() {
		forgot++
	}
	return len(reported)
}

// conjunction draws a property that refuses a conjunction of local formulas.
func conjunction(t *rapid.T) *spec.Property {
	atoms := rapid.SampledFrom([]string{"start.f", "term.g", "start.f and x == 1", "x == 1 and y == 2",
		"in.f and x > 0", "term.f and y > 1", "start.g"})
	text := "not ("
	for i := range rapid.IntRange(2, 4).Draw(t, "TIVs") {
		if i > 0 {
			text += " and "
		}
		text += fmt.Sprintf("t%d:(%s)", i+1, atoms.Draw(t, "atom"))
	}
	text += ")"
	if rapid.Bool().Draw(t, "differ") {
		text += " if t1 != t2"
	}
	p, err := spec.ParseFormula(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
