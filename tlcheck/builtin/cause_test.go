package builtin

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// A lock that is never given back is reported once, with all that follows from it. Who has it has
// ended.
func TestByCause(t *testing.T) {
	const mu = 1
	s := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.Go, Other: 2}},
		{Op: op.Op{Kind: op.Go, Other: 3}},
		{Op: op.Op{Kind: op.Lock, Task: 1, Object: mu}}, // 5
		{Op: op.Op{Kind: op.Unlock, Task: 1, Object: mu}},
		{Op: op.Op{Kind: op.Lock, Task: 2, Object: mu}}, // 7
		{Op: op.Op{Kind: op.Unlock, Task: 2, Object: mu}},
		{Op: op.Op{Kind: op.Lock, Task: 3, Object: mu}},
		{Op: op.Op{Kind: op.End, Task: 3}}, // 10
		{Op: op.Op{Kind: op.End, Task: 1}},
		{Op: op.Op{Kind: op.End, Task: 2}},
	}
	waits := script{{Op: op.Op{Kind: op.Go, Other: 4}}, {Op: op.Op{Kind: op.Block, Task: 4, Want: op.Lock, Object: mu}}}
	left := script{{Op: op.Op{Kind: op.Left}}}
	for _, test := range []struct {
		name, want, also string
		ops              script
	}{
		{
			"in another order", "predicted: lock@5 end@10",
			"predicted: lock@7 end@10; predicted, locks reordered: lock@5; predicted, locks reordered: lock@7", s,
		},
		{
			"in this one", "observed: lock@14",
			"predicted: lock@5 end@10; predicted: lock@7 end@10; predicted, locks reordered: lock@5; predicted, locks reordered: lock@7",
			append(s[:len(s):len(s)], waits...),
		},
	} {
		found := append(test.ops[:len(test.ops):len(test.ops)], left...).tell(checkerOf(Deadlock, Stuck))
		if got := brief(found); got != test.want || brief(found[0].Also) != test.also {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
			for _, f := range found {
				t.Logf("%s: %q", f.Text, brief(f.Also))
			}
			continue
		}
		for _, f := range append(found[0].Also, found...) {
			for _, p := range f.Parties {
				if p.Kind == op.End && p.Does != "has ended" {
					t.Errorf("%s: %+v", test.name, p)
				}
			}
		}
	}
}

// Findings that were reported before have no others in Also.
func TestByCauseOfWhatWasTold(t *testing.T) {
	at := func(how Certainty, told bool, cause op.Place) Finding {
		return Finding{Property: Stuck, How: how, Told: told, Cause: cause}
	}
	found := byCause(testNames{}, []Finding{at(Reordered, true, 7), at(Observed, true, 0), at(Reordered, false, 7), at(Predicted, false, 8), at(Observed, false, 0)})
	if len(found) != 4 || found[1].Told || found[1].Cause != 7 || len(found[1].Also) != 1 || !found[1].Also[0].Told {
		t.Errorf("%+v", found)
	}
}

// calledNames has places; those from 10 on are calls of place 5.
type calledNames struct{ testNames }

func (n calledNames) Place(p op.Place) op.Location {
	l := n.testNames.Place(p)
	if p >= 10 {
		called := n.testNames.Place(5)
		return op.Location{At: called.At, Stack: append(called.Stack, l.Stack...)}
	}
	return l
}

// A function that locks for others is not what has forgotten to unlock.
func TestByCauseInCallers(t *testing.T) {
	at := func(cause op.Place) Finding { return Finding{Property: Stuck, Cause: cause} }
	found := byCause(calledNames{}, []Finding{at(10), at(11), at(10), at(5)})
	if len(found) != 3 || len(found[0].Also) != 1 {
		t.Errorf("%+v", found)
	}
}

// Nor are findings one that differ in who has forgotten to unlock, and in nothing else but
// goroutines and objects.
func TestMergeByCause(t *testing.T) {
	at := func(cause op.Place) Finding {
		return Finding{Property: Stuck, Cause: cause, Parties: []Party{{Kind: op.Lock, At: 5}}}
	}
	merged := new(Checker).mergeSamePlace(calledNames{}, []Finding{at(10), at(11), at(10)})
	if len(merged) != 2 || merged[0].Count != 2 || merged[1].Count != 1 || len(merged[0].Alike) != 1 || len(merged[1].Alike) != 0 {
		t.Errorf("%+v", merged)
	}
}

// inTests has a test for each three tasks.
type inTests struct{ testNames }

func (inTests) Task(t op.Task) op.Origin { return op.Origin{Test: fmt.Sprint("Test", t/3)} }

// The first findings that are alike are kept, and one of each test, for all tests are to be named.
func TestAlikeOfTests(t *testing.T) {
	const count = 300
	found := make([]Finding, count)
	for i := range found {
		found[i] = Finding{Property: Stuck, Parties: []Party{{Task: op.Task(i), Kind: op.Recv, At: 5}}}
	}
	merged := new(Checker).mergeSamePlace(inTests{}, found)
	if len(merged) != 1 || merged[0].Count != count {
		t.Fatalf("%+v", merged)
	}
	tests := map[string]bool{}
	for _, like := range merged[0].Alike {
		tests[inTests{}.Task(like.Party.Task).Test] = true
	}
	if tests["Test0"] = true; len(tests) != count/3 || len(merged[0].Alike) >= count/2 {
		t.Errorf("%d tests in %d", len(tests), len(merged[0].Alike))
	}
	if none := new(Checker).mergeSamePlace(testNames{}, found); len(none[0].Alike) != maxAlikeKept {
		t.Errorf("outside tests: %d", len(none[0].Alike))
	}
}

// Waits that are only predicted count with those that happened at the same places.
func TestForetold(t *testing.T) {
	waits := func(tasks ...op.Task) (all []Party) { // each at the place 10 times as large
		for _, task := range tasks {
			all = append(all, Party{Task: task, Kind: op.Recv, At: op.Place(10 * (task % 10))})
		}
		return all
	}
	stuck := func(how Certainty, core int, tasks ...op.Task) Finding {
		return Finding{Property: Stuck, How: how, Count: 1, Core: core, Parties: waits(tasks...)}
	}
	dead := Finding{Property: Deadlock, Count: 1, Parties: waits(1, 2)}
	holding := func(f Finding, locked ...op.Place) Finding { // each goroutine one lock
		f.Parties = slices.Clone(f.Parties)
		for i, at := range locked {
			f.Parties[i].Holds = []rule.HeldLock{{Kind: op.Lock, At: at}}
		}
		return f
	}
	cycle := func(how Certainty, locked ...op.Place) Finding {
		return holding(Finding{Property: Deadlock, How: how, Count: 1, Parties: waits(11, 12)}, locked...)
	}
	left := stuck(Reordered, 0, 11)
	left.Cause = 5
	for _, test := range []struct {
		name string
		all  []Finding
		want string
	}{
		{"another goroutine", []Finding{stuck(Observed, 0, 1, 2), stuck(Predicted, 0, 11)}, "observed x2"},
		{"only possible", []Finding{stuck(Possible, 0, 11), stuck(Observed, 0, 1, 2)}, "observed x2"},
		{"others behind it", []Finding{stuck(Observed, 0, 1, 2), stuck(Predicted, 1, 11, 13)}, "observed x2"},
		{"the same goroutine", []Finding{stuck(Observed, 0, 1, 2), stuck(Predicted, 0, 1)}, "observed x1"},
		{"in a deadlock", []Finding{dead, stuck(Predicted, 0, 12)}, "observed x2"},
		{"a deadlock, as a wait without end",
			[]Finding{stuck(Observed, 0, 1, 2, 3), cycle(Possible)}, "observed x2"},
		{"a deadlock, the same locks held",
			[]Finding{holding(stuck(Observed, 0, 1, 2, 3), 6, 7, 8), cycle(Reordered, 6, 7)}, "observed x2"},
		{"a deadlock, other locks held",
			[]Finding{holding(stuck(Observed, 0, 1, 2), 6, 8), cycle(Reordered, 6, 7)},
			"observed x1, predicted, locks reordered x1"},
		{"a deadlock, no lock held", []Finding{stuck(Observed, 0, 1, 2), cycle(Possible, 6)},
			"observed x1, possible x1"},
		{"elsewhere", []Finding{stuck(Observed, 0, 1, 2), stuck(Predicted, 0, 3)}, "observed x1, predicted x1"},
		{"elsewhere, too", []Finding{stuck(Observed, 0, 1), stuck(Predicted, 0, 11, 12)}, "observed x1, predicted x1"},
		{"its own cause", []Finding{stuck(Observed, 0, 1, 2), left}, "observed x1, predicted, locks reordered x1"},
		{"none happened", []Finding{stuck(Predicted, 0, 1, 2), left}, "predicted x1, predicted, locks reordered x1"},
	} {
		var got []string
		for _, f := range withoutForetold(testNames{}, test.all) {
			got = append(got, fmt.Sprintf("%v x%d", f.How, f.Count))
			if len(f.Alike) != f.Count-1 {
				t.Errorf("%s: %d are alike", test.name, len(f.Alike))
			}
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
