package san_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// A copy is the net as it was, whatever comes later, also when the beginning is forgotten.
func TestCopy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trace := santest.Generate(santest.Rapid(t), santest.Config{Steps: 15})
		b, err := san.NewBuilder(trace.Header)
		if err != nil {
			t.Fatal(err)
		}
		b.RequireMutual()
		at := rapid.IntRange(0, len(trace.Events)).Draw(t, "events")
		add := func(from, to int) {
			for _, e := range trace.Events[from:to] {
				if err := b.Add(e, ""); err != nil {
					t.Skip(err) // a joint action that only one side names
				}
			}
		}
		add(0, at)
		was := described(b.Net())
		net := b.Copy()
		if d := cmp.Diff(was, described(net)); d != "" {
			t.Fatalf("the copy is another net: %s", d)
		}
		add(at, len(trace.Events))
		base := make([]int32, b.Net().Tasks())
		for t := range base {
			base[t] = int32(b.Net().Len(san.Task(t)))
		}
		b.Forget(base, func(san.Task) bool { return true })
		if d := cmp.Diff(was, described(net)); d != "" {
			t.Fatalf("the copy has changed: %s", d)
		}
	})
}

// described lists what a net has.
func described(n *san.Net) []string {
	lines := []string{fmt.Sprint(n.Tasks(), n.Events(), n.Actions(), n.Lost(), n.Recorded(0))}
	for t := range san.Task(n.Tasks()) {
		by, spawned := n.SpawnedBy(t)
		lines = append(lines, fmt.Sprint(n.Name(t), " ", n.Len(t), n.Initial(t), n.Ended(t), by, spawned))
		for w := n.Walk(t); ; {
			var s strings.Builder
			for _, v := range []string{"x", "y", "s"} {
				fmt.Fprint(&s, v, "=", w.State().Lookup(n.Path([]string{v})), " ")
			}
			lines = append(lines, fmt.Sprint(w.State().K(), w.State().Stack(), s.String()))
			if !w.Next() {
				break
			}
			a := san.Action{Task: t, K: int32(w.State().K())}
			lines = append(lines, fmt.Sprint(a, n.Event(a), n.Causes(a), n.Sides(a)))
		}
	}
	return lines
}

// TestCopyOfAnyHeader copies a net whose header is too long for a line of a trace.
func TestCopyOfAnyHeader(t *testing.T) {
	h := &event.Header{Version: 1, Tasks: []string{"main"},
		Consts: []event.Binding{{Name: "x", Value: event.StringValue(strings.Repeat("x", 17<<20))}}}
	b, err := san.NewBuilder(h)
	if err != nil {
		t.Fatal(err)
	}
	if b.Copy().Header() != b.Net().Header() {
		t.Error("the copy has another header")
	}
}
