package onthefly_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/snapshot"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// TestQuietSteps compares a checker with one that passes nothing over: what is reported, and the state after each step.
func TestQuietSteps(t *testing.T) {
	violated, partly := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		source := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		config := santest.Config{
			Steps: 120, Tasks: 2, Spawns: 15, Ends: 8,
			Causes: rapid.SampledFrom([]int{20, 70, 95}).Draw(t, "causes"),
			Joints: rapid.SampledFrom([]int{0, 10}).Draw(t, "joints"),
		}
		small := rapid.Bool().Draw(t, "small") // so that all formulas can be checked
		if small {
			config.Steps, config.Shared = 12, []string{"unused"}
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
			if want, got := told(must(both[0].Step(context.Background()))), told(must(both[1].Step(context.Background()))); want != got {
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
		if !net.Whole() {
			partly++
		}
	})
	if !testing.Short() && (violated < 5 || partly < 5) {
		t.Errorf("only %d violations, %d runs forgotten in part", violated, partly)
	}
}

// told says what is violated, and where.
func told(vs []*onthefly.Violation) (text string) {
	for _, v := range vs {
		text += fmt.Sprintln(spec.Format(v.Property.Formula), v.TIVA, v.Actions)
	}
	return text
}
