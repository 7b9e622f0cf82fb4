package tlcheck

import (
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// TestSettle has what becomes of findings that were tried.
func TestSettle(t *testing.T) {
	guess := &builtin.Guess{Text: "x", Select: 1, Took: 0, Other: 1}
	for _, tt := range []struct {
		name    string
		how     builtin.Certainty
		guess   *builtin.Guess
		outcome ConfirmationOutcome
		verdict Verdict
		as      builtin.Certainty
	}{
		{"reordered, in vain", builtin.Reordered, nil, NotConfirmed, Possible, builtin.Possible},
		{"reordered, without consequences", builtin.Reordered, nil, Followed, Possible, builtin.Possible},
		{"reordered, not tried", builtin.Reordered, nil, NotTried, Violated, builtin.Reordered},
		{"reordered, happened", builtin.Reordered, nil, Confirmed, Violated, builtin.Reordered},
		{"predicted, in vain", builtin.Predicted, nil, NotConfirmed, Violated, builtin.Predicted},
		{"assumed, in vain", builtin.Predicted, guess, NotConfirmed, Possible, builtin.Possible},
		{"possible, in vain", builtin.Possible, guess, NotConfirmed, Possible, builtin.Possible},
		{"possible, happened", builtin.Possible, guess, Confirmed, Violated, builtin.Predicted},
		{"observed", builtin.Observed, nil, NotConfirmed, Violated, builtin.Observed},
	} {
		f := &builtin.Finding{Property: builtin.Deadlock, How: tt.how, Guess: tt.guess, Also: []builtin.Finding{{How: tt.how}, {How: builtin.Observed}}}
		judged := &Result{Builtin: f.Property, Verdict: verdictOn(f), Finding: f}
		r := &Assessment{Result: judged, Confirmation: &Confirmation{Outcome: tt.outcome}}
		r.Settle()
		if r.Verdict != tt.verdict || r.Finding.How != tt.as || r.Finding.Also[0].How != tt.as ||
			r.Finding.Also[1].How != builtin.Observed {
			t.Errorf("%s: %v, %v with %v", tt.name, r.Verdict, r.Finding.How, r.Finding.Also)
		}
		if judged.Verdict != verdictOn(f) || judged.Finding != f {
			t.Errorf("%s: the result itself is changed", tt.name)
		}
		if f.How != tt.how || f.Also[0].How != tt.how {
			t.Errorf("%s: the finding itself is changed", tt.name)
		}
	}
	r := (&Result{Verdict: Violated, Finding: &builtin.Finding{How: builtin.Reordered}}).Assessment()
	if r.Settle(); r.Verdict != Violated {
		t.Error("what was not tried is settled")
	}
}
