package exploration

import (
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// Which run is the last depends on what it shows.
func TestStops(t *testing.T) {
	finding := func(how builtin.Certainty, confirmed tlcheck.ConfirmationOutcome) *tlcheck.Assessment {
		return &tlcheck.Assessment{
			Result:       &tlcheck.Result{Verdict: tlcheck.Violated, Finding: &builtin.Finding{How: how}},
			Confirmation: &tlcheck.Confirmation{Outcome: confirmed},
		}
	}
	violated := execution.Conclusion{Outcomes: exit.Outcomes{BuiltinViolated: true}, Builtins: findings.Summary{Violated: []builtin.Property{builtin.Closed}}}
	for _, tt := range []struct {
		name             string
		run              execution.Conclusion
		result           report.Subject
		first, confirmed bool
	}{
		{"all well", execution.Conclusion{}, &tlcheck.Result{Verdict: tlcheck.Holds}, false, false},
		{"possible", execution.Conclusion{}, &tlcheck.Result{Verdict: tlcheck.Possible, Finding: &builtin.Finding{How: builtin.Possible}}, false, false},
		{"predicted", violated, finding(builtin.Predicted, tlcheck.NotFollowed), true, false},
		{"confirmed", violated, finding(builtin.Predicted, tlcheck.Confirmed), true, true},
		{"observed", violated, finding(builtin.Observed, tlcheck.NotTried), true, true},
		{"a state that was passed", execution.Conclusion{Outcomes: exit.Outcomes{Violated: true}}, &tlcheck.Result{Verdict: tlcheck.Violated, Witness: &tlcheck.Witness{Happened: true}}, true, true},
		{"a failure", execution.Conclusion{Code: 2}, &tlcheck.Result{Verdict: tlcheck.Holds}, true, true},
		{"a failure of ours", execution.Conclusion{Outcomes: exit.Outcomes{Failed: true}}, &tlcheck.Result{Verdict: tlcheck.Holds}, true, true},
	} {
		for s, want := range map[StopAt]bool{StopAtFirst: tt.first, StopAtConfirmed: tt.confirmed, StopNever: false} {
			if got := s.Stops(&tt.run, []*tlcheck.Assessment{tt.result.Assessment()}); got != want {
				t.Errorf("%s, %s: %v", tt.name, s, got)
			}
		}
	}
}

func TestStopAtFlag(t *testing.T) {
	var s StopAt
	if err := s.Set("first"); err != nil || s != StopAtFirst || s.String() != "first" {
		t.Errorf("%s, %v", s, err)
	}
	if err := s.Set("second"); err == nil || s != StopAtFirst {
		t.Errorf("%s, %v", s, err)
	}
}
