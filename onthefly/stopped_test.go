package onthefly_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// must returns what a step found that nothing stops.
func must(found []*onthefly.Violation, err error) []*onthefly.Violation {
	if err != nil {
		panic(err)
	}
	return found
}

// closed closes a checker that nothing stops.
func closed(c *onthefly.Checker) ([]*onthefly.Violation, *san.Net) {
	found, net, err := c.Close(context.Background())
	return must(found, err), net
}

// settled settles a checker that nothing stops.
func settled(c *onthefly.Checker) ([]*tlcheck.Result, *san.Net) {
	all, net, err := c.Settle(context.Background(), "")
	if err != nil {
		panic(err)
	}
	return all, net
}

// A step that computes with sets of slices ends with its context, says by what, and so does all
// that follows.
func TestStopped(t *testing.T) {
	prop, err := spec.ParseFormula("not all_next (t1:(in.f) and t2:(in.g))")
	if err != nil {
		t.Fatal(err)
	}
	for _, inline := range []bool{false, true} {
		c, err := onthefly.New(&event.Header{Version: 1, Tasks: []string{"a", "b"}}, []*spec.Property{prop}, lsl.L3)
		if err != nil {
			t.Fatal(err)
		}
		if inline {
			c.Inline()
		}
		for i := range 10 {
			for _, task := range []string{"a", "b"} {
				if err := c.Add(&event.Event{Task: task, Op: fmt.Sprint(i)}, ""); err != nil {
					t.Fatal(err)
				}
			}
			must(c.Step(t.Context()))
		}
		enough := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(enough)
		if _, err := c.Step(ctx); !errors.Is(err, enough) {
			t.Errorf("inline %v: a step after the end: %v", inline, err)
		}
		if _, err := c.Step(t.Context()); !errors.Is(err, enough) {
			t.Errorf("inline %v: the next step: %v", inline, err)
		}
		if _, _, err := c.Settle(t.Context(), ""); !errors.Is(err, enough) {
			t.Errorf("inline %v: the verdicts: %v", inline, err)
		}
	}
}
