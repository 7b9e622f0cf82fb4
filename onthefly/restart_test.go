package onthefly_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// TestRestart compares what a restarted checker finds with the values of the formula in the slices
// of the whole run that contain all that was forgotten.
func TestRestart(t *testing.T) {
	violated := 0
	enough := func() bool { return violated > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		trace := santest.Generate(santest.Rapid(t), santest.Config{Steps: 9}).Shuffle(santest.Rapid(t))
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		first, second := accepted(t, logic, nil), accepted(t, logic, nil)
		c, err := onthefly.New(trace.Header, []*spec.Property{{Formula: first}}, logic)
		if err != nil {
			t.Fatal(err)
		}
		read := func(from, to int) (found bool) {
			for _, e := range trace.Events[from:to] {
				if err := c.Add(e, ""); err != nil {
					t.Fatal(err)
				}
				if rapid.Bool().Draw(t, "step") && len(must(c.Step(context.Background()))) > 0 {
					found = true
				}
			}
			return found
		}
		purge := rapid.IntRange(0, len(trace.Events)).Draw(t, "purge")
		read(0, purge)
		before := prefix(t, trace, purge)
		if c, err = c.Restart([]*spec.Property{{Formula: second}}); err != nil {
			t.Fatal(err)
		}
		reported := read(purge, len(trace.Events))
		found, _ := closed(c)
		if reported = reported || len(found) > 0; reported {
			violated++
		}
		if want := violatedFrom(t, before, prefix(t, trace, len(trace.Events)), second, logic); reported != want {
			t.Fatalf("%v %s, restarted after %d events: reported %v, want %v\n%v", logic, spec.Format(second), purge,
				reported, want, trace)
		}
	})
	if !enough() {
		t.Error("nothing was ever violated")
	}
}

// A property that is refused leaves the checker as it is.
func TestRestartRefused(t *testing.T) {
	always, err := spec.ParseFormula("sometime t:(in.f)")
	if err != nil {
		t.Fatal(err)
	}
	present, err := spec.ParseFormula("t:(not in.f)")
	if err != nil {
		t.Fatal(err)
	}
	c, err := onthefly.New(&event.Header{Version: 1, Tasks: []string{"main"}}, []*spec.Property{present}, lsl.L3)
	if err != nil {
		t.Fatal(err)
	}
	var refused *tlcheck.UnsupportedError
	if _, err := c.Restart([]*spec.Property{always}); !errors.As(err, &refused) {
		t.Errorf("error %v", err)
	}
	if err := c.Add(&event.Event{Task: "main", Enter: "f"}, ""); err != nil {
		t.Fatal(err)
	}
	if found := must(c.Step(context.Background())); len(found) != 1 {
		t.Errorf("%d violations", len(found))
	}
}

// violatedFrom reports whether the formula is false in some slice with all that happened before.
func violatedFrom(t *rapid.T, before, net *san.Net, f spec.Formula, logic lsl.Logic) (violated bool) {
	err := tlcheck.Table(t.Context(), net, f, logic,
		func(i slices.Ideal, tiva []tlcheck.Binding, value lsl.Truth) error {
			for task := range san.Task(before.Tasks()) {
				now, _ := net.Lookup(before.Name(task))
				if i.At(now) < before.Len(task) {
					return nil
				}
				if by, spawned := net.SpawnedBy(now); spawned && !i.Has(by) {
					return nil
				}
			}
			violated = violated || value == lsl.False
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return violated
}
