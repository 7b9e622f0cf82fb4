package builtin

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// A task that a timer wakes polls for ever if it does nothing else then, and no task is left that
// could do what it waits for.
func TestPollers(t *testing.T) {
	const timer, done, other, never = 1, 2, 3, 4
	arms := op.Op{Kind: op.Arm, Task: 1, Object: timer}
	waits := op.Op{Kind: op.Block, Task: 1, Want: op.Select, Cases: []op.Case{{Object: timer}, {Object: done}}, At: 50}
	wakes := op.Op{Kind: op.Recv, Task: 1, Object: timer, InCase: true}
	loads := op.Op{Kind: op.AtomicLoad, Task: 1}
	with := func(ops ...op.Op) script {
		var s script
		for _, o := range ops {
			s = append(s, script{{Op: o}}...)
		}
		return s
	}
	alone := waits
	alone.Cases = alone.Cases[:1]
	withNil := waits
	withNil.Cases = []op.Case{{Object: timer}, {}}
	elsewhere := waits
	elsewhere.At = 51
	lock, unlock := op.Op{Kind: op.Lock, Task: 1, Object: other}, op.Op{Kind: op.Unlock, Task: 1, Object: other}
	for _, test := range []struct {
		name   string
		ops    script
		source Behind
		want   string
	}{
		{"it does", with(arms, waits, wakes, arms, waits, wakes, arms, waits), ComesBack, "observed: select@50"},
		{"as far as is known", with(arms, waits, wakes, arms, waits, wakes, arms, waits), Unread, "possible: select@50"},
		{"it may end itself", with(arms, waits, wakes, arms, waits, wakes, arms, waits), Leaves, ""},
		{"it is awake", with(arms, waits, wakes, arms, waits, wakes, arms, waits, wakes), ComesBack, "observed: select@50"},
		{"it is awake, and works", with(arms, waits, wakes, arms, waits, wakes, arms, waits, wakes, lock), ComesBack, ""},
		{"it is awake and has woken once", with(arms, waits, wakes, arms, waits, wakes), ComesBack, ""},
		{"it looks at something", with(arms, waits, wakes, loads, arms, waits, wakes, loads, arms, waits), ComesBack, "observed: select@50"},
		{"once", with(arms, waits, wakes, arms, waits), ComesBack, ""},
		{"it works", with(arms, waits, wakes, lock, unlock, arms, waits, wakes, lock, unlock, arms, waits), ComesBack, ""},
		{"here and there", with(arms, waits, wakes, arms, elsewhere, wakes, arms, waits, wakes, arms, elsewhere), ComesBack, ""},
		{"for a timer", with(arms, alone, wakes, arms, alone, wakes, arms, alone), ComesBack, ""},
		{"for a timer or nothing", with(arms, withNil, wakes, arms, withNil, wakes, arms, withNil), ComesBack, ""},
		{"somebody lives", append(with(op.Op{Kind: op.Go, Other: 2}), with(arms, waits, wakes, arms, waits, wakes, arms, waits)...), ComesBack, ""},
		{"somebody waits", append(with(op.Op{Kind: op.Go, Other: 2}, op.Op{Kind: op.Block, Task: 2, Want: op.Recv, Object: never}), with(arms, waits, wakes, arms, waits, wakes, arms, waits)...), ComesBack, "observed: select@50"},
		{"it is told to end", append(with(arms, waits, wakes, arms, waits, wakes, arms, waits), with(op.Op{Kind: op.Close, Object: done})...), ComesBack, ""},
	} {
		s := append(with(op.Op{Kind: op.Main}, op.Op{Kind: op.Go, Other: 1}), test.ops...)
		checker := checkerOf(Stuck)
		checker.ReadSource(func(*Guess) Behind { return test.source })
		found := append(s, with(op.Op{Kind: op.Left})...).tell(checker)
		if got := brief(found); got != test.want || got != "" && !found[0].IsOfEnd() {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// What a task does when another timer wakes it than did so far is read, too, if that may still
// happen.
func TestPollersWithDeadlines(t *testing.T) {
	const tick, done, deadline = 1, 2, 3
	arm := func(timer op.Object) script { return script{{Op: op.Op{Kind: op.Arm, Task: 1, Object: timer}}} }
	waits := op.Op{Kind: op.Block, Task: 1, Want: op.Select, Cases: []op.Case{{Object: tick}, {Object: done}, {Object: deadline}}, At: 50}
	round := append(arm(tick), script{{Op: waits}, {Op: op.Op{Kind: op.Recv, Task: 1, Object: tick, InCase: true}}}...)
	stop := script{{Op: op.Op{Kind: op.Stop, Task: 1, Object: deadline}}}
	for _, test := range []struct {
		name   string
		before script
		source Behind // of the deadline's case
		want   string
	}{
		{"it ends the task", arm(deadline), Leaves, ""},
		{"it does not", arm(deadline), ComesBack, "observed: select@50"},
		{"it may", arm(deadline), Unread, "possible: select@50"},
		{"it was stopped", append(arm(deadline), stop...), Leaves, "observed: select@50"},
	} {
		s := slices.Concat(script{{Op: op.Op{Kind: op.Main}}, {Op: op.Op{Kind: op.Go, Other: 1}}}, test.before, round, round, arm(tick), script{{Op: waits}, {Op: op.Op{Kind: op.Left}}})
		checker := checkerOf(Stuck)
		checker.ReadSource(func(g *Guess) Behind {
			if g.Took == 2 && g.Other == 2 {
				return test.source
			}
			return ComesBack
		})
		if got := brief(s.tell(checker)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
