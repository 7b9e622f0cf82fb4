package onthefly_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// TestQuietSteps compares a checker with one that passes nothing over: what is reported, and the
// state after each step.
func TestQuietSteps(t *testing.T) {
	violated, partly := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		trace, props, logic := drawRun(t, 12)
		patience := rapid.SampledFrom([]int{0, 0, 20, 1 << 16}).Draw(t, "patience")
		var both [2]*onthefly.Checker
		for i := range both {
			c, err := onthefly.New(trace.Header, props, logic)
			if err != nil {
				t.Fatal(err)
			}
			c.SetPatience(patience)
			both[i] = c
		}
		both[0].Thorough()
		if rapid.Bool().Draw(t, "inline") {
			both[1].Inline()
		}
		state := func(c *onthefly.Checker) []byte {
			w := snapshot.NewWriter()
			c.Snapshot(w)
			return w.Bytes()
		}
		often := rapid.SampledFrom([]int{1, 4}).Draw(t, "often")
		for n, e := range trace.Events {
			if rapid.IntRange(0, 100).Draw(t, "end") == 17 {
				both[0].End(e.Task)
				both[1].End(e.Task)
			}
			want, got := both[0].Add(e, fmt.Sprint(n)), both[1].Add(e, fmt.Sprint(n))
			if fmt.Sprint(want) != fmt.Sprint(got) {
				t.Fatalf("event %d: %v, quietly %v", n+1, want, got)
			}
			if want != nil {
				return
			}
			if rapid.IntRange(1, often).Draw(t, "step") > 1 {
				continue
			}
			if want, got := summary(must(both[0].Step(context.Background()))),
				summary(must(both[1].Step(context.Background()))); want != got {
				t.Fatalf("after %d events: %s\nquietly: %s\n%v", n+1, want, got, trace)
			} else if want != "" {
				violated++
			}
			if !bytes.Equal(state(both[0]), state(both[1])) {
				t.Fatalf("after %d events the states differ\n%v", n+1, trace)
			}
		}
		want, net := settled(both[0])
		got, _ := settled(both[1])
		for i := range want {
			if want, got := objectOf(t, want[i]), objectOf(t, got[i]); want != got {
				t.Fatalf("%s\nquietly: %s", want, got)
			}
		}
		if !net.BeginsWithRun() {
			partly++
		}
	})
	if !testing.Short() && (violated == 0 || partly == 0) {
		t.Errorf("only %d violations, %d runs forgotten in part", violated, partly)
	}
}
