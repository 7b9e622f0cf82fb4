package onthefly_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// TestWideUntil compares what is reported of until and before of combinations of local formulas
// with what is if sets of slices are computed, like TestGuardedNext.
func TestWideUntil(t *testing.T) { compareManySets(t, withUntil) }

// withUntil draws a property with until or before of combinations of local formulas, and an equal
// one in which one of them has conditions.
func withUntil(t *rapid.T) (combined, sets *spec.Property) {
	atoms := rapid.SampledFrom([]string{
		"start.f and x == 1", "start.g", "term.f", "not in.f", "x == 1", "in.g and y == 2", "not (x == 2)", "in.f",
		"not term.f", "not (x == 1 and y == 1)", "x == 3", "y == 3",
	})
	shape := rapid.SampledFrom([]string{ // # is where the conditions are
		"A -> ((A and B#) before C)", "A -> ((B and C#) before C)", "A -> (B before (A and C#))",
		"A -> ((B or C) before (A and B#))",
		"not (A and ((B and C#) until C))", "not (A and ((A or B#) until (B and C)))",
		"not (A and (B until (B or C#)))", "A -> ((A or B#) before B)",
		"initially: ((A and B#) before C)", "initially: not ((A or B#) until (B and C))",
		"initially: A -> (B before (A and B#))",
		"(A -> ((A and B#) before (B and C))) if t1 != t2", "(A -> ((B and C#) before A)) if t1 == caller(t2)",
		"(A -> ((B or C#) before B)) if t3 != caller(t2)",
		"not ((A and B#) until C)", "A and B -> ((B and C#) before A)", "A or B -> ((A and B#) before C)",
		"forall t2 (A -> ((A and B#) before C))",
		"A -> ((B and B#) before (A and C))", "(A -> ((B and C#) before A)) if t1 != t2 and t2 == t3",
		"(A -> ((B or C#) before A)) if t1 != t2 and t2 != t3 and t1 != t3", "(A -> ((A and B#) before C)) if t1 == t2",
		"(A -> ((B or C#) before C)) if t2 == caller(t3)", "(A -> ((B or C#) before A)) if t2 == t3",
		"A -> ((A and B#) before A)", "A -> ((B and C#) before A)", "not (A and ((B and C or B#) until A))",
		"not (A and ((B or C#) until (A and B)))", "A -> ((A or B#) before C)", "not (A and ((A and B or C#) until A))",
		"(A -> ((B and C#) before B)) if t1 != t3 and t2 != t3",
	}).Draw(t, "shape")
	var drawn []string
	property := func(conditions string) *spec.Property {
		next := 0
		return propertyOf(t, strings.Replace(shape, "#", conditions, 1), func(tiv string) string {
			if next == len(drawn) {
				drawn = append(drawn, tiv+":("+atoms.Draw(t, "atom")+")")
			}
			next++
			return drawn[next-1]
		})
	}
	return property(""), property(" if t1 == t1")
}

// TestWideUntilGoesOn has violations that are there when a goal has been, as the end of a row makes
// them so, and of tasks that were not there when they began.
func TestWideUntilGoesOn(t *testing.T) {
	const begins = `{"antichain":1,"tasks":["p","r"]}
{"t":"r","set":{"y":1}}
{"t":"p","set":{"x":1},"after":[["r",1]]}
{"t":"p","set":{"x":0}}
{"t":"p","set":{"x":2}}
`
	for name, tt := range map[string]struct {
		formula, events string
		at              int // the event after which it is reported
	}{
		"row":            {"(t1:(x == 1) -> ((t2:(y == 1) and t3:(y == 1)) before t1:(x == 2))) if t1 != t2 and t2 == t3", "", 5},
		"new task twice": {"(t1:(x == 1) -> ((t2:(not (y == 7)) or t3:(y == 1)) before t1:(x == 3))) if t2 == t3 and t1 != t2", `{"t":"p","spawn":"q"}` + "\n" + `{"t":"q","set":{"y":7}}` + "\n" + `{"t":"p","set":{"x":3}}` + "\n", 7},
		"new task":       {"(t1:(x == 1) -> ((t2:(y == 1) or t3:(y == 1)) before t1:(x == 2))) if t1 != t2 and t2 != t3 and t1 != t3", `{"t":"p","spawn":"q"}` + "\n", 6},
	} {
		r, err := event.Open(strings.NewReader(begins+tt.events+`{"t":"r","set":{"y":0}}`+"\n"), "trace")
		if err != nil {
			t.Fatal(err)
		}
		h, err := r.Header()
		if err != nil {
			t.Fatal(err)
		}
		c, err := onthefly.New(h, properties(t, tt.formula), lsl.L3)
		if err != nil {
			t.Fatal(err)
		}
		n, found := 0, 0
		var e event.Event
		for err = r.Next(&e); err == nil; err = r.Next(&e) {
			if err := c.Add(&e, ""); err != nil {
				t.Fatal(err)
			}
			n++
			if len(must(c.Step(t.Context()))) > 0 {
				found = n
			}
		}
		if found != tt.at {
			t.Errorf("%s: reported after event %d, not %d", name, found, tt.at)
		}
	}
}
