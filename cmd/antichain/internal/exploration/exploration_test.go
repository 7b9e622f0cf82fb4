package exploration

import (
	"math"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/tlcheck"
)

// What ended the runs is told, and what did not go well in them.
func TestSummary(t *testing.T) {
	for _, tt := range []struct {
		x     exploration
		plan  Plan
		cause error
		want  string
	}{
		{exploration{runs: 3}, Plan{Extent: Extent{Runs: 3}}, nil, "3 runs"},
		{exploration{runs: 10, steered: 9}, Plan{Plan: execution.Plan{Steering: execution.Steering{Yields: 7}}, Extent: Extent{Explore: 9}}, nil, "1 run with --yields 7, 9 with --seed 1 to 9"},
		{exploration{runs: 4, steered: 1}, Plan{Plan: execution.Plan{Steering: execution.Steering{Yields: 7, Seed: 20}}, Extent: Extent{Runs: 3, Explore: 9}}, errNoTimeLeft, "3 runs with --yields 7 to 9, 1 with --seed 20; then the time of -timeout was over"},
		{exploration{runs: 4, steered: 3, unknown: 1}, Plan{Extent: Extent{Explore: math.MaxInt}}, errForOver, "1 run, 3 with --seed 1 to 3; 1 without a verdict; then the time of --for was over"},
		{exploration{runs: 1}, Plan{Extent: Extent{Explore: 9}}, interrupt.Err, "1 run; then it was interrupted, with 9 runs left"},
		{exploration{runs: 2}, Plan{Extent: Extent{Runs: 2, Explore: 1}}, interrupt.Err, "2 runs; then it was interrupted, with 1 run left"},
		{exploration{runs: 1}, Plan{Extent: Extent{Explore: math.MaxInt}}, interrupt.Err, "1 run; then it was interrupted"},
		{
			exploration{runs: 5, steered: 4, unended: 2, failures: 3, failed: "--seed 2", stopped: true}, Plan{Extent: Extent{Explore: 9, StopAt: StopAtFirst}}, nil,
			"1 run, 4 with --seed 1 to 4; the program failed in 3, first with --seed 2; 2 did not end, and were ended; stopped at the first violation or failure (--stop-at never makes all runs)",
		},
	} {
		tt.x.plan = &tt.plan
		if got := tt.x.summary(tt.cause); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

// How long a run may take depends on how long those before it took, and on the time for all of
// them.
func TestLimit(t *testing.T) {
	limited := func(by time.Duration) (p Plan) {
		p.Limit = by
		return p
	}
	for _, tt := range []struct {
		name    string
		longest time.Duration
		plan    Plan
		want    time.Duration
	}{
		{"a first run", 0, Plan{}, 0},
		{"a first run, or one after a server's", 0, Plan{Extent: Extent{For: time.Minute}}, 6 * time.Second},
		{"tests for the first time", 0, Plan{Plan: execution.Plan{Tests: execution.Tests{Within: time.Hour}}, Extent: Extent{For: time.Minute}}, 0},
		{"another run", time.Second, Plan{}, 20 * time.Second},
		{"another run in little time", time.Second, Plan{Extent: Extent{For: 20 * time.Second}}, 12 * time.Second},
		{"another run in much time", time.Second, Plan{Extent: Extent{For: time.Hour}}, 20 * time.Second},
		{"one that the user limits, and none has ended", 0, limited(2 * time.Second), 2 * time.Second},
		{"one that the user limits more than others do", time.Second, limited(2 * time.Second), 2 * time.Second},
		{"one that others limit more than the user does", time.Second, limited(time.Hour), 20 * time.Second},
	} {
		x := exploration{plan: &tt.plan, longest: tt.longest, merged: newMerger()}
		for _, r := range []*run{x.next(), x.again(&run{plan: &tt.plan.Plan})} {
			if got := r.plan.Limit; got != tt.want {
				t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
			}
		}
	}
}

// Ordinary runs come first, then those under steered schedules, each under another one.
func TestNext(t *testing.T) {
	x := exploration{plan: &Plan{Plan: execution.Plan{Steering: execution.Steering{Yields: 7, Seed: 30}}, Extent: Extent{Runs: 2, Explore: 2}}, merged: newMerger()}
	var got [][2]uint64
	for x.isLeft() {
		r := x.next()
		got = append(got, [2]uint64{r.plan.Yields, r.plan.Seed})
		r.ended = &execution.Conclusion{}
		x.note(r)
	}
	want := [][2]uint64{{7, 0}, {8, 0}, {0, 30}, {0, 31}}
	if len(got) != len(want) {
		t.Fatal(got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// The program's exit code is that of the first run that failed. One that was ended for taking too
// long has none.
func TestNoteFailure(t *testing.T) {
	x := exploration{plan: &Plan{Plan: execution.Plan{Steering: execution.Steering{Yields: 7}}, Extent: Extent{Runs: 9, StopAt: StopAtConfirmed}}, merged: newMerger()}
	for _, tt := range []struct {
		ended   execution.Conclusion
		isNew   bool
		stopped bool
	}{
		{execution.Conclusion{Code: 137, Overdue: true}, false, false},
		{execution.Conclusion{Code: 3}, true, true},
		{execution.Conclusion{Code: 4}, false, true},
	} {
		r := x.next()
		r.ended = &tt.ended
		if got := x.note(r); got != tt.isNew || x.stopped != tt.stopped {
			t.Errorf("%+v: new %v, stopped %v", tt.ended, got, x.stopped)
		}
	}
	if x.all.Code != 3 || x.failed != "--yields 8" || x.failures != 2 || x.unended != 1 {
		t.Errorf("%+v", x)
	}
}

// Who has no verdict in an ordinary run has none, and in a steered one others do.
func TestNoteUnknown(t *testing.T) {
	for _, steered := range []bool{false, true} {
		x := exploration{plan: &Plan{Extent: Extent{Runs: 2, Explore: 1}}, merged: newMerger()}
		for x.isLeft() {
			r := x.next()
			r.ended = &execution.Conclusion{}
			if (r.plan.Seed != 0) == steered {
				r.ended.Builtins.Unknown, r.ended.Unknown = "for a test", true
			}
			x.note(r)
		}
		if x.all.Builtins.IsUnknown() == steered || x.unknown == 0 {
			t.Errorf("steered %v: %+v, %d without a verdict", steered, x.all.Builtins, x.unknown)
		}
	}
}

// What holds in the runs that were made is unknown if further ones were asked for. The results stay
// as they were judged.
func TestRefuse(t *testing.T) {
	holds := &tlcheck.Result{Verdict: tlcheck.Holds, Vacuous: "no task calls f"}
	violated := &tlcheck.Result{Verdict: tlcheck.Violated}
	all := []*tlcheck.Assessment{holds.Assessment(), violated.Assessment()}
	x := new(exploration)
	x.refuse(all, "interrupted")
	if r := all[0]; r.Verdict != tlcheck.Unknown || r.Covered != "interrupted" || r.Vacuous != "" {
		t.Errorf("%+v", r.Result)
	}
	if holds.Verdict != tlcheck.Holds || holds.Vacuous == "" || all[1].Result != violated {
		t.Errorf("changed: %+v, %+v", holds, all[1].Result)
	}
	if x.all.Builtins.Unknown != "interrupted" {
		t.Errorf("%+v", x.all.Builtins)
	}
}

// Behind the largest seed come the smallest: each run has one.
func TestNextSeed(t *testing.T) {
	const most = math.MaxUint64
	for _, tt := range []struct {
		first   uint64
		steered int
		want    uint64
	}{{0, 0, 1}, {0, 2, 3}, {7, 3, 10}, {most, 0, most}, {most, 1, 1}, {most - 1, 3, 2}} {
		plan := Plan{Plan: execution.Plan{Steering: execution.Steering{Seed: tt.first}}}
		x := exploration{plan: &plan, steered: tt.steered}
		if got := x.nextSeed(); got != tt.want {
			t.Errorf("behind %d runs from seed %d: %d, want %d", tt.steered, tt.first, got, tt.want)
		}
	}
}
