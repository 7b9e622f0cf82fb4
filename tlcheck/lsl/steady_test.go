package lsl_test

import (
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// TestStatesInARow evaluates formulas in one state after the other, where they remember what
// they were, and in each state afresh: forwards, and back to some states again.
func TestStatesInARow(t *testing.T) {
	sources := []string{
		"in.f", "start.f", "term.g", "not in.g or start.f", "x == 1", "x == 1 or missing", "r.x > 0 and in.f",
		"x / y == 1", "x / y == 1 or in.f", "z == 1", "z / x == 1", "r.y == x", "len(x) == 1",
	}
	parsed := make(map[string]spec.Local)
	for _, source := range sources {
		parsed[source] = local(t, source)
	}
	compare := func(t interface{ Fatalf(string, ...any) }, src santest.Source, shared bool) {
		c := santest.Config{Frames: 30, Values: 30}
		if !shared {
			c.Shared = []string{}
		}
		net := santest.Generate(src, c).MustBuild()
		for _, source := range sources {
			l := parsed[source]
			row := lsl.Compile(net, l, lsl.L3)
			var rowLog, freshLog lsl.Log
			look := func(s *san.State) {
				got, want := row.Eval(s, &rowLog), lsl.Compile(net, l, lsl.L3).Eval(s, &freshLog)
				if got != want {
					t.Fatalf("%s in state %d of %s is %v, want %v", source, s.K(), net.Name(s.Task()), got, want)
				}
			}
			for task := range san.Task(net.Tasks()) {
				w := net.Walk(task)
				for ok := true; ok; ok = w.Next() {
					look(w.State())
				}
				for range 3 {
					w.Seek(src.Intn(net.Len(task) + 1))
					look(w.State())
				}
			}
			if diff := cmp.Diff(freshLog.EvalErrors(), rowLog.EvalErrors()); diff != "" {
				t.Fatalf("%s: %s", source, diff)
			}
		}
	}
	for seed := range int64(400) {
		compare(t, rand.New(rand.NewSource(seed)), seed%2 == 0)
	}
	rapid.Check(t, func(t *rapid.T) { compare(t, santest.Rapid(t), rapid.Bool().Draw(t, "shared")) })
}
