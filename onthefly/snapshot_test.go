package onthefly_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// moved returns the checker that goes on elsewhere.
func moved(t rapid.TB, c *onthefly.Checker, props []*spec.Property, logic lsl.Logic) *onthefly.Checker {
	w := snapshot.NewWriter()
	c.Snapshot(w)
	r := snapshot.NewReader(w.Bytes())
	again, err := onthefly.Restore(r, props, logic)
	if err == nil {
		err = r.End()
	}
	if err != nil {
		t.Fatal(err)
	}
	closed(c)
	again.Inline()
	return again
}

// TestMoving compares what is reported of a run that a checker reads to its end, and of one that
// others go on with from a snapshot, again and again.
func TestMoving(t *testing.T) {
	violated, partly, wrong := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		trace, props, logic := drawRun(t, 9)
		make := func() *onthefly.Checker {
			c, err := onthefly.New(trace.Header, props, logic)
			if err != nil {
				t.Fatal(err)
			}
			c.SetPatience(rapid.SampledFrom([]int{0, 0, 0, 1 << 16}).Draw(t, "patience"))
			return c
		}
		stays := make()
		moves := make()
		moves.SetPatience(stays.Patience())
		for n, e := range trace.Events {
			if rapid.IntRange(0, 300).Draw(t, "end") == 17 {
				stays.End(e.Task)
				moves.End(e.Task)
			}
			want, got := stays.Add(e, fmt.Sprint(n)), moves.Add(e, fmt.Sprint(n))
			if fmt.Sprint(want) != fmt.Sprint(got) {
				t.Fatalf("event %d: %v, %v when moved", n+1, want, got)
			}
			if want != nil {
				wrong++
				return
			}
			if rapid.IntRange(0, 3).Draw(t, "move") == 0 {
				moves = moved(t, moves, props, logic)
			}
			if rapid.IntRange(0, 3).Draw(t, "step") > 0 {
				continue
			}
			if want, got := summary(must(stays.Step(context.Background()))),
				summary(must(moves.Step(context.Background()))); want != got {
				t.Fatalf("after %d events: %s\nwhen moved: %s\n%v", n+1, want, got, trace)
			} else if want != "" {
				violated++
			}
			if want, got := stays.OpenIntervals(), moves.OpenIntervals(); want != got {
				t.Fatalf("after %d events: %d pieces, %d when moved", n+1, want, got)
			}
		}
		if want, got := fmt.Sprint(stays.PendingError()), fmt.Sprint(moves.PendingError()); want != got {
			t.Fatalf("%s\nwhen moved: %s", want, got)
		}
		want, net := settled(stays)
		got, _ := settled(moves)
		if !net.BeginsWithRun() {
			partly++
		}
		for i := range want {
			if want, got := objectOf(t, want[i]), objectOf(t, got[i]); want != got {
				t.Fatalf("%s, when moved %s", want, got)
			}
		}
	})
	t.Logf("%d violations; %d runs forgotten in part; %d with an error", violated, partly, wrong)
	if !testing.Short() && (violated == 0 || partly == 0) {
		t.Errorf("only %d violations, %d runs forgotten in part", violated, partly)
	}
}

// TestMovingEvalErrors has properties of two files whose expressions are at the same position, and
// cannot be evaluated. A checker that goes on elsewhere continues to count each alone.
func TestMovingEvalErrors(t *testing.T) {
	var props []*spec.Property
	for _, file := range [][2]string{{"a.tl", "property p: t:(1/x >= 0)"}, {"b.tl", "property p: t:(1%y >= 0)"}} {
		f, err := spec.Parse(file[0], file[1])
		if err != nil {
			t.Fatal(err)
		}
		props = append(props, f.Properties...)
	}
	source, err := event.Open(strings.NewReader(`{"antichain":1,"tasks":["m"]}
{"t":"m","set":{"x":0,"y":0}}
{"t":"m","set":{"x":1}}
{"t":"m","set":{"x":0}}
`), "trace")
	if err != nil {
		t.Fatal(err)
	}
	trace, err := santest.Collect(source)
	if err != nil {
		t.Fatal(err)
	}
	c, err := onthefly.New(trace.Header, props, lsl.L3)
	if err != nil {
		t.Fatal(err)
	}
	for n, e := range trace.Events {
		if err := c.Add(e, fmt.Sprint(n)); err != nil {
			t.Fatal(err)
		}
		must(c.Step(t.Context()))
		c = moved(t, c, props, lsl.L3)
	}
	want := map[string][]lsl.EvalError{
		"a.tl": {{Pos: spec.Pos{Line: 1, Col: 17}, Expr: "1 / x", Reason: "divides by zero", Count: 2}},
		"b.tl": {{Pos: spec.Pos{Line: 1, Col: 17}, Expr: "1 % y", Reason: "divides by zero", Count: 3}},
	}
	results, _ := settled(c)
	for _, r := range results {
		if d := cmp.Diff(want[r.Property.File], r.EvalErrors); d != "" {
			t.Errorf("%s: %s", r.Property.File, d)
		}
	}
}

// objectOf returns a result as JSON.
func objectOf(t *rapid.T, r *tlcheck.Result) string {
	var b strings.Builder
	if err := report.WriteJSON(&b, "", r, report.Source{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestMovingDamaged reads snapshots with wrong bytes in them, which may be an error or not.
func TestMovingDamaged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trace := santest.Generate(santest.Rapid(t), santest.Config{Steps: 20, Joints: 10})
		prop := forgettable(t)
		c := checker(t, trace, prop, lsl.L3)
		for _, e := range trace.Events {
			if err := c.Add(e, ""); err != nil {
				t.Fatal(err)
			}
		}
		must(c.Step(context.Background()))
		w := snapshot.NewWriter()
		c.Snapshot(w)
		closed(c)
		data := append([]byte(nil), w.Bytes()...)
		data = data[:len(data)-rapid.IntRange(1, len(data)).Draw(t, "cut")]
		again, err := onthefly.Restore(snapshot.NewReader(data), []*spec.Property{prop}, lsl.L3)
		if err == nil {
			closed(again)
			t.Fatalf("%d of %d bytes are enough", len(data), len(w.Bytes()))
		}
	})
}
