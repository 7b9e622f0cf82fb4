package reorder_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/builtin/deadlock"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
)

// predictedDeadlocks returns the deadlocks that are predicted from a run, by where their parties
// wait, with a history or without.
func predictedDeadlocks(ops []op.Op, with bool) map[string]rule.Finding {
	d, h := deadlock.Rule.New(), reorder.New()
	if with {
		d.(interface{ Reorders(*reorder.History) }).Reorders(h)
	}
	for i := range ops {
		h.Op(&ops[i])
		d.Op(&ops[i])
	}
	found := map[string]rule.Finding{}
	for _, f := range d.Findings(placeNames{}) {
		if f.How != rule.Observed {
			found[waitingAt(&f)] = f
		}
	}
	return found
}

// waitingAt identifies a deadlock by where its parties wait.
func waitingAt(f *rule.Finding) string {
	var at []int
	for _, p := range f.Parties {
		at = append(at, int(p.At))
	}
	slices.Sort(at)
	return fmt.Sprint(at)
}

// made makes the channels of random programs: it is known which tasks can end a wait for them.
var made = []op.Op{
	{Kind: op.MakeChan, Task: op.NoTask, Other: op.NoTask, Object: 101},
	{Kind: op.MakeChan, Task: op.NoTask, Other: op.NoTask, Object: 102},
}

// A deadlock that is predicted for certain only with a history can happen with each read seeing
// what it saw, and one that is only possible cannot. No deadlock is lost by the history.
func TestPreservedDeadlocks(t *testing.T) {
	exact, waiting, others, doubted := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 200 { // few runs have any
			r := reorder.Execute(t, reorder.DrawProgram(t))
			ops := slices.Clone(made)
			for i := range r.Events {
				ops = append(ops, r.Ops(i)...)
			}
			ops = append(ops, r.Ends()...)
			with, without := predictedDeadlocks(ops, true), predictedDeadlocks(ops, false)
			for at, f := range without {
				if with[at].Parties == nil {
					t.Fatalf("%v\n%s: not found with a history", r.Program, f.Text)
				}
			}
			for at, f := range with {
				switch {
				case f.How == rule.Possible && slices.ContainsFunc(f.Parties, hasEnded):
				case f.How == rule.Possible:
					doubted++
					if isPreserved(r, &f) {
						t.Fatalf("%v\n%s: an order leads there in which each read sees what it saw", r.Program, f.Text)
					}
				case f.How != rule.Predicted:
					others++
				case without[at].How != rule.Predicted:
					exact++
					if slices.ContainsFunc(f.Parties, waitsToReceive) {
						waiting++
					}
					checkPreserved(t, r, &f)
				}
			}
		}
	})
	if (exact == waiting || waiting == 0 || others == 0 || doubted == 0) && !testing.Short() {
		t.Errorf("%d exact ones, %d of them with a party that waits to receive, %d possible ones and %d others",
			exact, waiting, doubted, others)
	}
}

func waitsToReceive(p rule.Party) bool { return p.Kind == op.Recv }

func hasEnded(p rule.Party) bool { return p.Kind == op.End }

// isPreserved reports by enumeration whether the parties can all come to where they wait, before
// what they wait to receive from is closed, with each read seeing what it saw.
func isPreserved(r *reorder.Run, f *rule.Finding) (real bool) {
	var waits []int
	for _, p := range f.Parties {
		waits = append(waits, int(p.At)-1)
	}
	reached := r.Reached()
	r.Cuts(func(c reorder.Cut) {
		in := r.Bits(c)
		ended := func(i int) bool {
			return r.Events[i].Kind == op.RecvClosed && r.IsClosed(r.Events[i].Obj, in)
		}
		real = real || r.AtPoints(c, waits...) && reached[in] && !slices.ContainsFunc(waits, ended)
	})
	return real
}

// checkPreserved checks isPreserved of a deadlock without a party that has ended.
func checkPreserved(t *rapid.T, r *reorder.Run, f *rule.Finding) {
	if slices.ContainsFunc(f.Parties, hasEnded) {
		return
	}
	if !isPreserved(r, f) {
		t.Fatalf("%v\n%s: no order leads there", r.Program, f.Text)
	}
	last := int32(0)
	for _, s := range f.Schedule[:len(f.Schedule)-len(f.Parties)] {
		if int32(s.At) <= last {
			t.Fatalf("%v\n%v: not in the order of the run", r.Program, f.Schedule)
		}
		last = int32(s.At)
	}
}
