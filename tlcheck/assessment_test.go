package tlcheck

import (
	"slices"
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
		{"reordered, in vain", builtin.Reordered, nil, Diverged, Possible, builtin.Possible},
		{"reordered, nothing known", builtin.Reordered, nil, NotFollowed, Violated, builtin.Reordered},
		{"reordered, without consequences", builtin.Reordered, nil, Followed, Possible, builtin.Possible},
		{"reordered, not tried", builtin.Reordered, nil, NotTried, Violated, builtin.Reordered},
		{"reordered, happened", builtin.Reordered, nil, Confirmed, Violated, builtin.Reordered},
		{"predicted, in vain", builtin.Predicted, nil, Diverged, Violated, builtin.Predicted},
		{"assumed, in vain", builtin.Predicted, guess, Diverged, Possible, builtin.Possible},
		{"assumed, nothing known", builtin.Predicted, guess, NotFollowed, Violated, builtin.Predicted},
		{"possible, in vain", builtin.Possible, guess, Diverged, Possible, builtin.Possible},
		{"possible, happened", builtin.Possible, guess, Confirmed, Violated, builtin.Predicted},
		{"possible without a guess, happened", builtin.Possible, nil, Confirmed, Violated, builtin.Predicted},
		{"observed", builtin.Observed, nil, Diverged, Violated, builtin.Observed},
	} {
		f := &builtin.Finding{Property: builtin.Deadlock, How: tt.how, Guess: tt.guess, Also: []builtin.Finding{{How: tt.how}, {How: builtin.Observed}}}
		judged := &Result{Builtin: f.Property, Verdict: verdictOn(f), Finding: f}
		r := &Assessment{Result: judged, Confirmation: &Confirmation{Outcome: tt.outcome}}
		r.Settle()
		if r.Verdict != tt.verdict || r.Finding.How != tt.as || r.Finding.Also[0].How != tt.how ||
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

// TestSettleSiblings has findings with one cause that are settled by themselves.
func TestSettleSiblings(t *testing.T) {
	const vain, unknown, happened = Diverged, NotFollowed, Confirmed
	const stays, down = builtin.Reordered, builtin.Possible
	type outcomes [3]ConfirmationOutcome
	type hows [3]builtin.Certainty
	for _, tt := range []struct {
		outcomes outcomes // of the head, and of two others
		verdict  Verdict
		lead     string
		hows     hows
	}{
		{outcomes{vain, vain, vain}, Possible, "a", hows{down, down, down}},
		{outcomes{vain, unknown, vain}, Violated, "b", hows{stays, down, down}},
		{outcomes{unknown, vain, vain}, Violated, "a", hows{stays, down, down}},
		{outcomes{vain, vain, happened}, Violated, "c", hows{stays, down, down}},
	} {
		of := func(text string) builtin.Finding {
			return builtin.Finding{Property: builtin.Stuck, Text: text, How: builtin.Reordered}
		}
		f := of("a")
		f.Also = []builtin.Finding{of("b"), of("c")}
		a := (&Result{Builtin: f.Property, Verdict: Violated, Finding: &f}).Assessment()
		a.Confirmation = &Confirmation{Outcome: tt.outcomes[0]}
		a.Siblings = []*Confirmation{{Outcome: tt.outcomes[1]}, {Outcome: tt.outcomes[2]}}
		byText := map[string]ConfirmationOutcome{
			"a": tt.outcomes[0], "b": tt.outcomes[1], "c": tt.outcomes[2],
		}
		a.Settle()
		got := hows{a.Finding.How, a.Finding.Also[0].How, a.Finding.Also[1].How}
		if a.Verdict != tt.verdict || a.Finding.Text != tt.lead || got != tt.hows {
			t.Errorf("%v: %v, led by %s, %v", tt.outcomes, a.Verdict, a.Finding.Text, got)
		}
		if a.Confirmation.Outcome != byText[a.Finding.Text] ||
			a.Also(0).Confirmation.Outcome != byText[a.Finding.Also[0].Text] ||
			a.Also(1).Confirmation.Outcome != byText[a.Finding.Also[1].Text] {
			t.Errorf("%v: the outcomes are of other findings", tt.outcomes)
		}
	}
}

// TestAddSiblings tests which finding leads: the first one that happened.
func TestAddSiblings(t *testing.T) {
	happened, not := &Confirmation{Outcome: Confirmed}, &Confirmation{Outcome: NotFollowed}
	for _, tt := range []struct {
		name     string
		own      *Confirmation
		siblings []*Confirmation
		leads    string
		left     []*Confirmation
	}{
		{"none was tried", nil, []*Confirmation{nil, nil}, "a", nil},
		{"none happened", not, []*Confirmation{nil, not}, "a", []*Confirmation{nil, not}},
		{"one happened", not, []*Confirmation{nil, happened}, "c", []*Confirmation{not, nil}},
		{"two happened", nil, []*Confirmation{happened, happened}, "b", []*Confirmation{nil, happened}},
		{"its own happened", happened, []*Confirmation{happened, nil}, "a",
			[]*Confirmation{happened, nil}},
	} {
		f := builtin.Finding{Text: "a", Property: builtin.Deadlock, Also: []builtin.Finding{
			{Text: "b", Property: builtin.Stuck}, {Text: "c", Property: builtin.Stuck},
		}}
		a := (&Result{Builtin: builtin.Deadlock, Finding: &f}).Assessment()
		a.Confirmation = tt.own
		a.AddSiblings(func(i int) *Confirmation { return tt.siblings[i] })
		if a.Finding.Text != tt.leads || a.Builtin != a.Finding.Property {
			t.Errorf("%s: %s leads, want %s", tt.name, a.Finding.Text, tt.leads)
		}
		if !slices.Equal(a.Siblings, tt.left) || len(f.Also) != 2 {
			t.Errorf("%s: the others have %v, want %v", tt.name, a.Siblings, tt.left)
		}
	}
}
