package builtin_test

import (
	"testing"
	"time"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

func elapsed(d time.Duration) op.Op { return op.Op{Kind: op.Time, Task: op.NoTask, Arg: int64(d)} }

// wait is what a checker says of the wait of the first party of its only finding.
func wait(t *testing.T, run ...op.Op) *builtin.Lasting {
	t.Helper()
	found := watched(t, run...).Findings(lines{})
	if len(found) != 1 {
		t.Fatalf("found %+v", found)
	}
	return found[0].Parties[0].Waits
}

func TestWaitsHaveTimes(t *testing.T) {
	const s = time.Second
	begin := []op.Op{elapsed(0), {Kind: op.Main}, {Kind: op.MakeChan, Object: 1}, {Kind: op.Go, Other: 1}}
	receives := op.Op{Kind: op.Block, Task: 1, Object: 1, Want: op.Recv, At: 9}
	handoff := op.Op{Kind: op.Handoff, Object: 1, Other: 1, At: 3, OtherAt: 9}
	for name, c := range map[string]struct {
		run  []op.Op
		want builtin.Lasting
	}{
		"one wait":           {[]op.Op{elapsed(2 * s), receives}, builtin.Lasting{Began: 2 * s, For: 8 * s}},
		"from the beginning": {[]op.Op{receives}, builtin.Lasting{For: 10 * s}},
		"others go on": {[]op.Op{receives, elapsed(s), {Kind: op.MakeChan, Object: 2}},
			builtin.Lasting{For: 10 * s}},
		"it has waited before": {[]op.Op{receives, elapsed(s), handoff, elapsed(3 * s), receives},
			builtin.Lasting{Began: 3 * s, For: 7 * s}},
	} {
		run := append(append(append([]op.Op{}, begin...), c.run...), noCause(1), elapsed(10*s))
		if got := wait(t, run...); got == nil || *got != c.want {
			t.Errorf("%s: %+v instead of %+v", name, got, c.want)
		}
	}
	if got := wait(t, append(begin[1:], receives, noCause(1))...); got != nil {
		t.Errorf("the run has no times: %+v", got)
	}
}

// As long as a run goes on, its waits last until the latest time.
func TestStandingHasTimes(t *testing.T) {
	run := append([]op.Op{elapsed(time.Second)}, leaks...)
	s := watched(t, append(run, noCause(1), elapsed(3*time.Second))...).Standing(lines{})
	want := builtin.Lasting{Began: time.Second, For: 2 * time.Second}
	if got := s.ForEver[0].Parties[0].Waits; got == nil || *got != want {
		t.Errorf("the finding says %+v", got)
	}
	for _, w := range s.Waits() {
		if w.Waits == nil || *w.Waits != want {
			t.Errorf("task %d: %+v", w.Task, w.Waits)
		}
	}
}
