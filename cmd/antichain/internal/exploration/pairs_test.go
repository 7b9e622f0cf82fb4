package exploration

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/schedulefile"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// reversal is an order of two steps.
func reversal() *execution.Reversal {
	return &execution.Reversal{Schedule: &schedule.Schedule{Steps: []schedule.Step{
		{Goroutine: "main", Kind: op.Close, Nth: 1, Line: schedule.Line{At: "m.go:7"}},
		{Goroutine: "main.1", Kind: op.Send, Nth: 1, Line: schedule.Line{At: "m.go:3"}},
	}}}
}

const words = "main: close at m.go:7 before main.1: send at m.go:3"

// Pairs of the first run come behind all ordinary runs, and take at most half of the others.
func TestNextPair(t *testing.T) {
	x := exploration{plan: &Plan{Extent: Extent{Runs: 2, Explore: 5}}, merged: newMerger()}
	x.plan.Yields = 7
	var got []string
	for x.isLeft() {
		r := x.next()
		got = append(got, x.describe(r))
		r.ended = &execution.Conclusion{}
		if x.runs == 0 {
			if r.plan.Reversals != 2 {
				t.Errorf("%d pairs are wanted", r.plan.Reversals)
			}
			x.pairs.all = []*execution.Reversal{reversal(), reversal()}
		} else if (r.plan.Reversals != 0) != (r.plan.Reversed != nil) {
			t.Errorf("%d pairs are wanted of run %d", r.plan.Reversals, x.runs+1)
		}
		if r.plan.Reversed != nil && r.plan.Yields != 0 {
			t.Error("goroutines yield to others, which a replay does elsewhere")
		}
		x.note(r)
	}
	want := []string{
		"run 1 --yields 7", "run 2 --yields 8", "run 3, reversed pair 1 of 2", "run 4, reversed pair 2 of 2",
		"run 5 --seed 1", "run 6 --seed 2", "run 7 --seed 3",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	const summary = "2 runs with --yields 7 to 8, 2 with a reversed pair, 3 with --seed 1 to 3"
	if got := x.summary(nil); got != summary {
		t.Errorf("%s, want %s", got, summary)
	}
}

// A run with a reversed pair has pairs of its own. One that is known is not tried again, and there
// is a bound.
func TestAddPairs(t *testing.T) {
	var p pairs
	for _, keys := range [][]string{{"a", "b"}, {"b", "c", "d"}} {
		var found []*execution.Reversal
		for _, key := range keys {
			found = append(found, &execution.Reversal{Key: key})
		}
		p.add(found, 3)
	}
	got := ""
	for _, r := range p.all {
		got += r.Key
	}
	if got != "abc" {
		t.Errorf("%s, want abc", got)
	}
}

// Seeds have the second half of the time.
func TestPairsUntil(t *testing.T) {
	p := pairs{all: []*execution.Reversal{reversal()}}
	if !p.isLeft() {
		t.Error("without a bound")
	}
	if p.until = time.Now().Add(time.Hour); !p.isLeft() {
		t.Error("before")
	}
	if p.until = time.Now().Add(-time.Hour); p.isLeft() {
		t.Error("after")
	}
}

// A program that fails with a reversed pair changes nothing if that may depend on time.
func TestNotePair(t *testing.T) {
	const one = "0 runs, 1 with a reversed pair"
	const again = " (antichain replay FILE ./m)"
	const mentioned = one + "; the program failed in 1 with a reversed pair, which may depend on time, first with " +
		words + again
	const failed = one + "; the program failed in 1, first with " + words
	slow := execution.Passed{Slow: true}
	for _, tt := range []struct {
		ended execution.Conclusion
		found *tlcheck.Assessment
		code  int
		want  string
	}{
		{execution.Conclusion{}, nil, 0, one},
		{execution.Conclusion{InVain: true}, nil, 0, one + " (1 in vain)"},
		{execution.Conclusion{Code: 137, Overdue: true}, nil, 0, one + "; 1 did not end, and were ended"},
		{execution.Conclusion{Code: 3}, nil, 3, failed + again},
		{execution.Conclusion{Code: 3}, found(builtin.Stuck, builtin.Predicted, 1), 3, failed + again},
		{execution.Conclusion{Code: 3, Passed: slow}, nil, 0, mentioned},
		{execution.Conclusion{Code: 3, Passed: slow}, found(builtin.Stuck, builtin.Predicted, 1), 0, mentioned},
		{execution.Conclusion{Code: 3}, found(builtin.Stuck, builtin.Observed, 1), 3, failed},
	} {
		x := exploration{plan: &Plan{Extent: Extent{Explore: 1, StopAt: StopAtConfirmed}}, merged: newMerger()}
		x.pairs.all = []*execution.Reversal{reversal()}
		r := &run{plan: &execution.Plan{Reversed: x.pairs.next()}, ended: &tt.ended}
		r.plan.Replay, r.plan.Check.Style.Again = "FILE", "antichain run ./m"
		if tt.found != nil {
			r.results = append(r.results, tt.found)
		}
		if err := x.examine(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		x.note(r)
		if got := x.summary(nil); x.stopped != (tt.code != 0) || x.all.Code != tt.code || got != tt.want {
			t.Errorf("stopped %v, code %d, %s, want %s", x.stopped, x.all.Code, got, tt.want)
		}
	}
}

// A finding of a reversed pair is reported with the pair, and with a command that keeps its
// schedule. Only then that is a file.
func TestReportPair(t *testing.T) {
	dir := t.TempDir()
	plan := &execution.Plan{Name: "m", Reversed: reversal(), Schedules: schedulefile.Place{Dir: dir}}
	plan.Check.Style.Again = "antichain test ./m"
	quiet := *plan
	x := exploration{plan: &Plan{Extent: Extent{Explore: 9}}, merged: newMerger()}
	x.note(&run{plan: &quiet, ended: &execution.Conclusion{}})
	stuck := []*tlcheck.Assessment{found(builtin.Stuck, builtin.Observed, 1)}
	x.note(&run{plan: plan, ended: &execution.Conclusion{}, results: stuck})
	if err := x.keepSchedules(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 || quiet.Replay != "" {
		t.Fatalf("%v, %v, %q", files, err, quiet.Replay)
	}
	_, all := x.merged.results(x.runs, true)
	o := all[0].Occurrence
	if o.Run != words || strings.Join(o.Reversed, " before ") != words {
		t.Errorf("%+v", o)
	}
	if want := "antichain test --replay " + plan.Replay + " ./m"; o.Again != want {
		t.Errorf("%s, want %s", o.Again, want)
	}
}
