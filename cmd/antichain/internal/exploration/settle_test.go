package exploration

import (
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// A doubtful violation has the outcome of the run that has tried it, and counts as often as before.
func TestSettle(t *testing.T) {
	made := func(results ...*tlcheck.Assessment) *run {
		return &run{plan: &execution.Plan{}, ended: &execution.Conclusion{}, results: results}
	}
	m := newMerger()
	m.add(made(found(builtin.Deadlock, builtin.Reordered, 7), found(builtin.Stuck, builtin.Predicted, 8)), false)
	m.add(made(found(builtin.Deadlock, builtin.Reordered, 7)), false)
	if n := len(m.doubtful()); n != 1 || m.hasHappened() {
		t.Fatalf("%d are doubtful, has happened: %t", n, m.hasHappened())
	}
	refuted := found(builtin.Deadlock, builtin.Possible, 7)
	refuted.Confirmation = &tlcheck.Confirmation{Outcome: tlcheck.Diverged}
	m.settle(made(refuted, found(builtin.Closed, builtin.Reordered, 9)))
	if n := len(m.doubtful()); n != 0 {
		t.Errorf("%d are doubtful still", n)
	}
	_, results := m.results(2, false)
	if len(results) != 2 {
		t.Fatalf("%d results", len(results))
	}
	for _, r := range results {
		if r.Builtin == builtin.Deadlock && (r.Verdict != tlcheck.Possible || r.Occurrence.Showing != 2) {
			t.Errorf("%v, in %d runs", r.Verdict, r.Occurrence.Showing)
		}
	}
	m.add(made(found(builtin.Deadlock, builtin.Observed, 7)), false)
	if !m.hasHappened() {
		t.Error("it was observed")
	}
}
