package onthefly_test

import (
	"context"
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

// A run whose tasks are all known to have no further events is as decided as a closed one.
func TestEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		trace := santest.Generate(santest.Rapid(t), santest.Config{Steps: 9, Shared: []string{"unused"}})
		prop := accepted(t, logic, nil)
		c, err := onthefly.New(trace.Header, []*spec.Property{{Formula: prop}}, logic)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, e := range trace.Events {
			if err := c.Add(e, ""); err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "step") {
				found += len(must(c.Step(context.Background())))
			}
		}
		for task := range san.Task(c.Net().Tasks()) {
			c.End(c.Net().Name(task))
		}
		found += len(must(c.Step(context.Background())))
		late, net := closed(c)
		if len(late) > 0 {
			t.Fatalf("%v %s: reported only when closed\n%v", logic, spec.Format(prop), trace)
		}
		r, err := tlcheck.Check(t.Context(), net, &spec.Property{Formula: prop}, tlcheck.Options{Logic: logic})
		if err != nil {
			t.Fatal(err)
		}
		if (found > 0) != (r.Verdict == tlcheck.Violated) {
			t.Fatalf("%v %s: reported %d, check %v\n%v", logic, spec.Format(prop), found, r.Verdict, trace)
		}
	})
}

// The end of one task decides nothing about what another one does next.
func TestEndOfOne(t *testing.T) {
	prop, err := spec.ParseFormula("t:(x == 1) -> next t:(x == 2)")
	if err != nil {
		t.Fatal(err)
	}
	header := &event.Header{Tasks: []string{"a", "b"}}
	c, err := onthefly.New(header, []*spec.Property{prop}, lsl.L3)
	if err != nil {
		t.Fatal(err)
	}
	e := &event.Event{Task: "a", Set: []event.Binding{{Name: "x", Value: event.IntValue(1)}}}
	if err := c.Add(e, ""); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		end  string
		want int
	}{{"", 0}, {"b", 0}, {"nobody", 0}, {"a", 1}} {
		c.End(step.end)
		if found := must(c.Step(context.Background())); len(found) != step.want {
			t.Errorf("after the end of %q: %d violations", step.end, len(found))
		}
	}
	if err := c.Add(e, "late"); err == nil || err.Error() != `late: task "a" has ended with its event 1` {
		t.Errorf("an event after the end: %v", err)
	}
}
