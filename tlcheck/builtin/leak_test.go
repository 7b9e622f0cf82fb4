package builtin

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/op"
)

// leakNames has tasks that run functions: those with odd numbers must finish.
type leakNames struct{ testNames }

func (n leakNames) Task(t op.Task) op.Origin {
	o := n.testNames.Task(t)
	o.Function = [...]string{"main.main", "example.com/x/bank.(*Account).flush"}[t%2]
	return o
}

// Ends of tasks that the end of the program can come before, against all slices of random runs.
func TestLeakAgainstSlices(t *testing.T) {
	found := map[Certainty]int{}
	rapid.Check(t, func(t *rapid.T) {
		r := newNetRun()
		running := []op.Task{0}
		ended := map[op.Task]int{}
		r.random(t, 2, moves{
			"go": func(t *rapid.T, _ op.Task) bool {
				by := rapid.SampledFrom(running).Draw(t, "by")
				child := op.Task(len(running) + len(ended))
				r.do(op.Op{Kind: op.Go, Task: by, Other: child}, 0)
				running = append(running, child)
				return true
			},
			"end": func(t *rapid.T, _ op.Task) bool {
				i := rapid.IntRange(0, len(running)-1).Draw(t, "which")
				if i == 0 {
					return false
				}
				ended[running[i]] = r.lastOf(running[i])
				r.do(op.Op{Kind: op.End, Task: running[i]}, 0)
				running = slices.Delete(running, i, i+1)
				return true
			},
			"hear": func(t *rapid.T, _ op.Task) bool {
				if len(r.ops) == 0 {
					return false
				}
				i := rapid.IntRange(0, len(r.ops)-1).Draw(t, "of")
				r.do(op.Op{Kind: op.Once, Task: rapid.SampledFrom(running).Draw(t, "who")}, r.before[i]|1<<i)
				return true
			},
		})
		left := len(r.ops)
		r.do(op.Op{Kind: op.Left}, 0)
		want := map[op.Task]Certainty{}
		r.slices(func(in bits) {
			if !r.next(in, left) {
				return
			}
			for i, o := range r.ops {
				if o.Kind != op.Go || o.Other%2 == 0 || !in.has(i) {
					continue
				}
				end, ok := ended[o.Other]
				last := r.lastOf(o.Other)
				switch {
				case ok && !in.has(end):
					want[o.Other] = Predicted
				case !ok && (last == len(r.ops) || !in.has(last)):
					want[o.Other] = Observed
				}
			}
		})
		c := checkerOf(Leak)
		c.MustFinish("bank.(*Account).flush")
		for i := range r.ops {
			c.Op(&r.ops[i])
		}
		got := map[op.Task]Certainty{}
		for _, f := range c.Findings(leakNames{}) {
			got[f.Parties[0].Task] = f.How
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("found %v, want %v", got, want)
		}
		for _, how := range got {
			found[how]++
		}
	})
	if found[Observed] == 0 || found[Predicted] == 0 {
		t.Errorf("found %v", found)
	}
}

// lastOf returns the last operation of a task, or the next one if it has none.
func (r *netRun) lastOf(t op.Task) int {
	for i := len(r.ops) - 1; i >= 0; i-- {
		if r.ops[i].Task == t {
			return i
		}
	}
	return len(r.ops)
}
