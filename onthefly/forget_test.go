package onthefly_test

import (
	"context"
	"math/rand"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// TestForgetting compares what is reported of longer runs, with tasks that come and go, if what
// lies far back is forgotten and if it is not.
func TestForgetting(t *testing.T) {
	violated, late, partly := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		source := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		trace := santest.Generate(source, santest.Config{
			Steps: 150, Tasks: 2, Spawns: 20, Ends: 8, Causes: rapid.SampledFrom([]int{40, 70, 95}).Draw(t, "causes"),
		})
		if rapid.Bool().Draw(t, "shuffled") {
			trace = trace.Shuffle(source)
		}
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		prop := forgettable(t)
		whole, part := checker(t, trace, prop, logic), checker(t, trace, prop, logic)
		whole.Remember()
		part.SetPatience(0)
		for n, e := range trace.Events {
			for _, c := range []*onthefly.Checker{whole, part} {
				if err := c.Add(e, ""); err != nil {
					t.Fatal(err)
				}
			}
			if rapid.IntRange(0, 5).Draw(t, "step") > 0 {
				continue
			}
			found := must(part.Step(context.Background()))
			explained(t, part.Net(), found, logic)
			want, got := len(must(whole.Step(context.Background()))), len(found)
			if want != got {
				t.Fatalf("%v %s after %d events: %d violations, %d if some is forgotten\n%v", logic,
					spec.Format(prop.Formula), n+1, want, got, trace)
			}
			if want > 0 {
				if violated++; !part.Net().BeginsWithRun() {
					late++
				}
				break
			}
		}
		want, _ := closed(whole)
		got, net := closed(part)
		explained(t, net, got, logic)
		if len(want) != len(got) {
			t.Fatalf("%v %s: %d violations, %d if some is forgotten\n%v", logic, spec.Format(prop.Formula), len(want),
				len(got), trace)
		}
		if !net.BeginsWithRun() {
			partly++
		}
	})
	t.Logf("%d violations, %d of them when some was forgotten; %d runs forgotten in part", violated, late, partly)
	if !testing.Short() && (late == 0 || partly == 0) {
		t.Errorf("only %d violations when some was forgotten, %d runs forgotten in part", late, partly)
	}
}

// explained looks whether properties are false in the slices that are said to violate them, of what
// is left of the run.
func explained(t *rapid.T, net *san.Net, found []*onthefly.Violation, logic lsl.Logic) {
	for _, v := range found {
		if v.Property.Initially {
			continue // that slice is the first one to be forgotten
		}
		e, err := tlcheck.Evaluate(t.Context(), net, v.Property, v.Actions, v.TIVA, tlcheck.Options{Logic: logic})
		if err != nil || e.Truth != lsl.False {
			t.Fatalf("%s: %v in %v for %v, %v", spec.Format(v.Property.Formula), e, v.Actions, v.TIVA, err)
		}
	}
}

// TestForgettingJoined compares two reports of a run: sources may join until its end, and nothing
// is forgotten; or it is known earlier that no other source will join, and events are forgotten
// then.
func TestForgettingJoined(t *testing.T) {
	violated, partly := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		source := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		trace := santest.Generate(source, santest.Config{Steps: 150, Tasks: 2, Spawns: 20, Ends: 8, Causes: 90})
		first, others := trace.Header.Tasks[0], trace.Header.Tasks[1:]
		trace.Header.Tasks = []string{first, event.EnvTask}
		joins := rapid.IntRange(0, 20).Draw(t, "joins") // events in front
		var created []*event.Event
		for _, task := range others {
			created = append(created, &event.Event{Task: event.EnvTask, Spawn: task})
		}
		trace.Events = slices.Insert(trace.Events, min(joins, len(trace.Events)), created...)
		prop := forgettable(t)
		whole, part := checker(t, trace, prop, lsl.L3), checker(t, trace, prop, lsl.L3)
		whole.SetPatience(0)
		part.SetPatience(0)
		want, got := 0, 0
		for n, e := range trace.Events {
			for _, c := range []*onthefly.Checker{whole, part} {
				if err := c.Add(e, ""); err != nil {
					t.Fatal(err)
				}
			}
			if n == joins+len(others) {
				part.End(event.EnvTask)
			}
			want += len(must(whole.Step(context.Background())))
			got += len(must(part.Step(context.Background())))
		}
		if !whole.Net().BeginsWithRun() && want == 0 && !onthefly.MemoryOf(prop, lsl.L3).Condenses {
			t.Fatalf("%s: forgotten although a task can come that knows nothing", spec.Format(prop.Formula))
		}
		whole.End(event.EnvTask)
		found, _ := closed(whole)
		want += len(found)
		found, net := closed(part)
		got += len(found)
		if want != got {
			t.Fatalf("%s: %d violations, %d if it is known that nobody comes\n%v", spec.Format(prop.Formula), want, got,
				trace)
		}
		if got > 0 {
			violated++
		}
		if !net.BeginsWithRun() {
			partly++
		}
	})
	t.Logf("%d violations, %d runs forgotten in part", violated, partly)
	if !testing.Short() && (violated == 0 || partly == 0) {
		t.Errorf("only %d violations, %d runs forgotten in part", violated, partly)
	}
}

func checker(t *rapid.T, trace santest.Trace, prop *spec.Property, logic lsl.Logic) *onthefly.Checker {
	c, err := onthefly.New(trace.Header, []*spec.Property{prop}, logic)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// forgettable draws a property, most often one for which the past can be forgotten and that is not
// violated at once.
func forgettable(t *rapid.T) *spec.Property {
	atoms := rapid.SampledFrom([]string{
		"start.f and x == 1 and y == 2", "start.g and x == 3", "term.f", "x == 1 and r.x == 1", "in.f and in.g",
		"start.f", "not in.f and x == 1", "x == 2 and y == 1", "in.g",
	})
	atom := func(tiv string) string { return tiv + ":(" + atoms.Draw(t, "atom") + ")" }
	text := rapid.SampledFrom([]string{
		"not (A and B)", "not (A and B and C)", "not (A and B) if t1 != t2", "A -> not next B",
		"A -> not next^3 (A and B)",
		"A -> (A before B)", "A -> (B before B)", "A -> (B before A)", "A -> (B before C)", "A and B -> (A before A)",
		"forall t4 (not (A and t4:(start.f)))", "not (A and B) if t1 == caller(t2)", "always not A",
		"not (A or (B and C))",
		"(A -> not next B) if t1 == t2", "not (A until B)", "initially: A before B",
		"initially: (A before A) if t1 == t2",
		"not A", "not (A or B)", "(not A) if t1 != t2", "forall t4 (not t4:(x == 1 and y == 2))",
		"(not (A or B)) if t1 == caller(t2)",
		"A -> not sometime B", "(A -> not sometime B) if t1 != t2", "not (A and sometime A)",
		"(A -> always not B) if t1 == t2",
		"initially: not (A until B)", "initially: A -> (B before A)", "initially: A or not next^2 B",
		"A -> next B", "(A -> next B) if t1 != t2", "initially: A -> next B", "A -> ((A and B) before C)",
		"not (A and (B until (B and C)))", "initially: (B or C) before (A and B)",
	}).Draw(t, "shape")
	return propertyOf(t, text, atom)
}

// propertyOf parses a formula in which A, B and C stand for atoms of t1, t2 and t3.
func propertyOf(t *rapid.T, text string, atom func(tiv string) string) *spec.Property {
	var formula []byte
	for i := range len(text) {
		if text[i] >= 'A' && text[i] <= 'C' {
			formula = append(formula, atom("t"+string('1'+text[i]-'A'))...)
		} else {
			formula = append(formula, text[i])
		}
	}
	p, err := spec.ParseFormula(string(formula))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
