package onthefly_test

import (
	"context"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tracer/event"
)

// What waits for a goal is only exchanged for what does as well: not for what may never be, nor for
// what is not about the first slice. In versions of any size.
func TestExchange(t *testing.T) {
	for formula, trace := range map[string]string{
		"next t1:(term.f) -> (t2:(term.g) before t3:(x == 1))": `{"t":"a","enter":"f"}
{"t":"a","exit":"f"}
{"t":"a","set":{"x":1},"op":"end"}`,
		"initially: (t1:(not in.f) -> (t2:(x == 1) before t3:(start.g))) if t1 != t2": `{"t":"a","enter":"f"}
{"t":"a","enter":"g"}
{"t":"a","exit":"g"}
{"t":"a","exit":"f"}
{"t":"a"}
{"t":"a","enter":"g"}
{"t":"a","spawn":"p"}`,
		"initially: not (next^3 t1:(in.f) and (t1:(in.f) until t1:(not in.f)))": `{"t":"a"}
{"t":"a","enter":"f"}
{"t":"a"}
{"t":"a"}`,
	} {
		for size := 1; size < 9; size++ {
			c, n := read(t, `{"antichain":1,"tasks":["a"]}`+"\n"+trace, formula, size)
			if found, _ := closed(c); n+len(found) != 1 {
				t.Errorf("%s: %d violations in versions of %d events", formula, n+len(found), size)
			}
		}
	}
}

// What can be no more is not kept.
func TestHopeless(t *testing.T) {
	trace := `{"antichain":1,"tasks":["a"]}` +
		strings.Repeat("\n"+`{"t":"a","enter":"f"}`+"\n"+`{"t":"a","exit":"f"}`, 500)
	c, n := read(t, trace, "t:(start.f) -> not next t:(start.f)", 10)
	if n > 0 || c.OpenIntervals() > 20 {
		t.Errorf("%d violations, %d sets of slices are kept", n, c.OpenIntervals())
	}
}

// read reads a trace in versions of some size and returns how many violations there were.
func read(t *testing.T, trace, formula string, size int) (c *onthefly.Checker, violations int) {
	r, err := event.Open(strings.NewReader(trace), "trace")
	if err != nil {
		t.Fatal(err)
	}
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	if c, err = onthefly.New(h, properties(t, formula), lsl.L3); err != nil {
		t.Fatal(err)
	}
	e := new(event.Event)
	for n := 1; r.Next(e) == nil; n++ {
		if err := c.Add(e, ""); err != nil {
			t.Fatal(err)
		}
		if n%size == 0 {
			violations += len(must(c.Step(context.Background())))
		}
	}
	return c, violations
}
